# gnuplot surface.gp; another format: gnuplot -e "format='pdf'" surface.gp
if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg size 880,430 dynamic butt dashlength 2 font "Helvetica,12" name "surface"
if (format eq "pdf") set terminal pdfcairo size 7.130in,3.484in butt dl 3.64 font "Helvetica,12" fontscale 0.4375 linewidth 1.1667 pointscale 0.9333
if (format eq "png") set terminal pngcairo size 1760,860 butt dl 4 font "Helvetica,12" fontscale 1.5 linewidth 2 pointscale 3.1
set output "surface.".format
set encoding utf8
set multiplot

# panel 1
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.06818
set rmargin at screen 0.45909
set tmargin at screen 0.92558
set bmargin at screen 0.12558
set label '{/:Bold=13 GW20, one instance}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [-0.7:20.7]
set yrange [-0.7:20.7]
unset tics
unset grid
unset border
set style textbox opaque fc rgb "#ffffff" noborder margins 0.4, 0.4
set object rectangle from 0,0 to 20,20 fs empty border rgb "#4d4d4d" lw 1 front
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set label "S" at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,5 to 12,6 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 0,12 to 8,13 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 16,12 to 20,13 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 19,18 to 20,19 fs solid 1 noborder fc rgb "#ea9a66" behind
set label "G" at 19,19 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 18,19 to 20,20 fs solid 1 noborder fc rgb "#ea9a66" behind
set label "G" at 18,20 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set arrow from 1,0 to 1,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 2,0 to 2,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 3,0 to 3,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 4,0 to 4,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 5,0 to 5,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 6,0 to 6,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 7,0 to 7,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 8,0 to 8,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 9,0 to 9,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 10,0 to 10,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 11,0 to 11,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 12,0 to 12,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 13,0 to 13,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 14,0 to 14,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 15,0 to 15,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 16,0 to 16,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 17,0 to 17,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 18,0 to 18,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 19,0 to 19,20 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,1 to 20,1 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,2 to 20,2 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,3 to 20,3 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,4 to 20,4 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,5 to 20,5 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,6 to 20,6 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,7 to 20,7 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,8 to 20,8 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,9 to 20,9 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,10 to 20,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,11 to 20,11 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,12 to 20,12 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,13 to 20,13 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,14 to 20,14 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,15 to 20,15 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,16 to 20,16 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,17 to 20,17 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,18 to 20,18 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,19 to 20,19 nohead lw 0.4 lc rgb "#e4e4e4" back
set xtics 0, 10 scale 0 textcolor rgb "#333333"
set ytics 0, 10 scale 0 textcolor rgb "#333333"
set xlabel "x" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "y" offset 0.4, 0 tc rgb "#333333" noenhanced
plot "surface.dat" index 0 using 1:2:3 with points pt variable ps 2.2 lw 7 lc rgb "#ffffff", \
 "surface.dat" index 0 using 1:2:3 with points pt variable ps 2.1 lw 3 lc rgb "#000000", \
 "surface.dat" index 0 using 5:6:4 with labels font "Helvetica:Bold,13"

# panel 2
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.56818
set rmargin at screen 0.95909
set tmargin at screen 0.92558
set bmargin at screen 0.12558
set label '{/:Bold=13 }' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set origin 0.49, 0.01
set size 0.51, 0.92
set lmargin -1
set rmargin -1
set tmargin -1
set bmargin -1
unset label
set label "{/:Bold=13 Rewards of goal and subgoals}" at screen 0.53, screen 0.976 left
set view 58, 22, 1.1, 1.25
set xyplane at 0
set border 31 lw 0.6 lc rgb "#999999"
unset grid
unset colorbox
unset key
set xrange [0:20]
set yrange [0:20]
set zrange [0:0.69]
set xtics 10 offset 0, -0.3
set ytics 10 offset 0.4, 0
set ztics 0.2
set xlabel "x"
set ylabel "y" offset -3, 0
set zlabel "reward" rotate
set palette defined (0 "#f4f8fb", 0.3 "#a9d3ec", 0.7 "#3a92c6", 1 "#00507d")
set cbrange [0:0.2]
set pm3d depthorder
set style fill solid 1 noborder
set label "goal: 1 (cut)" at 19.5, 19.5, 0.6 right offset 0, 1 tc rgb "#d55e00" front
splot "surface.dat" index 1 using 1:2:3 with pm3d, \
 "surface.dat" index 2 using 1:2:3 with impulses lw 5 lc rgb "#d55e00", \
 "surface.dat" index 3 using 1:2:3 with impulses lw 5 lc rgb "#009e73"
unset multiplot

# gnuplot paths.gp; another format: gnuplot -e "format='pdf'" paths.gp
if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg size 1128,840 dynamic butt dashlength 2 font "Helvetica,12" name "paths"
if (format eq "pdf") set terminal pdfcairo size 11.750in,8.750in butt dl 2 font "Helvetica,12" fontscale 0.75
if (format eq "png") set terminal pngcairo size 2256,1680 butt dl 2 font "Helvetica,12" fontscale 1.5 linewidth 2 pointscale 2
set output "paths.".format
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
set lmargin at screen 0.01596
set rmargin at screen 0.31738
set tmargin at screen 0.96190
set bmargin at screen 0.55714
set label "{/:Bold=13 GW10}" at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:10]
set yrange [0:10]
unset tics
unset grid
set border 15 lw 1 lc rgb "#4d4d4d"
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set object rectangle from 0,2 to 6,3 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,3 to 6,4 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,4 to 6,5 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,5 to 6,6 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,6 to 6,7 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,8 to 1,9 fs solid 1 noborder fc rgb "#ea9a66" behind
set object rectangle from 0,9 to 2,10 fs solid 1 noborder fc rgb "#ea9a66" behind
set arrow from 1,0 to 1,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 2,0 to 2,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 3,0 to 3,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 4,0 to 4,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 5,0 to 5,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 6,0 to 6,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 7,0 to 7,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 8,0 to 8,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 9,0 to 9,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,1 to 10,1 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,2 to 10,2 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,3 to 10,3 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,4 to 10,4 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,5 to 10,5 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,6 to 10,6 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,7 to 10,7 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,8 to 10,8 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,9 to 10,9 nohead lw 0.4 lc rgb "#e4e4e4" back
plot \
 "paths.dat" index 0 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 2 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 4 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 6 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 1 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 1 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 "paths.dat" index 3 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 3 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 "paths.dat" index 5 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 5 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 "paths.dat" index 7 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 7 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

# panel 2
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.34929
set rmargin at screen 0.65071
set tmargin at screen 0.96190
set bmargin at screen 0.55714
set label "{/:Bold=13 GW20}" at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:20]
set yrange [0:20]
unset tics
unset grid
set border 15 lw 1 lc rgb "#4d4d4d"
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set object rectangle from 0,5 to 12,6 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 16,5 to 20,6 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,7 to 12,8 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 16,7 to 20,8 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,9 to 12,10 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 16,9 to 20,10 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,12 to 8,13 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 16,12 to 20,13 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,14 to 8,15 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 16,14 to 20,15 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,16 to 8,17 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 16,16 to 20,17 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 19,18 to 20,19 fs solid 1 noborder fc rgb "#ea9a66" behind
set object rectangle from 18,19 to 20,20 fs solid 1 noborder fc rgb "#ea9a66" behind
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
plot \
 "paths.dat" index 8 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 10 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 12 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 14 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 9 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 9 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 "paths.dat" index 11 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 11 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 "paths.dat" index 13 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 13 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 "paths.dat" index 15 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 15 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

# panel 3
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.68262
set rmargin at screen 0.98404
set tmargin at screen 0.96190
set bmargin at screen 0.55714
set label "{/:Bold=13 TR}" at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:10]
set yrange [0:10]
unset tics
unset grid
set border 15 lw 1 lc rgb "#4d4d4d"
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set object rectangle from 7,0 to 10,1 fs solid 1 noborder fc rgb "#b5e0d3" behind
set object rectangle from 7,1 to 10,2 fs solid 1 noborder fc rgb "#b5e0d3" behind
set object rectangle from 4,2 to 5,3 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 7,2 to 10,3 fs solid 1 noborder fc rgb "#b5e0d3" behind
set object rectangle from 4,3 to 5,4 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 4,4 to 8,5 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 0,7 to 7,8 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 9,8 to 10,9 fs solid 1 noborder fc rgb "#ea9a66" behind
set object rectangle from 8,9 to 10,10 fs solid 1 noborder fc rgb "#ea9a66" behind
set arrow from 1,0 to 1,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 2,0 to 2,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 3,0 to 3,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 4,0 to 4,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 5,0 to 5,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 6,0 to 6,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 7,0 to 7,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 8,0 to 8,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 9,0 to 9,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,1 to 10,1 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,2 to 10,2 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,3 to 10,3 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,4 to 10,4 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,5 to 10,5 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,6 to 10,6 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,7 to 10,7 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,8 to 10,8 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,9 to 10,9 nohead lw 0.4 lc rgb "#e4e4e4" back
plot \
 "paths.dat" index 16 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 18 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 20 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 22 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 17 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 17 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 "paths.dat" index 19 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 19 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 "paths.dat" index 21 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 21 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 "paths.dat" index 23 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 23 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

# panel 4
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.01596
set rmargin at screen 0.31738
set tmargin at screen 0.49286
set bmargin at screen 0.08810
set label "{/:Bold=13 KEY2}" at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:10]
set yrange [0:10]
unset tics
unset grid
set border 15 lw 1 lc rgb "#4d4d4d"
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set object rectangle from 0,2 to 2,3 fs solid 1 noborder fc rgb "#f7f1a0" behind
set object rectangle from 8,2 to 10,3 fs solid 1 noborder fc rgb "#f7f1a0" behind
set object rectangle from 0,3 to 2,4 fs solid 1 noborder fc rgb "#f7f1a0" behind
set object rectangle from 8,3 to 10,4 fs solid 1 noborder fc rgb "#f7f1a0" behind
set object rectangle from 0,4 to 6,5 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 6,4 to 10,5 fs solid 1 noborder fc rgb "#e3cdb5" behind
set object rectangle from 0,8 to 1,9 fs solid 1 noborder fc rgb "#ea9a66" behind
set object rectangle from 0,9 to 2,10 fs solid 1 noborder fc rgb "#ea9a66" behind
set arrow from 1,0 to 1,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 2,0 to 2,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 3,0 to 3,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 4,0 to 4,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 5,0 to 5,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 6,0 to 6,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 7,0 to 7,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 8,0 to 8,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 9,0 to 9,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,1 to 10,1 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,2 to 10,2 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,3 to 10,3 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,4 to 10,4 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,5 to 10,5 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,6 to 10,6 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,7 to 10,7 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,8 to 10,8 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,9 to 10,9 nohead lw 0.4 lc rgb "#e4e4e4" back
plot \
 "paths.dat" index 24 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 26 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 28 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 30 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 25 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 25 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 "paths.dat" index 27 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 27 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 "paths.dat" index 29 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 29 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 "paths.dat" index 31 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 31 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

# panel 5
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.34929
set rmargin at screen 0.65071
set tmargin at screen 0.49286
set bmargin at screen 0.08810
set label "{/:Bold=13 KEY3}" at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:10]
set yrange [0:10]
unset tics
unset grid
set border 15 lw 1 lc rgb "#4d4d4d"
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set object rectangle from 0,2 to 2,3 fs solid 1 noborder fc rgb "#f7f1a0" behind
set object rectangle from 8,2 to 10,3 fs solid 1 noborder fc rgb "#f7f1a0" behind
set object rectangle from 0,3 to 2,4 fs solid 1 noborder fc rgb "#f7f1a0" behind
set object rectangle from 8,3 to 10,4 fs solid 1 noborder fc rgb "#f7f1a0" behind
set object rectangle from 0,4 to 6,5 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 6,4 to 10,5 fs solid 1 noborder fc rgb "#e3cdb5" behind
set object rectangle from 0,8 to 1,9 fs solid 1 noborder fc rgb "#ea9a66" behind
set object rectangle from 0,9 to 2,10 fs solid 1 noborder fc rgb "#ea9a66" behind
set arrow from 1,0 to 1,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 2,0 to 2,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 3,0 to 3,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 4,0 to 4,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 5,0 to 5,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 6,0 to 6,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 7,0 to 7,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 8,0 to 8,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 9,0 to 9,10 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,1 to 10,1 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,2 to 10,2 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,3 to 10,3 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,4 to 10,4 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,5 to 10,5 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,6 to 10,6 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,7 to 10,7 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,8 to 10,8 nohead lw 0.4 lc rgb "#e4e4e4" back
set arrow from 0,9 to 10,9 nohead lw 0.4 lc rgb "#e4e4e4" back
plot \
 "paths.dat" index 32 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 34 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 36 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 38 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 33 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 33 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 "paths.dat" index 35 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 35 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 "paths.dat" index 37 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 37 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 "paths.dat" index 39 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 39 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

# panel 6
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.68262
set rmargin at screen 0.98404
set tmargin at screen 0.49286
set bmargin at screen 0.08810
set label "{/:Bold=13 MC}" at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [-1.2:0.6]
set yrange [0:1]
set border 1 lw 1 lc rgb "#4d4d4d"
unset ytics
unset grid
set xtics -1.2, 0.3 offset 0, 0.4
mountain(x) = 0.34 * (0.12 + 0.4 * (sin(3 * x) + 1))
start(x) = x >= -0.6 && x <= -0.4 ? mountain(x) : NaN
set samples 361
set arrow from 0.5,0.312459 to 0.5,0.402459 nohead lw 1.5 lc rgb "#000000"
set object polygon from 0.5,0.402459 to 0.56,0.382459 to 0.5,0.362459 to 0.5,0.402459 fs solid 1 noborder fc rgb "#d55e00"
plot \
 mountain(x) with filledcurves y1=0 fs solid 1 fc rgb "#d4d4d4", \
 start(x) with lines lw 5 lc rgb "#7fb8d8", \
 "paths.dat" index 40 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 42 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 44 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 46 using 1:2:3 with lines lw 1.6 lc rgb variable, \
 "paths.dat" index 41 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 41 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 "paths.dat" index 43 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 43 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 "paths.dat" index 45 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 45 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 "paths.dat" index 47 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 47 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

# footer
reset
set encoding utf8
unset key
unset border
unset tics
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 0.06190
set label "Four runs after the initial design, one colour each, darker as cost grows; ○ first, △ second, × third subgoal. Walls: dark always, light in some instances. Start blue, goal red, key\nyellow, door brown, treasure green." at graph 0.5, screen 0.04286 center font ",12" tc rgb "#333333"
plot [0:1] [0:1] NaN
unset multiplot

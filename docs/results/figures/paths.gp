# gnuplot paths.gp; another format: gnuplot -e "format='pdf'" paths.gp
if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg size 1128,840 dynamic butt dashlength 2 font "Helvetica,12" name "paths"
if (format eq "pdf") set terminal pdfcairo size 9.139in,6.806in butt dl 3.64 font "Helvetica,12" fontscale 0.4375 linewidth 1.1667 pointscale 0.9333
if (format eq "png") set terminal pngcairo size 2256,1680 butt dl 4 font "Helvetica,12" fontscale 1.5 linewidth 2 pointscale 3.1
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
set label '{/:Bold=13 GW10}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [-0.35:10.35]
set yrange [-0.35:10.35]
unset tics
unset grid
unset border
set style textbox opaque fc rgb "#ffffff" noborder margins 0.4, 0.4
set object rectangle from 0,0 to 10,10 fs empty border rgb "#4d4d4d" lw 1 front
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set label "S" at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,2 to 6,3 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,3 to 6,4 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,4 to 6,5 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,5 to 6,6 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,6 to 6,7 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,8 to 1,9 fs solid 1 noborder fc rgb "#ea9a66" behind
set label "G" at 0,9 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,9 to 2,10 fs solid 1 noborder fc rgb "#ea9a66" behind
set label "G" at 0,10 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
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
 "paths.dat" index 0 using 1:2 with lines lw 1.6 dt solid lc rgb 0x80b9d9, \
 "paths.dat" index 1 using 1:2 with lines lw 1.6 dt solid lc rgb 0x55a1cc, \
 "paths.dat" index 2 using 1:2 with lines lw 1.6 dt solid lc rgb 0x2b8abf, \
 "paths.dat" index 3 using 1:2 with lines lw 1.6 dt solid lc rgb 0x0072b2, \
 "paths.dat" index 5 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xeaaf80, \
 "paths.dat" index 6 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xe39455, \
 "paths.dat" index 7 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xdc792b, \
 "paths.dat" index 8 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xd55e00, \
 "paths.dat" index 10 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x80cfb9, \
 "paths.dat" index 11 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x55bea2, \
 "paths.dat" index 12 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x2bae8a, \
 "paths.dat" index 13 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x009e73, \
 "paths.dat" index 15 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xe6bcd3, \
 "paths.dat" index 16 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xdda6c4, \
 "paths.dat" index 17 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xd58fb6, \
 "paths.dat" index 18 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xcc79a7, \
 "paths.dat" index 4 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 4 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 "paths.dat" index 9 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 9 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 "paths.dat" index 14 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 14 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 "paths.dat" index 19 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 19 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

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
set label '{/:Bold=13 GW20}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [-0.7:20.7]
set yrange [-0.7:20.7]
unset tics
unset grid
unset border
set style textbox opaque fc rgb "#ffffff" noborder margins 0.4, 0.4
set object rectangle from 0,0 to 20,20 fs empty border rgb "#4d4d4d" lw 1 front
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set label "S" at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
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
plot \
 "paths.dat" index 20 using 1:2 with lines lw 1.6 dt solid lc rgb 0x80b9d9, \
 "paths.dat" index 21 using 1:2 with lines lw 1.6 dt solid lc rgb 0x55a1cc, \
 "paths.dat" index 22 using 1:2 with lines lw 1.6 dt solid lc rgb 0x2b8abf, \
 "paths.dat" index 23 using 1:2 with lines lw 1.6 dt solid lc rgb 0x0072b2, \
 "paths.dat" index 25 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xeaaf80, \
 "paths.dat" index 26 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xe39455, \
 "paths.dat" index 27 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xdc792b, \
 "paths.dat" index 28 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xd55e00, \
 "paths.dat" index 30 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x80cfb9, \
 "paths.dat" index 31 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x55bea2, \
 "paths.dat" index 32 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x2bae8a, \
 "paths.dat" index 33 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x009e73, \
 "paths.dat" index 35 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xe6bcd3, \
 "paths.dat" index 36 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xdda6c4, \
 "paths.dat" index 37 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xd58fb6, \
 "paths.dat" index 38 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xcc79a7, \
 "paths.dat" index 24 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 24 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 "paths.dat" index 29 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 29 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 "paths.dat" index 34 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 34 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 "paths.dat" index 39 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 39 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

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
set label '{/:Bold=13 TR}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [-0.35:10.35]
set yrange [-0.35:10.35]
unset tics
unset grid
unset border
set style textbox opaque fc rgb "#ffffff" noborder margins 0.4, 0.4
set object rectangle from 0,0 to 10,10 fs empty border rgb "#4d4d4d" lw 1 front
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set label "S" at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 7,0 to 10,1 fs solid 1 noborder fc rgb "#b5e0d3" behind
set label "T" at 7,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 7,1 to 10,2 fs solid 1 noborder fc rgb "#b5e0d3" behind
set label "T" at 7,2 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 4,2 to 5,3 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 7,2 to 10,3 fs solid 1 noborder fc rgb "#b5e0d3" behind
set label "T" at 7,3 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 4,3 to 5,4 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 4,4 to 8,5 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 0,7 to 7,8 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 9,8 to 10,9 fs solid 1 noborder fc rgb "#ea9a66" behind
set label "G" at 9,9 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 8,9 to 10,10 fs solid 1 noborder fc rgb "#ea9a66" behind
set label "G" at 8,10 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
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
 "paths.dat" index 40 using 1:2 with lines lw 1.6 dt solid lc rgb 0x80b9d9, \
 "paths.dat" index 41 using 1:2 with lines lw 1.6 dt solid lc rgb 0x55a1cc, \
 "paths.dat" index 42 using 1:2 with lines lw 1.6 dt solid lc rgb 0x2b8abf, \
 "paths.dat" index 43 using 1:2 with lines lw 1.6 dt solid lc rgb 0x0072b2, \
 "paths.dat" index 45 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xeaaf80, \
 "paths.dat" index 46 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xe39455, \
 "paths.dat" index 47 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xdc792b, \
 "paths.dat" index 48 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xd55e00, \
 "paths.dat" index 50 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x80cfb9, \
 "paths.dat" index 51 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x55bea2, \
 "paths.dat" index 52 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x2bae8a, \
 "paths.dat" index 53 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x009e73, \
 "paths.dat" index 55 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xe6bcd3, \
 "paths.dat" index 56 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xdda6c4, \
 "paths.dat" index 57 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xd58fb6, \
 "paths.dat" index 58 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xcc79a7, \
 "paths.dat" index 44 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 44 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 "paths.dat" index 49 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 49 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 "paths.dat" index 54 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 54 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 "paths.dat" index 59 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 59 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

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
set label '{/:Bold=13 KEY2}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [-0.35:10.35]
set yrange [-0.35:10.35]
unset tics
unset grid
unset border
set style textbox opaque fc rgb "#ffffff" noborder margins 0.4, 0.4
set object rectangle from 0,0 to 10,10 fs empty border rgb "#4d4d4d" lw 1 front
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set label "S" at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,2 to 2,3 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label "K" at 0,3 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 8,2 to 10,3 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label "K" at 8,3 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,3 to 2,4 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label "K" at 0,4 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 8,3 to 10,4 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label "K" at 8,4 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,4 to 6,5 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 6,4 to 10,5 fs solid 1 noborder fc rgb "#e3cdb5" behind
set label "D" at 6,5 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,8 to 1,9 fs solid 1 noborder fc rgb "#ea9a66" behind
set label "G" at 0,9 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,9 to 2,10 fs solid 1 noborder fc rgb "#ea9a66" behind
set label "G" at 0,10 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
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
 "paths.dat" index 60 using 1:2 with lines lw 1.6 dt solid lc rgb 0x80b9d9, \
 "paths.dat" index 61 using 1:2 with lines lw 1.6 dt solid lc rgb 0x55a1cc, \
 "paths.dat" index 62 using 1:2 with lines lw 1.6 dt solid lc rgb 0x2b8abf, \
 "paths.dat" index 63 using 1:2 with lines lw 1.6 dt solid lc rgb 0x0072b2, \
 "paths.dat" index 65 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xeaaf80, \
 "paths.dat" index 66 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xe39455, \
 "paths.dat" index 67 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xdc792b, \
 "paths.dat" index 68 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xd55e00, \
 "paths.dat" index 70 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x80cfb9, \
 "paths.dat" index 71 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x55bea2, \
 "paths.dat" index 72 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x2bae8a, \
 "paths.dat" index 73 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x009e73, \
 "paths.dat" index 75 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xe6bcd3, \
 "paths.dat" index 76 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xdda6c4, \
 "paths.dat" index 77 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xd58fb6, \
 "paths.dat" index 78 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xcc79a7, \
 "paths.dat" index 64 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 64 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 "paths.dat" index 69 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 69 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 "paths.dat" index 74 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 74 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 "paths.dat" index 79 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 79 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

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
set label '{/:Bold=13 KEY3}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [-0.35:10.35]
set yrange [-0.35:10.35]
unset tics
unset grid
unset border
set style textbox opaque fc rgb "#ffffff" noborder margins 0.4, 0.4
set object rectangle from 0,0 to 10,10 fs empty border rgb "#4d4d4d" lw 1 front
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set label "S" at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,2 to 2,3 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label "K" at 0,3 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 8,2 to 10,3 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label "K" at 8,3 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,3 to 2,4 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label "K" at 0,4 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 8,3 to 10,4 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label "K" at 8,4 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,4 to 6,5 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 6,4 to 10,5 fs solid 1 noborder fc rgb "#e3cdb5" behind
set label "D" at 6,5 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,8 to 1,9 fs solid 1 noborder fc rgb "#ea9a66" behind
set label "G" at 0,9 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,9 to 2,10 fs solid 1 noborder fc rgb "#ea9a66" behind
set label "G" at 0,10 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
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
 "paths.dat" index 80 using 1:2 with lines lw 1.6 dt solid lc rgb 0x80b9d9, \
 "paths.dat" index 81 using 1:2 with lines lw 1.6 dt solid lc rgb 0x55a1cc, \
 "paths.dat" index 82 using 1:2 with lines lw 1.6 dt solid lc rgb 0x2b8abf, \
 "paths.dat" index 83 using 1:2 with lines lw 1.6 dt solid lc rgb 0x0072b2, \
 "paths.dat" index 85 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xeaaf80, \
 "paths.dat" index 86 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xe39455, \
 "paths.dat" index 87 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xdc792b, \
 "paths.dat" index 88 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xd55e00, \
 "paths.dat" index 90 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x80cfb9, \
 "paths.dat" index 91 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x55bea2, \
 "paths.dat" index 92 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x2bae8a, \
 "paths.dat" index 93 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x009e73, \
 "paths.dat" index 95 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xe6bcd3, \
 "paths.dat" index 96 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xdda6c4, \
 "paths.dat" index 97 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xd58fb6, \
 "paths.dat" index 98 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xcc79a7, \
 "paths.dat" index 84 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 84 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 "paths.dat" index 89 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 89 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 "paths.dat" index 94 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 94 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 "paths.dat" index 99 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 99 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

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
set label '{/:Bold=13 MC}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
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
set label "G" at 0.5,0.312459 center offset 0, -0.7 font ",10" front
set label "S" at -0.5,0.0411407 center offset 0, 0.9 font ",10" front
set arrow from graph 0.01, first 0.42 to graph 0.01, first 0.539 head size graph 0.015, 25 lw 1 lc rgb "#666666"
set label "cost" at graph -0.015, first 0.4795 center rotate font ",10" tc rgb "#666666"
set arrow from graph 0.01, first 0.56 to graph 0.01, first 0.679 head size graph 0.015, 25 lw 1 lc rgb "#666666"
set label "cost" at graph -0.015, first 0.6195 center rotate font ",10" tc rgb "#666666"
set arrow from graph 0.01, first 0.7 to graph 0.01, first 0.819 head size graph 0.015, 25 lw 1 lc rgb "#666666"
set label "cost" at graph -0.015, first 0.7595 center rotate font ",10" tc rgb "#666666"
set arrow from graph 0.01, first 0.84 to graph 0.01, first 0.959 head size graph 0.015, 25 lw 1 lc rgb "#666666"
set label "cost" at graph -0.015, first 0.8995 center rotate font ",10" tc rgb "#666666"
plot \
 mountain(x) with filledcurves y1=0 fs solid 1 fc rgb "#d4d4d4", \
 start(x) with lines lw 5 lc rgb "#7fb8d8", \
 "paths.dat" index 100 using 1:2 with lines lw 1.6 dt solid lc rgb 0x80b9d9, \
 "paths.dat" index 101 using 1:2 with lines lw 1.6 dt solid lc rgb 0x55a1cc, \
 "paths.dat" index 102 using 1:2 with lines lw 1.6 dt solid lc rgb 0x2b8abf, \
 "paths.dat" index 103 using 1:2 with lines lw 1.6 dt solid lc rgb 0x0072b2, \
 "paths.dat" index 105 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xeaaf80, \
 "paths.dat" index 106 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xe39455, \
 "paths.dat" index 107 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xdc792b, \
 "paths.dat" index 108 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xd55e00, \
 "paths.dat" index 110 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x80cfb9, \
 "paths.dat" index 111 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x55bea2, \
 "paths.dat" index 112 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x2bae8a, \
 "paths.dat" index 113 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x009e73, \
 "paths.dat" index 115 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xe6bcd3, \
 "paths.dat" index 116 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xdda6c4, \
 "paths.dat" index 117 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xd58fb6, \
 "paths.dat" index 118 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xcc79a7, \
 "paths.dat" index 104 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 104 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 "paths.dat" index 109 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 109 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 "paths.dat" index 114 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 114 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 "paths.dat" index 119 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 "paths.dat" index 119 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

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
set label 'Four runs after the initial design, a colour and dash type each, darker as cost grows; ○ first, △ second, × third subgoal. Walls: dark always, light in some instances. S start (blue), G'."\n".'goal (orange), K key (yellow), D door (brown), T treasure (green). MC: a strip for each run, in which cost grows upwards.' at graph 0.5, screen 0.04286 center font ",12" tc rgb "#333333"
plot [0:1] [0:1] NaN
unset multiplot

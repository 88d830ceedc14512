# gnuplot cost.gp; another format: gnuplot -e "format='pdf'" cost.gp
if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg size 1164,696 dynamic butt dashlength 2 font "Helvetica,12" name "cost"
if (format eq "pdf") set terminal pdfcairo size 9.431in,5.639in butt dl 3.64 font "Helvetica,12" fontscale 0.4375 linewidth 1.1667 pointscale 0.9333
if (format eq "png") set terminal pngcairo size 2328,1392 butt dl 4 font "Helvetica,12" fontscale 1.5 linewidth 2 pointscale 3.1
set output "cost.".format
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
set lmargin at screen 0.05842
set rmargin at screen 0.26632
set tmargin at screen 0.95402
set bmargin at screen 0.60345
set label '{/:Bold=13 GW10}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:1600000]
set xtics ()
set xtics add ("0" 0)
set xtics add ("400" 400000)
set xtics add ("800" 800000)
set xtics add ("1200" 1200000)
set xtics add ("1600" 1600000)
set yrange [-1.889145785:6.206884277]
set xlabel "thousand interactions" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "regret, steps (log scale)" offset 0.4, 0 tc rgb "#333333" noenhanced
set ytics ()
set ytics add ("0.3" -1.203972804)
set ytics add ("1" 0)
set ytics add ("3" 1.098612289)
set ytics add ("10" 2.302585093)
set ytics add ("30" 3.401197382)
set ytics add ("100" 4.605170186)
set ytics add ("300" 5.703782475)
set arrow from 90000, graph 0 to 90000, graph 1 nohead lw 0.8 lc rgb "#bbbbbb" back
set label "initial design of besd" at 90000, graph 0.035 left offset character 0.5, 0 font ",10" tc rgb "#666666" front
set label '{/:Bold besd}' at graph 1.0289, graph 0.0584 left tc rgb "#d55e00" font ",12" front
set label 'lcb' at graph 1.0289, graph 0.2671 left tc rgb "#56b4e9" font ",12" front
set label 'ei' at graph 1.0289, graph 0.4439 left tc rgb "#0072b2" font ",12" front
set label 'hyperband' at graph 1.0289, graph 0.5329 left tc rgb "#009e73" font ",12" front
set label 'random' at graph 1.0289, graph 0.5903 left tc rgb "#e69f00" font ",12" front
set label 'ei-paper' at graph 1.0289, graph 0.7434 left tc rgb "#555555" font ",12" front
set label 'tql' at graph 1.0289, graph 0.9319 left tc rgb "#cc79a7" font ",12" front
set label 'ql' at graph 1.0289, graph 0.9893 left tc rgb "#8c8c8c" font ",12" front
plot \
 "cost.dat" index 0 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#8c8c8c", \
 "cost.dat" index 1 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#cc79a7", \
 "cost.dat" index 2 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#e69f00", \
 "cost.dat" index 3 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#009e73", \
 "cost.dat" index 4 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#56b4e9", \
 "cost.dat" index 5 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#555555", \
 "cost.dat" index 6 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#0072b2", \
 "cost.dat" index 7 using 1:3:4 with filledcurves fs transparent solid 0.28 lc rgb "#d55e00", \
 "cost.dat" index 0 using 1:2 with lines lw 1.8 dt (1,3) lc rgb "#8c8c8c", \
 "cost.dat" index 1 using 1:2 with lines lw 1.8 dt (6,3,1,3) lc rgb "#cc79a7", \
 "cost.dat" index 2 using 1:2 with lines lw 1.8 dt (2,2) lc rgb "#e69f00", \
 "cost.dat" index 3 using 1:2 with lines lw 1.8 dt (12,4) lc rgb "#009e73", \
 "cost.dat" index 4 using 1:2 with lines lw 1.8 dt (8,3,2,3) lc rgb "#56b4e9", \
 "cost.dat" index 5 using 1:2 with lines lw 1.4 dt (3,2,1,2) lc rgb "#555555", \
 "cost.dat" index 6 using 1:2 with lines lw 1.8 dt (5,3) lc rgb "#0072b2", \
 "cost.dat" index 7 using 1:2 with lines lw 3 dt solid lc rgb "#d55e00"

# panel 2
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.39175
set rmargin at screen 0.59966
set tmargin at screen 0.95402
set bmargin at screen 0.60345
set label '{/:Bold=13 GW20}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:16000000]
set xtics ()
set xtics add ("0" 0)
set xtics add ("4" 4000000)
set xtics add ("8" 8000000)
set xtics add ("12" 12000000)
set xtics add ("16" 16000000)
set yrange [-0.1080702639:7.069720813]
set xlabel "million interactions" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "regret, steps (log scale)" offset 0.4, 0 tc rgb "#333333" noenhanced
set ytics ()
set ytics add ("1" 0)
set ytics add ("10" 2.302585093)
set ytics add ("100" 4.605170186)
set ytics add ("1000" 6.907755279)
set arrow from 4200000, graph 0 to 4200000, graph 1 nohead lw 0.8 lc rgb "#bbbbbb" back
set label "initial design of besd" at 4200000, graph 0.035 left offset character 0.5, 0 font ",10" tc rgb "#666666" front
set label '{/:Bold besd}' at graph 1.0289, graph 0.0816 left tc rgb "#d55e00" font ",12" front
set label 'ei' at graph 1.0289, graph 0.2962 left tc rgb "#0072b2" font ",12" front
set label 'lcb' at graph 1.0289, graph 0.3536 left tc rgb "#56b4e9" font ",12" front
set label 'hyperband' at graph 1.0289, graph 0.4785 left tc rgb "#009e73" font ",12" front
set label 'random' at graph 1.0289, graph 0.5565 left tc rgb "#e69f00" font ",12" front
set label 'ei-paper' at graph 1.0289, graph 0.6139 left tc rgb "#555555" font ",12" front
set label 'tql' at graph 1.0289, graph 0.9330 left tc rgb "#cc79a7" font ",12" front
set label 'ql' at graph 1.0289, graph 0.9904 left tc rgb "#8c8c8c" font ",12" front
plot \
 "cost.dat" index 8 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#8c8c8c", \
 "cost.dat" index 9 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#cc79a7", \
 "cost.dat" index 10 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#e69f00", \
 "cost.dat" index 11 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#009e73", \
 "cost.dat" index 12 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#56b4e9", \
 "cost.dat" index 13 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#555555", \
 "cost.dat" index 14 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#0072b2", \
 "cost.dat" index 15 using 1:3:4 with filledcurves fs transparent solid 0.28 lc rgb "#d55e00", \
 "cost.dat" index 8 using 1:2 with lines lw 1.8 dt (1,3) lc rgb "#8c8c8c", \
 "cost.dat" index 9 using 1:2 with lines lw 1.8 dt (6,3,1,3) lc rgb "#cc79a7", \
 "cost.dat" index 10 using 1:2 with lines lw 1.8 dt (2,2) lc rgb "#e69f00", \
 "cost.dat" index 11 using 1:2 with lines lw 1.8 dt (12,4) lc rgb "#009e73", \
 "cost.dat" index 12 using 1:2 with lines lw 1.8 dt (8,3,2,3) lc rgb "#56b4e9", \
 "cost.dat" index 13 using 1:2 with lines lw 1.4 dt (3,2,1,2) lc rgb "#555555", \
 "cost.dat" index 14 using 1:2 with lines lw 1.8 dt (5,3) lc rgb "#0072b2", \
 "cost.dat" index 15 using 1:2 with lines lw 3 dt solid lc rgb "#d55e00"

# panel 3
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.72509
set rmargin at screen 0.93299
set tmargin at screen 0.95402
set bmargin at screen 0.60345
set label '{/:Bold=13 TR}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:1200000]
set xtics ()
set xtics add ("0" 0)
set xtics add ("300" 300000)
set xtics add ("600" 600000)
set xtics add ("900" 900000)
set xtics add ("1200" 1200000)
set yrange [-0.6300548364:16.38142572]
set xlabel "thousand interactions" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "discounted return" offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 0, first 15.75137089 to graph 1, first 15.75137089 nohead lw 1 dt (2,4) lc rgb "#666666" back
set arrow from 180000, graph 0 to 180000, graph 1 nohead lw 0.8 lc rgb "#bbbbbb" back
set label "initial design of besd" at 180000, graph 0.035 left offset character 0.5, 0 font ",10" tc rgb "#666666" front
set arrow from graph 1.0041, graph 0.1296 to graph 1.0537, graph 0.1296 nohead lw 0.7 lc rgb "#8c8c8c"
set arrow from graph 1.0041, graph 0.3350 to graph 1.0537, graph 0.3350 nohead lw 0.7 lc rgb "#cc79a7"
set arrow from graph 1.0041, graph 0.6681 to graph 1.0537, graph 0.6535 nohead lw 0.7 lc rgb "#555555"
set arrow from graph 1.0041, graph 0.6963 to graph 1.0537, graph 0.7109 nohead lw 0.7 lc rgb "#e69f00"
set arrow from graph 1.0041, graph 0.7946 to graph 1.0537, graph 0.7700 nohead lw 0.7 lc rgb "#009e73"
set arrow from graph 1.0041, graph 0.8346 to graph 1.0537, graph 0.8274 nohead lw 0.7 lc rgb "#0072b2"
set arrow from graph 1.0041, graph 0.9012 to graph 1.0537, graph 0.8848 nohead lw 0.7 lc rgb "#56b4e9"
set arrow from graph 1.0041, graph 0.9306 to graph 1.0537, graph 0.9422 nohead lw 0.7 lc rgb "#d55e00"
set arrow from graph 1.0041, graph 0.9630 to graph 1.0537, graph 0.9996 nohead lw 0.7 lc rgb "#666666"
set label 'ql' at graph 1.0620, graph 0.1296 left tc rgb "#8c8c8c" font ",12" front
set label 'tql' at graph 1.0620, graph 0.3350 left tc rgb "#cc79a7" font ",12" front
set label 'ei-paper' at graph 1.0620, graph 0.6535 left tc rgb "#555555" font ",12" front
set label 'random' at graph 1.0620, graph 0.7109 left tc rgb "#e69f00" font ",12" front
set label 'hyperband' at graph 1.0620, graph 0.7700 left tc rgb "#009e73" font ",12" front
set label 'ei' at graph 1.0620, graph 0.8274 left tc rgb "#0072b2" font ",12" front
set label 'lcb' at graph 1.0620, graph 0.8848 left tc rgb "#56b4e9" font ",12" front
set label '{/:Bold besd}' at graph 1.0620, graph 0.9422 left tc rgb "#d55e00" font ",12" front
set label 'optimum' at graph 1.0620, graph 0.9996 left tc rgb "#666666" font ",12" front
plot \
 "cost.dat" index 16 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#8c8c8c", \
 "cost.dat" index 17 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#cc79a7", \
 "cost.dat" index 18 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#e69f00", \
 "cost.dat" index 19 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#009e73", \
 "cost.dat" index 20 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#56b4e9", \
 "cost.dat" index 21 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#555555", \
 "cost.dat" index 22 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#0072b2", \
 "cost.dat" index 23 using 1:3:4 with filledcurves fs transparent solid 0.28 lc rgb "#d55e00", \
 "cost.dat" index 16 using 1:2 with lines lw 1.8 dt (1,3) lc rgb "#8c8c8c", \
 "cost.dat" index 17 using 1:2 with lines lw 1.8 dt (6,3,1,3) lc rgb "#cc79a7", \
 "cost.dat" index 18 using 1:2 with lines lw 1.8 dt (2,2) lc rgb "#e69f00", \
 "cost.dat" index 19 using 1:2 with lines lw 1.8 dt (12,4) lc rgb "#009e73", \
 "cost.dat" index 20 using 1:2 with lines lw 1.8 dt (8,3,2,3) lc rgb "#56b4e9", \
 "cost.dat" index 21 using 1:2 with lines lw 1.4 dt (3,2,1,2) lc rgb "#555555", \
 "cost.dat" index 22 using 1:2 with lines lw 1.8 dt (5,3) lc rgb "#0072b2", \
 "cost.dat" index 23 using 1:2 with lines lw 3 dt solid lc rgb "#d55e00"

# panel 4
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.05842
set rmargin at screen 0.26632
set tmargin at screen 0.47989
set bmargin at screen 0.12931
set label '{/:Bold=13 KEY2}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:800000]
set xtics ()
set xtics add ("0" 0)
set xtics add ("200" 200000)
set xtics add ("400" 400000)
set xtics add ("600" 600000)
set xtics add ("800" 800000)
set yrange [4.832790759:6.105668966]
set xlabel "thousand interactions" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "regret, steps (log scale)" offset 0.4, 0 tc rgb "#333333" noenhanced
set ytics ()
set ytics add ("150" 5.010635294)
set ytics add ("200" 5.298317367)
set ytics add ("250" 5.521460918)
set ytics add ("300" 5.703782475)
set ytics add ("400" 5.991464547)
set arrow from 105000, graph 0 to 105000, graph 1 nohead lw 0.8 lc rgb "#bbbbbb" back
set label "initial design of besd" at 105000, graph 0.035 left offset character 0.5, 0 font ",10" tc rgb "#666666" front
set arrow from graph 1.0041, graph 0.0801 to graph 1.0537, graph 0.0801 nohead lw 0.7 lc rgb "#d55e00"
set arrow from graph 1.0041, graph 0.2859 to graph 1.0537, graph 0.2412 nohead lw 0.7 lc rgb "#56b4e9"
set arrow from graph 1.0041, graph 0.2867 to graph 1.0537, graph 0.2986 nohead lw 0.7 lc rgb "#009e73"
set arrow from graph 1.0041, graph 0.3619 to graph 1.0537, graph 0.3560 nohead lw 0.7 lc rgb "#0072b2"
set arrow from graph 1.0041, graph 0.3746 to graph 1.0537, graph 0.4134 nohead lw 0.7 lc rgb "#e69f00"
set arrow from graph 1.0041, graph 0.5968 to graph 1.0537, graph 0.5968 nohead lw 0.7 lc rgb "#555555"
set arrow from graph 1.0041, graph 0.8867 to graph 1.0537, graph 0.8690 nohead lw 0.7 lc rgb "#cc79a7"
set arrow from graph 1.0041, graph 0.9086 to graph 1.0537, graph 0.9264 nohead lw 0.7 lc rgb "#8c8c8c"
set label '{/:Bold besd}' at graph 1.0620, graph 0.0801 left tc rgb "#d55e00" font ",12" front
set label 'lcb' at graph 1.0620, graph 0.2412 left tc rgb "#56b4e9" font ",12" front
set label 'hyperband' at graph 1.0620, graph 0.2986 left tc rgb "#009e73" font ",12" front
set label 'ei' at graph 1.0620, graph 0.3560 left tc rgb "#0072b2" font ",12" front
set label 'random' at graph 1.0620, graph 0.4134 left tc rgb "#e69f00" font ",12" front
set label 'ei-paper' at graph 1.0620, graph 0.5968 left tc rgb "#555555" font ",12" front
set label 'tql' at graph 1.0620, graph 0.8690 left tc rgb "#cc79a7" font ",12" front
set label 'ql' at graph 1.0620, graph 0.9264 left tc rgb "#8c8c8c" font ",12" front
plot \
 "cost.dat" index 24 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#8c8c8c", \
 "cost.dat" index 25 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#cc79a7", \
 "cost.dat" index 26 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#e69f00", \
 "cost.dat" index 27 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#009e73", \
 "cost.dat" index 28 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#56b4e9", \
 "cost.dat" index 29 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#555555", \
 "cost.dat" index 30 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#0072b2", \
 "cost.dat" index 31 using 1:3:4 with filledcurves fs transparent solid 0.28 lc rgb "#d55e00", \
 "cost.dat" index 24 using 1:2 with lines lw 1.8 dt (1,3) lc rgb "#8c8c8c", \
 "cost.dat" index 25 using 1:2 with lines lw 1.8 dt (6,3,1,3) lc rgb "#cc79a7", \
 "cost.dat" index 26 using 1:2 with lines lw 1.8 dt (2,2) lc rgb "#e69f00", \
 "cost.dat" index 27 using 1:2 with lines lw 1.8 dt (12,4) lc rgb "#009e73", \
 "cost.dat" index 28 using 1:2 with lines lw 1.8 dt (8,3,2,3) lc rgb "#56b4e9", \
 "cost.dat" index 29 using 1:2 with lines lw 1.4 dt (3,2,1,2) lc rgb "#555555", \
 "cost.dat" index 30 using 1:2 with lines lw 1.8 dt (5,3) lc rgb "#0072b2", \
 "cost.dat" index 31 using 1:2 with lines lw 3 dt solid lc rgb "#d55e00"

# panel 5
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.39175
set rmargin at screen 0.59966
set tmargin at screen 0.47989
set bmargin at screen 0.12931
set label '{/:Bold=13 KEY3}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:800000]
set xtics ()
set xtics add ("0" 0)
set xtics add ("200" 200000)
set xtics add ("400" 400000)
set xtics add ("600" 600000)
set xtics add ("800" 800000)
set yrange [3.089153946:6.250618276]
set xlabel "thousand interactions" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "regret, steps (log scale)" offset 0.4, 0 tc rgb "#333333" noenhanced
set ytics ()
set ytics add ("30" 3.401197382)
set ytics add ("50" 3.912023005)
set ytics add ("70" 4.248495242)
set ytics add ("100" 4.605170186)
set ytics add ("150" 5.010635294)
set ytics add ("200" 5.298317367)
set ytics add ("300" 5.703782475)
set ytics add ("500" 6.214608098)
set arrow from 157500, graph 0 to 157500, graph 1 nohead lw 0.8 lc rgb "#bbbbbb" back
set label "initial design of besd" at 157500, graph 0.035 left offset character 0.5, 0 font ",10" tc rgb "#666666" front
set arrow from graph 1.0041, graph 0.2045 to graph 1.0537, graph 0.2045 nohead lw 0.7 lc rgb "#d55e00"
set arrow from graph 1.0041, graph 0.5914 to graph 1.0537, graph 0.5401 nohead lw 0.7 lc rgb "#009e73"
set arrow from graph 1.0041, graph 0.6210 to graph 1.0537, graph 0.5975 nohead lw 0.7 lc rgb "#e69f00"
set arrow from graph 1.0041, graph 0.6366 to graph 1.0537, graph 0.6549 nohead lw 0.7 lc rgb "#56b4e9"
set arrow from graph 1.0041, graph 0.6593 to graph 1.0537, graph 0.7123 nohead lw 0.7 lc rgb "#0072b2"
set arrow from graph 1.0041, graph 0.7662 to graph 1.0537, graph 0.7696 nohead lw 0.7 lc rgb "#555555"
set arrow from graph 1.0041, graph 0.9085 to graph 1.0537, graph 0.8843 nohead lw 0.7 lc rgb "#cc79a7"
set arrow from graph 1.0041, graph 0.9174 to graph 1.0537, graph 0.9416 nohead lw 0.7 lc rgb "#8c8c8c"
set label '{/:Bold besd}' at graph 1.0620, graph 0.2045 left tc rgb "#d55e00" font ",12" front
set label 'hyperband' at graph 1.0620, graph 0.5401 left tc rgb "#009e73" font ",12" front
set label 'random' at graph 1.0620, graph 0.5975 left tc rgb "#e69f00" font ",12" front
set label 'lcb' at graph 1.0620, graph 0.6549 left tc rgb "#56b4e9" font ",12" front
set label 'ei' at graph 1.0620, graph 0.7123 left tc rgb "#0072b2" font ",12" front
set label 'ei-paper' at graph 1.0620, graph 0.7696 left tc rgb "#555555" font ",12" front
set label 'tql' at graph 1.0620, graph 0.8843 left tc rgb "#cc79a7" font ",12" front
set label 'ql' at graph 1.0620, graph 0.9416 left tc rgb "#8c8c8c" font ",12" front
plot \
 "cost.dat" index 32 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#8c8c8c", \
 "cost.dat" index 33 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#cc79a7", \
 "cost.dat" index 34 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#e69f00", \
 "cost.dat" index 35 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#009e73", \
 "cost.dat" index 36 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#56b4e9", \
 "cost.dat" index 37 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#555555", \
 "cost.dat" index 38 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#0072b2", \
 "cost.dat" index 39 using 1:3:4 with filledcurves fs transparent solid 0.28 lc rgb "#d55e00", \
 "cost.dat" index 32 using 1:2 with lines lw 1.8 dt (1,3) lc rgb "#8c8c8c", \
 "cost.dat" index 33 using 1:2 with lines lw 1.8 dt (6,3,1,3) lc rgb "#cc79a7", \
 "cost.dat" index 34 using 1:2 with lines lw 1.8 dt (2,2) lc rgb "#e69f00", \
 "cost.dat" index 35 using 1:2 with lines lw 1.8 dt (12,4) lc rgb "#009e73", \
 "cost.dat" index 36 using 1:2 with lines lw 1.8 dt (8,3,2,3) lc rgb "#56b4e9", \
 "cost.dat" index 37 using 1:2 with lines lw 1.4 dt (3,2,1,2) lc rgb "#555555", \
 "cost.dat" index 38 using 1:2 with lines lw 1.8 dt (5,3) lc rgb "#0072b2", \
 "cost.dat" index 39 using 1:2 with lines lw 3 dt solid lc rgb "#d55e00"

# panel 6
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.72509
set rmargin at screen 0.93299
set tmargin at screen 0.47989
set bmargin at screen 0.12931
set label '{/:Bold=13 MC}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:25000000]
set xtics ()
set xtics add ("0" 0)
set xtics add ("5" 5000000)
set xtics add ("10" 10000000)
set xtics add ("15" 15000000)
set xtics add ("20" 20000000)
set xtics add ("25" 25000000)
set yrange [5.117936922:6.869337058]
set xlabel "million interactions" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "regret, steps (log scale)" offset 0.4, 0 tc rgb "#333333" noenhanced
set ytics ()
set ytics add ("200" 5.298317367)
set ytics add ("300" 5.703782475)
set ytics add ("500" 6.214608098)
set ytics add ("700" 6.551080335)
set arrow from 2100000, graph 0 to 2100000, graph 1 nohead lw 0.8 lc rgb "#bbbbbb" back
set label "initial design of besd" at 2100000, graph 0.035 left offset character 0.5, 0 font ",10" tc rgb "#666666" front
set arrow from graph 1.0041, graph 0.0708 to graph 1.0537, graph 0.0343 nohead lw 0.7 lc rgb "#d55e00"
set arrow from graph 1.0041, graph 0.1161 to graph 1.0537, graph 0.0917 nohead lw 0.7 lc rgb "#56b4e9"
set arrow from graph 1.0041, graph 0.1626 to graph 1.0537, graph 0.1491 nohead lw 0.7 lc rgb "#0072b2"
set arrow from graph 1.0041, graph 0.1913 to graph 1.0537, graph 0.2065 nohead lw 0.7 lc rgb "#555555"
set arrow from graph 1.0041, graph 0.2412 to graph 1.0537, graph 0.2638 nohead lw 0.7 lc rgb "#009e73"
set arrow from graph 1.0041, graph 0.2846 to graph 1.0537, graph 0.3212 nohead lw 0.7 lc rgb "#e69f00"
set arrow from graph 1.0041, graph 0.9630 to graph 1.0537, graph 0.9343 nohead lw 0.7 lc rgb "#cc79a7"
set arrow from graph 1.0041, graph 0.9630 to graph 1.0537, graph 0.9917 nohead lw 0.7 lc rgb "#8c8c8c"
set label '{/:Bold besd}' at graph 1.0620, graph 0.0343 left tc rgb "#d55e00" font ",12" front
set label 'lcb' at graph 1.0620, graph 0.0917 left tc rgb "#56b4e9" font ",12" front
set label 'ei' at graph 1.0620, graph 0.1491 left tc rgb "#0072b2" font ",12" front
set label 'ei-paper' at graph 1.0620, graph 0.2065 left tc rgb "#555555" font ",12" front
set label 'hyperband' at graph 1.0620, graph 0.2638 left tc rgb "#009e73" font ",12" front
set label 'random' at graph 1.0620, graph 0.3212 left tc rgb "#e69f00" font ",12" front
set label 'tql' at graph 1.0620, graph 0.9343 left tc rgb "#cc79a7" font ",12" front
set label 'ql' at graph 1.0620, graph 0.9917 left tc rgb "#8c8c8c" font ",12" front
plot \
 "cost.dat" index 40 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#8c8c8c", \
 "cost.dat" index 41 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#cc79a7", \
 "cost.dat" index 42 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#e69f00", \
 "cost.dat" index 43 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#009e73", \
 "cost.dat" index 44 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#56b4e9", \
 "cost.dat" index 45 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#555555", \
 "cost.dat" index 46 using 1:3:4 with filledcurves fs transparent solid 0.12 lc rgb "#0072b2", \
 "cost.dat" index 47 using 1:3:4 with filledcurves fs transparent solid 0.28 lc rgb "#d55e00", \
 "cost.dat" index 40 using 1:2 with lines lw 1.8 dt (1,3) lc rgb "#8c8c8c", \
 "cost.dat" index 41 using 1:2 with lines lw 1.8 dt (6,3,1,3) lc rgb "#cc79a7", \
 "cost.dat" index 42 using 1:2 with lines lw 1.8 dt (2,2) lc rgb "#e69f00", \
 "cost.dat" index 43 using 1:2 with lines lw 1.8 dt (12,4) lc rgb "#009e73", \
 "cost.dat" index 44 using 1:2 with lines lw 1.8 dt (8,3,2,3) lc rgb "#56b4e9", \
 "cost.dat" index 45 using 1:2 with lines lw 1.4 dt (3,2,1,2) lc rgb "#555555", \
 "cost.dat" index 46 using 1:2 with lines lw 1.8 dt (5,3) lc rgb "#0072b2", \
 "cost.dat" index 47 using 1:2 with lines lw 3 dt solid lc rgb "#d55e00"

# footer
reset
set encoding utf8
unset key
unset border
unset tics
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 0.05172
set label 'Mean of 50 runs (geometric for regret), band ± 2 standard errors; ql is run once.' at graph 0.5, screen 0.02874 center font ",12" tc rgb "#333333"
plot [0:1] [0:1] NaN
unset multiplot

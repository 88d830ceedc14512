# gnuplot profile.gp; another format: gnuplot -e "format='pdf'" profile.gp
if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg size 790.16,340 dynamic butt dashlength 2 font "Helvetica,12" name "profile"
if (format eq "pdf") set terminal pdfcairo size 6.402in,2.755in butt dl 3.64 font "Helvetica,12" fontscale 0.4375 linewidth 1.1667 pointscale 0.9333
if (format eq "png") set terminal pngcairo size 1580.32,680 butt dl 4 font "Helvetica,12" fontscale 1.5 linewidth 2 pointscale 3.1
set output "profile.".format
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
set lmargin at screen 0.08353
set rmargin at screen 0.64544
set tmargin at screen 0.90588
set bmargin at screen 0.16471
set label '{/:Bold=13 6 domains; interquartile means with 95 % intervals}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:1]
set yrange [0:1.02]
set xlabel "normalised score (0 no subgoals, 1 optimum)" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "share of runs that score higher" offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 1.04, graph 0.970 to graph 1.12, graph 0.970 nohead lw 3 dt solid lc rgb "#d55e00"
set label 'besd  0.89  [0.88, 0.91]' at graph 1.14, graph 0.970 left tc rgb "#333333"
set arrow from graph 1.04, graph 0.820 to graph 1.12, graph 0.820 nohead lw 1.8 dt (5,3) lc rgb "#0072b2"
set label 'ei  0.76  [0.74, 0.78]' at graph 1.14, graph 0.820 left tc rgb "#333333"
set arrow from graph 1.04, graph 0.595 to graph 1.12, graph 0.595 nohead lw 1.4 dt (3,2,1,2) lc rgb "#555555"
set label 'ei-paper  0.55  [0.51, 0.58]' at graph 1.14, graph 0.595 left tc rgb "#333333"
set arrow from graph 1.04, graph 0.745 to graph 1.12, graph 0.745 nohead lw 1.8 dt (12,4) lc rgb "#009e73"
set label 'hyperband  0.73  [0.71, 0.75]' at graph 1.14, graph 0.745 left tc rgb "#333333"
set arrow from graph 1.04, graph 0.895 to graph 1.12, graph 0.895 nohead lw 1.8 dt (8,3,2,3) lc rgb "#56b4e9"
set label 'lcb  0.81  [0.79, 0.83]' at graph 1.14, graph 0.895 left tc rgb "#333333"
set arrow from graph 1.04, graph 0.445 to graph 1.12, graph 0.445 nohead lw 1.8 dt (1,3) lc rgb "#8c8c8c"
set label 'ql  0.00  [0.00, 0.00]' at graph 1.14, graph 0.445 left tc rgb "#333333"
set arrow from graph 1.04, graph 0.670 to graph 1.12, graph 0.670 nohead lw 1.8 dt (2,2) lc rgb "#e69f00"
set label 'random  0.68  [0.65, 0.70]' at graph 1.14, graph 0.670 left tc rgb "#333333"
set arrow from graph 1.04, graph 0.520 to graph 1.12, graph 0.520 nohead lw 1.8 dt (6,3,1,3) lc rgb "#cc79a7"
set label 'tql  0.03  [0.03, 0.03]' at graph 1.14, graph 0.520 left tc rgb "#333333"
plot \
 "profile.dat" index 0 using 1:3:4 with filledcurves lc rgb "#8c8c8c", \
 "profile.dat" index 1 using 1:3:4 with filledcurves lc rgb "#cc79a7", \
 "profile.dat" index 2 using 1:3:4 with filledcurves lc rgb "#e69f00", \
 "profile.dat" index 3 using 1:3:4 with filledcurves lc rgb "#009e73", \
 "profile.dat" index 4 using 1:3:4 with filledcurves lc rgb "#56b4e9", \
 "profile.dat" index 5 using 1:3:4 with filledcurves lc rgb "#555555", \
 "profile.dat" index 6 using 1:3:4 with filledcurves lc rgb "#0072b2", \
 "profile.dat" index 7 using 1:3:4 with filledcurves lc rgb "#d55e00", \
 "profile.dat" index 0 using 1:2 with lines lw 1.8 dt (1,3) lc rgb "#8c8c8c", \
 "profile.dat" index 1 using 1:2 with lines lw 1.8 dt (6,3,1,3) lc rgb "#cc79a7", \
 "profile.dat" index 2 using 1:2 with lines lw 1.8 dt (2,2) lc rgb "#e69f00", \
 "profile.dat" index 3 using 1:2 with lines lw 1.8 dt (12,4) lc rgb "#009e73", \
 "profile.dat" index 4 using 1:2 with lines lw 1.8 dt (8,3,2,3) lc rgb "#56b4e9", \
 "profile.dat" index 5 using 1:2 with lines lw 1.4 dt (3,2,1,2) lc rgb "#555555", \
 "profile.dat" index 6 using 1:2 with lines lw 1.8 dt (5,3) lc rgb "#0072b2", \
 "profile.dat" index 7 using 1:2 with lines lw 3 dt solid lc rgb "#d55e00"
unset multiplot

# gnuplot learning.gp; another format: gnuplot -e "format='pdf'" learning.gp
if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg size 1158,600 dynamic butt dashlength 2 font "Helvetica,12" name "learning"
if (format eq "pdf") set terminal pdfcairo size 9.382in,4.861in butt dl 3.64 font "Helvetica,12" fontscale 0.4375 linewidth 1.1667 pointscale 0.9333
if (format eq "png") set terminal pngcairo size 2316,1200 butt dl 4 font "Helvetica,12" fontscale 1.5 linewidth 2 pointscale 3.1
set output "learning.".format
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
set lmargin at screen 0.05872
set rmargin at screen 0.25389
set tmargin at screen 0.94667
set bmargin at screen 0.59000
set label '{/:Bold=13 GW10}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set label 'optimum' at graph 1.0310, graph 0.0141 left tc rgb "#777777" font ",12" front
set label '{/:Bold besd}' at graph 1.0310, graph 0.0795 left tc rgb "#d55e00" font ",12" front
set label 'no subgoals' at graph 1.0310, graph 0.8846 left tc rgb "#333333" font ",12" front
set xrange [0:1000]
set yrange [0:437.06874]
set xtics 500
set xlabel "interactions with an instance" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "steps to the goal" offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 0, first 20.18250884 to graph 1, first 20.18250884 nohead lw 1 dt (2,4) lc rgb "#777777" back
plot "learning.dat" index 0 using 1:4:5 with filledcurves lc rgb "#d55e00", \
 "learning.dat" index 0 using 1:2 with linespoints lw 1.8 dt (5,3) pt 4 ps 0.5 lc rgb "#333333", \
 "learning.dat" index 0 using 1:3 with linespoints lw 3 pt 7 ps 0.5 lc rgb "#d55e00"

# panel 2
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.39206
set rmargin at screen 0.58722
set tmargin at screen 0.94667
set bmargin at screen 0.59000
set label '{/:Bold=13 GW20}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set label 'optimum' at graph 1.0310, graph 0.0091 left tc rgb "#777777" font ",12" front
set label '{/:Bold besd}' at graph 1.0310, graph 0.0745 left tc rgb "#d55e00" font ",12" front
set label 'no subgoals' at graph 1.0310, graph 0.9314 left tc rgb "#333333" font ",12" front
set xrange [0:10000]
set yrange [0:1003.926]
set xtics 5000
set xlabel "interactions with an instance" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "steps to the goal" offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 0, first 37.3310435 to graph 1, first 37.3310435 nohead lw 1 dt (2,4) lc rgb "#777777" back
plot "learning.dat" index 1 using 1:4:5 with filledcurves lc rgb "#d55e00", \
 "learning.dat" index 1 using 1:2 with linespoints lw 1.8 dt (5,3) pt 4 ps 0.5 lc rgb "#333333", \
 "learning.dat" index 1 using 1:3 with linespoints lw 3 pt 7 ps 0.5 lc rgb "#d55e00"

# panel 3
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.72539
set rmargin at screen 0.92055
set tmargin at screen 0.94667
set bmargin at screen 0.59000
set label '{/:Bold=13 TR}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set label 'no subgoals' at graph 1.0310, graph 0.1046 left tc rgb "#333333" font ",12" front
set label '{/:Bold besd}' at graph 1.0310, graph 0.8939 left tc rgb "#d55e00" font ",12" front
set label 'optimum' at graph 1.0310, graph 0.9594 left tc rgb "#777777" font ",12" front
set xrange [0:2000]
set yrange [0:16.69673143]
set xtics 1000
set xlabel "interactions with an instance" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "discounted return" offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 0, first 15.75163342 to graph 1, first 15.75163342 nohead lw 1 dt (2,4) lc rgb "#777777" back
plot "learning.dat" index 2 using 1:4:5 with filledcurves lc rgb "#d55e00", \
 "learning.dat" index 2 using 1:2 with linespoints lw 1.8 dt (5,3) pt 4 ps 0.5 lc rgb "#333333", \
 "learning.dat" index 2 using 1:3 with linespoints lw 3 pt 7 ps 0.5 lc rgb "#d55e00"

# panel 4
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.05872
set rmargin at screen 0.25389
set tmargin at screen 0.44667
set bmargin at screen 0.09000
set label '{/:Bold=13 KEY2}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set label 'optimum' at graph 1.0310, graph 0.0505 left tc rgb "#777777" font ",12" front
set label '{/:Bold besd}' at graph 1.0310, graph 0.3846 left tc rgb "#d55e00" font ",12" front
set label 'no subgoals' at graph 1.0310, graph 0.8566 left tc rgb "#333333" font ",12" front
set xrange [0:5000]
set yrange [0:435.22752]
set xtics 2500
set xlabel "interactions with an instance" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "steps to the goal" offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 0, first 21.968 to graph 1, first 21.968 nohead lw 1 dt (2,4) lc rgb "#777777" back
plot "learning.dat" index 3 using 1:4:5 with filledcurves lc rgb "#d55e00", \
 "learning.dat" index 3 using 1:2 with linespoints lw 1.8 dt (5,3) pt 4 ps 0.5 lc rgb "#333333", \
 "learning.dat" index 3 using 1:3 with linespoints lw 3 pt 7 ps 0.5 lc rgb "#d55e00"

# panel 5
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.39206
set rmargin at screen 0.58722
set tmargin at screen 0.44667
set bmargin at screen 0.09000
set label '{/:Bold=13 KEY3}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set label 'optimum' at graph 1.0310, graph 0.0505 left tc rgb "#777777" font ",12" front
set label '{/:Bold besd}' at graph 1.0310, graph 0.2829 left tc rgb "#d55e00" font ",12" front
set label 'no subgoals' at graph 1.0310, graph 0.8566 left tc rgb "#333333" font ",12" front
set xrange [0:5000]
set yrange [0:435.22752]
set xtics 2500
set xlabel "interactions with an instance" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "steps to the goal" offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 0, first 21.968 to graph 1, first 21.968 nohead lw 1 dt (2,4) lc rgb "#777777" back
plot "learning.dat" index 4 using 1:4:5 with filledcurves lc rgb "#d55e00", \
 "learning.dat" index 4 using 1:2 with linespoints lw 1.8 dt (5,3) pt 4 ps 0.5 lc rgb "#333333", \
 "learning.dat" index 4 using 1:3 with linespoints lw 3 pt 7 ps 0.5 lc rgb "#d55e00"

# panel 6
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.72539
set rmargin at screen 0.92055
set tmargin at screen 0.44667
set bmargin at screen 0.09000
set label '{/:Bold=13 MC}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set label 'optimum' at graph 1.0310, graph 0.0926 left tc rgb "#777777" font ",12" front
set label '{/:Bold besd}' at graph 1.0310, graph 0.2717 left tc rgb "#d55e00" font ",12" front
set label 'no subgoals' at graph 1.0310, graph 0.9434 left tc rgb "#333333" font ",12" front
set xrange [0:10000]
set yrange [0:1060]
set xtics 5000
set xlabel "interactions with an instance" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "steps to the goal" offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 0, first 98.139 to graph 1, first 98.139 nohead lw 1 dt (2,4) lc rgb "#777777" back
plot "learning.dat" index 5 using 1:4:5 with filledcurves lc rgb "#d55e00", \
 "learning.dat" index 5 using 1:2 with linespoints lw 1.8 dt (5,3) pt 4 ps 0.5 lc rgb "#333333", \
 "learning.dat" index 5 using 1:3 with linespoints lw 3 pt 7 ps 0.5 lc rgb "#d55e00"
unset multiplot

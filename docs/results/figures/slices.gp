# gnuplot slices.gp; another format: gnuplot -e "format='pdf'" slices.gp
if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg size 760,576 dynamic butt dashlength 2 font "Helvetica,12" name "slices"
if (format eq "pdf") set terminal pdfcairo size 6.157in,4.667in butt dl 3.64 font "Helvetica,12" fontscale 0.4375 linewidth 1.1667 pointscale 0.9333
if (format eq "png") set terminal pngcairo size 1520,1152 butt dl 4 font "Helvetica,12" fontscale 1.5 linewidth 2 pointscale 3.1
set output "slices.".format
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
set lmargin at screen 0.08684
set rmargin at screen 0.47895
set tmargin at screen 0.94444
set bmargin at screen 0.60069
set label '{/:Bold=13 x1 = 6.637}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:10]
set y2range [0:1]
set yrange [*:*]
set logscale y
set format y "%g"
set yrange [9.99999:2615.743217]
set ytics ()
set ytics add ("%g" 10)
set ytics add ("%g" 30)
set ytics add ("%g" 100)
set ytics add ("%g" 300)
set ytics add ("%g" 1000)
set xlabel "" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "score (less is better)" offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from 6.63709795, graph 0 to 6.63709795, graph 1 nohead lw 1 dt (4,3) lc rgb "#333333" back
plot "slices.dat" index 0 using 1:3:4 with filledcurves lc rgb "#0072b2", \
 for [k = 5:6] "slices.dat" index 0 using 1:(column(k)) with lines lw 1.2 dt (6,3) lc rgb "#e69f00", \
 "slices.dat" index 0 using 1:2 with lines lw 2.6 lc rgb "#0072b2", \
 "slices.dat" index 1 using 1:(0.02) axes x1y2 with points pt 2 ps 0.35 lw 0.8 lc rgb "#666666"

# panel 2
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.58684
set rmargin at screen 0.97895
set tmargin at screen 0.94444
set bmargin at screen 0.60069
set label '{/:Bold=13 y1 = 7.985}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:10]
set y2range [0:1]
set yrange [*:*]
set logscale y
set format y "%g"
set yrange [9.99999:780.3931182]
set ytics ()
set ytics add ("%g" 10)
set ytics add ("%g" 20)
set ytics add ("%g" 50)
set ytics add ("%g" 100)
set ytics add ("%g" 200)
set ytics add ("%g" 500)
set xlabel "" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "score (less is better)" offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from 7.984639959, graph 0 to 7.984639959, graph 1 nohead lw 1 dt (4,3) lc rgb "#333333" back
plot "slices.dat" index 2 using 1:3:4 with filledcurves lc rgb "#0072b2", \
 for [k = 5:6] "slices.dat" index 2 using 1:(column(k)) with lines lw 1.2 dt (6,3) lc rgb "#e69f00", \
 "slices.dat" index 2 using 1:2 with lines lw 2.6 lc rgb "#0072b2", \
 "slices.dat" index 3 using 1:(0.02) axes x1y2 with points pt 2 ps 0.35 lw 0.8 lc rgb "#666666"

# panel 3
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.08684
set rmargin at screen 0.47895
set tmargin at screen 0.47569
set bmargin at screen 0.13194
set label '{/:Bold=13 x2 = 0.3417}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:10]
set y2range [0:1]
set yrange [*:*]
set logscale y
set format y "%g"
set yrange [4.999995:886.3988265]
set ytics ()
set ytics add ("%g" 5)
set ytics add ("%g" 10)
set ytics add ("%g" 20)
set ytics add ("%g" 50)
set ytics add ("%g" 100)
set ytics add ("%g" 200)
set ytics add ("%g" 500)
set xlabel "" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "score (less is better)" offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from 0.3416595166, graph 0 to 0.3416595166, graph 1 nohead lw 1 dt (4,3) lc rgb "#333333" back
plot "slices.dat" index 4 using 1:3:4 with filledcurves lc rgb "#0072b2", \
 for [k = 5:6] "slices.dat" index 4 using 1:(column(k)) with lines lw 1.2 dt (6,3) lc rgb "#e69f00", \
 "slices.dat" index 4 using 1:2 with lines lw 2.6 lc rgb "#0072b2", \
 "slices.dat" index 5 using 1:(0.02) axes x1y2 with points pt 2 ps 0.35 lw 0.8 lc rgb "#666666"

# panel 4
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.58684
set rmargin at screen 0.97895
set tmargin at screen 0.47569
set bmargin at screen 0.13194
set label '{/:Bold=13 y2 = 10}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:10]
set y2range [0:1]
set yrange [*:*]
set logscale y
set format y "%g"
set yrange [9.99999:1453.984279]
set ytics ()
set ytics add ("%g" 10)
set ytics add ("%g" 30)
set ytics add ("%g" 100)
set ytics add ("%g" 300)
set ytics add ("%g" 1000)
set xlabel "" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "score (less is better)" offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from 10, graph 0 to 10, graph 1 nohead lw 1 dt (4,3) lc rgb "#333333" back
plot "slices.dat" index 6 using 1:3:4 with filledcurves lc rgb "#0072b2", \
 for [k = 5:6] "slices.dat" index 6 using 1:(column(k)) with lines lw 1.2 dt (6,3) lc rgb "#e69f00", \
 "slices.dat" index 6 using 1:2 with lines lw 2.6 lc rgb "#0072b2", \
 "slices.dat" index 7 using 1:(0.02) axes x1y2 with points pt 2 ps 0.35 lw 0.8 lc rgb "#666666"

# footer
reset
set encoding utf8
unset key
unset border
unset tics
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 0.06250
set label 'Blue: mean ± 2 sd at tau 1000; orange: mean at tau 200, 600. Dashed: the recommendation. Crosses: where trials were made.' at graph 0.5, screen 0.03472 center font ",12" tc rgb "#333333"
plot [0:1] [0:1] NaN
unset multiplot

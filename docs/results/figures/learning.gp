# gnuplot THIS_FILE > FIGURE.svg, or gnuplot -e "format='pdf'" THIS_FILE > FIGURE.pdf
if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg size 1158,600 dynamic butt dashlength 2 font "Helvetica,12" name "learning"
if (format eq "pdf") set terminal pdfcairo size 9.382in,4.861in butt dl 3.64 font "Helvetica,12" fontscale 0.4375 linewidth 1.1667 pointscale 0.9333
if (format eq "png") set terminal pngcairo size 2316,1200 butt dl 4 font "Helvetica,12" fontscale 1.5 linewidth 2 pointscale 3.1
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
$block0 << EOD
100 400.093 110.49832 108.253813 112.742827
200 412.329 33.5654 32.86768661 34.26311339
300 404.906 26.71326 26.01836007 27.40815993
400 400.623 24.4638 23.68631818 25.24128182
500 398.467 24.59966 23.94204069 25.25727931
600 403.886 21.6621 21.4833214 21.8408786
700 400.444 20.70208 20.57621975 20.82794025
800 396.892 20.76196 20.60347087 20.92044913
900 400.198 20.63182 20.49311159 20.77052841
1000 386.618 20.65668 20.50500048 20.80835952
EOD
set label 'optimum' at graph 1.0310, graph 0.0140 left tc rgb "#777777" font ",12" front
set label '{/:Bold besd}' at graph 1.0310, graph 0.0794 left tc rgb "#d55e00" font ",12" front
set label 'no subgoals' at graph 1.0310, graph 0.8846 left tc rgb "#333333" font ",12" front
set xrange [0:1000]
set yrange [0:437.06874]
set xtics 500
set xlabel 'interactions with an instance' offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel 'steps to the goal' offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 0, first 20.18250884 to graph 1, first 20.18250884 nohead lw 1 dt (2,4) lc rgb "#777777" back
plot $block0 using 1:4:5 with filledcurves lc rgb "#d55e00", \
 $block0 using 1:2 with linespoints lw 1.8 dt (5,3) pt 4 ps 0.5 lc rgb "#333333", \
 $block0 using 1:3 with linespoints lw 3 pt 7 ps 0.5 lc rgb "#d55e00"

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
$block1 << EOD
1000 947.1 257.98984 210.7609721 305.2187079
2000 940.174 168.44698 128.5532437 208.3407163
3000 938.042 123.02914 87.60766976 158.4506102
4000 941.139 96.42886 63.94877005 128.9089499
5000 945.431 81.3847 50.54772937 112.2216706
6000 936.172 74.22674 44.25219788 104.2012821
7000 944.714 69.38954 39.8867954 98.8922846
8000 933.882 67.04856 37.81011889 96.28700111
9000 933.773 65.42242 36.30168498 94.54315502
10000 935.043 64.421 35.49124557 93.35075443
EOD
set label 'optimum' at graph 1.0310, graph 0.0180 left tc rgb "#777777" font ",12" front
set label '{/:Bold besd}' at graph 1.0310, graph 0.0834 left tc rgb "#d55e00" font ",12" front
set label 'no subgoals' at graph 1.0310, graph 0.9314 left tc rgb "#333333" font ",12" front
set xrange [0:10000]
set yrange [0:1003.926]
set xtics 5000
set xlabel 'interactions with an instance' offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel 'steps to the goal' offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 0, first 37.3310435 to graph 1, first 37.3310435 nohead lw 1 dt (2,4) lc rgb "#777777" back
plot $block1 using 1:4:5 with filledcurves lc rgb "#d55e00", \
 $block1 using 1:2 with linespoints lw 1.8 dt (5,3) pt 4 ps 0.5 lc rgb "#333333", \
 $block1 using 1:3 with linespoints lw 3 pt 7 ps 0.5 lc rgb "#d55e00"

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
$block2 << EOD
200 0.790535843 13.20012058 12.94124226 13.4589989
400 0.8369870061 14.43510576 14.33982427 14.53038725
600 0.97997158 14.82751828 14.76730536 14.88773119
800 0.9832690924 15.01354912 14.96438468 15.06271357
1000 1.146351392 15.10773134 15.06010945 15.15535323
1200 1.226587097 15.145384 15.09823505 15.19253296
1400 1.299653896 15.17561721 15.13160213 15.21963229
1600 1.445663902 15.191666 15.14735427 15.23597774
1800 1.638972885 15.20047707 15.15690687 15.24404726
2000 1.746761278 15.20747676 15.16469802 15.25025551
EOD
set label 'no subgoals' at graph 1.0310, graph 0.1046 left tc rgb "#333333" font ",12" front
set label '{/:Bold besd}' at graph 1.0310, graph 0.8944 left tc rgb "#d55e00" font ",12" front
set label 'optimum' at graph 1.0310, graph 0.9598 left tc rgb "#777777" font ",12" front
set xrange [0:2000]
set yrange [0:16.69673143]
set xtics 1000
set xlabel 'interactions with an instance' offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel 'discounted return' offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 0, first 15.75163342 to graph 1, first 15.75163342 nohead lw 1 dt (2,4) lc rgb "#777777" back
plot $block2 using 1:4:5 with filledcurves lc rgb "#d55e00", \
 $block2 using 1:2 with linespoints lw 1.8 dt (5,3) pt 4 ps 0.5 lc rgb "#333333", \
 $block2 using 1:3 with linespoints lw 3 pt 7 ps 0.5 lc rgb "#d55e00"

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
$block3 << EOD
500 410.592 168.46042 166.1405935 170.7802465
1000 408.785 164.35824 162.1521297 166.5643503
1500 406.661 163.92516 161.6888007 166.1615193
2000 398.314 164.0165 161.8164239 166.2165761
2500 398.332 164.01112 161.8146926 166.2075474
3000 388.513 164.00988 161.8131714 166.2065886
3500 387.025 164.00976 161.813079 166.206441
4000 383.906 164.00964 161.8129867 166.2062933
4500 368.764 164.00952 161.8128726 166.2061674
5000 372.798 164.00952 161.8128726 166.2061674
EOD
set label 'optimum' at graph 1.0310, graph 0.0505 left tc rgb "#777777" font ",12" front
set label '{/:Bold besd}' at graph 1.0310, graph 0.3768 left tc rgb "#d55e00" font ",12" front
set label 'no subgoals' at graph 1.0310, graph 0.8566 left tc rgb "#333333" font ",12" front
set xrange [0:5000]
set yrange [0:435.22752]
set xtics 2500
set xlabel 'interactions with an instance' offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel 'steps to the goal' offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 0, first 21.968 to graph 1, first 21.968 nohead lw 1 dt (2,4) lc rgb "#777777" back
plot $block3 using 1:4:5 with filledcurves lc rgb "#d55e00", \
 $block3 using 1:2 with linespoints lw 1.8 dt (5,3) pt 4 ps 0.5 lc rgb "#333333", \
 $block3 using 1:3 with linespoints lw 3 pt 7 ps 0.5 lc rgb "#d55e00"

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
$block4 << EOD
500 410.592 149.79392 135.8197993 163.7680407
1000 408.785 145.97258 131.7885991 160.1565609
1500 406.661 146.14546 131.9486404 160.3422796
2000 398.314 146.35684 132.1434206 160.5702594
2500 398.332 146.41066 132.1917947 160.6295253
3000 388.513 146.41018 132.1913116 160.6290484
3500 387.025 146.40998 132.1911346 160.6288254
4000 383.906 146.4099 132.1910683 160.6287317
4500 368.764 146.40982 132.1909944 160.6286456
5000 372.798 146.40978 132.1909601 160.6285999
EOD
set label 'optimum' at graph 1.0310, graph 0.0505 left tc rgb "#777777" font ",12" front
set label '{/:Bold besd}' at graph 1.0310, graph 0.3364 left tc rgb "#d55e00" font ",12" front
set label 'no subgoals' at graph 1.0310, graph 0.8566 left tc rgb "#333333" font ",12" front
set xrange [0:5000]
set yrange [0:435.22752]
set xtics 2500
set xlabel 'interactions with an instance' offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel 'steps to the goal' offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 0, first 21.968 to graph 1, first 21.968 nohead lw 1 dt (2,4) lc rgb "#777777" back
plot $block4 using 1:4:5 with filledcurves lc rgb "#d55e00", \
 $block4 using 1:2 with linespoints lw 1.8 dt (5,3) pt 4 ps 0.5 lc rgb "#333333", \
 $block4 using 1:3 with linespoints lw 3 pt 7 ps 0.5 lc rgb "#d55e00"

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
$block5 << EOD
1000 999.974 807.44034 800.2108592 814.6698208
2000 999.887 734.2672 727.8724189 740.6619811
3000 999.956 702.31448 695.99407 708.63489
4000 999.872 657.19792 652.0099449 662.3858951
5000 1000 600.79088 595.7793303 605.8024297
6000 1000 510.9219 505.3942695 516.4495305
7000 999.934 428.39616 421.2472234 435.5450966
8000 999.737 361.223 354.3002111 368.1457889
9000 1000 312.5847 304.7502931 320.4191069
10000 999.988 288.35526 280.9830029 295.7275171
EOD
set label 'optimum' at graph 1.0310, graph 0.0926 left tc rgb "#777777" font ",12" front
set label '{/:Bold besd}' at graph 1.0310, graph 0.2720 left tc rgb "#d55e00" font ",12" front
set label 'no subgoals' at graph 1.0310, graph 0.9434 left tc rgb "#333333" font ",12" front
set xrange [0:10000]
set yrange [0:1060]
set xtics 5000
set xlabel 'interactions with an instance' offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel 'steps to the goal' offset 0.4, 0 tc rgb "#333333" noenhanced
set arrow from graph 0, first 98.139 to graph 1, first 98.139 nohead lw 1 dt (2,4) lc rgb "#777777" back
plot $block5 using 1:4:5 with filledcurves lc rgb "#d55e00", \
 $block5 using 1:2 with linespoints lw 1.8 dt (5,3) pt 4 ps 0.5 lc rgb "#333333", \
 $block5 using 1:3 with linespoints lw 3 pt 7 ps 0.5 lc rgb "#d55e00"
unset multiplot

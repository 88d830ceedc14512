# gnuplot THIS_FILE > FIGURE.svg, or gnuplot -e "format='pdf'" THIS_FILE > FIGURE.pdf
if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg size 1080,424 dynamic butt dashlength 2 font "Helvetica,12" name "values"
if (format eq "pdf") set terminal pdfcairo size 8.750in,3.435in butt dl 3.64 font "Helvetica,12" fontscale 0.4375 linewidth 1.1667 pointscale 0.9333
if (format eq "png") set terminal pngcairo size 2160,848 butt dl 4 font "Helvetica,12" fontscale 1.5 linewidth 2 pointscale 3.1
set encoding utf8
set multiplot
$block0 << EOD
0.5 0.5 0.0163279
1.5 0.5 0.00604372
2.5 0.5 0.0171954
3.5 0.5 0.0058181
4.5 0.5 0.0146669
5.5 0.5 0.0210653
6.5 0.5 0.00218031
0.5 1.5 0.0211344
1.5 1.5 0.0238848
2.5 1.5 0.0294315
3.5 1.5 0.0356579
4.5 1.5 0.0484685
5.5 1.5 0.0695009
6.5 1.5 0.0968645
7.5 1.5 0.00638605
8.5 1.5 0.0025126
6.5 2.5 0.0953758
7.5 2.5 0.0108744
8.5 2.5 0.0026736
4.5 3.5 0.00337723
5.5 3.5 0.0116701
6.5 3.5 0.0788121
7.5 3.5 0.0137087
8.5 3.5 0.00166398
9.5 3.5 0.00218795
3.5 4.5 0.00276491
4.5 4.5 0.00307468
5.5 4.5 0
6.5 4.5 0.0524288
7.5 4.5 0.00825858
2.5 5.5 0.000944032
3.5 5.5 0
4.5 5.5 0.00400982
5.5 5.5 0.00465223
6.5 5.5 0.0304369
7.5 5.5 0.00633167
8.5 5.5 0.00274676
2.5 6.5 5.97198e-06
3.5 6.5 8.38164e-06
4.5 6.5 0.0104079
5.5 6.5 0.00118563
6.5 6.5 0.0264809
7.5 6.5 0.00293625
8.5 6.5 0.00286897
9.5 6.5 0.00377239
2.5 7.5 0.0135615
3.5 7.5 0.00382498
4.5 7.5 0.00148431
5.5 7.5 0.0107525
2.5 8.5 0.00219205
3.5 8.5 0
3.5 9.5 0.0022671
EOD
$block1 << EOD
0.5 0.2 0 0.6
1.2 0.5 0.6 0
2.5 0.2 0 0.6
3.5 0.2 0 0.6
4.5 0.2 0 0.6
5.5 0.2 0 0.6
6.5 0.2 0 0.6
0.2 1.5 0.6 0
1.2 1.5 0.6 0
2.2 1.5 0.6 0
3.2 1.5 0.6 0
4.2 1.5 0.6 0
5.2 1.5 0.6 0
6.5 1.2 0 0.6
7.5 1.2 0 0.6
8.5 1.2 0 0.6
6.5 2.2 0 0.6
7.5 2.2 0 0.6
8.8 2.5 -0.6 0
4.5 3.2 0 0.6
5.2 3.5 0.6 0
6.5 3.2 0 0.6
7.5 3.2 0 0.6
8.8 3.5 -0.6 0
9.8 3.5 -0.6 0
3.2 4.5 0.6 0
4.5 4.2 0 0.6
5.5 4.2 0 0.6
6.5 4.2 0 0.6
7.8 4.5 -0.6 0
2.5 5.2 0 0.6
3.5 5.2 0 0.6
4.5 5.2 0 0.6
5.5 5.2 0 0.6
6.5 5.2 0 0.6
7.8 5.5 -0.6 0
8.8 5.5 -0.6 0
2.5 6.2 0 0.6
3.5 6.2 0 0.6
4.2 6.5 0.6 0
5.5 6.2 0 0.6
6.5 6.2 0 0.6
7.8 6.5 -0.6 0
8.8 6.5 -0.6 0
9.8 6.5 -0.6 0
2.2 7.5 0.6 0
3.2 7.5 0.6 0
4.5 7.8 0 -0.6
5.2 7.5 0.6 0
2.5 8.8 0 -0.6
3.2 8.5 0.6 0
3.5 9.8 0 -0.6
EOD

# panel 1
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.01481
set rmargin at screen 0.31852
set tmargin at screen 0.92453
set bmargin at screen 0.15094
set label '{/:Bold=13 Stage 0: towards subgoal 1}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [-0.35:10.35]
set yrange [-0.35:10.35]
unset tics
unset grid
unset border
set style textbox opaque fc rgb "#ffffff" noborder margins 0.4, 0.4
set object rectangle from 0,0 to 10,10 fs empty border rgb "#4d4d4d" lw 1 front
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set label 'S' at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,2 to 6,3 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 0,8 to 1,9 fs solid 1 noborder fc rgb "#ea9a66" behind
set label 'G' at 0,9 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,9 to 2,10 fs solid 1 noborder fc rgb "#ea9a66" behind
set label 'G' at 0,10 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
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
unset colorbox
set cbrange [0:0.0968645]
set palette defined (0 "#f3f7fa", 0.5 "#9fcbe6", 1 "#2b83b8")
set label '' at graph 0, graph 0 left offset 0, -0.9 font ",11" tc rgb "#666666"
set label "values from 0 (light) to 0.097 (dark)" at graph 0, graph 0 left offset 0, -0.9 font ",11" tc rgb "#666666"
set label "" at 6.38964,7.00605 point pt 6 ps 2 lw 6 lc rgb "#ffffff" front
set label "" at 6.38964,7.00605 point pt 6 ps 1.9 lw 3 lc rgb "#d55e00" front
set boxwidth 1
plot $block0 using 1:2:(0.5):(0.5):3 with boxxyerror fs transparent solid 0.85 noborder fc palette, \
 $block1 using 1:2:3:4 with vectors filled head size 0.18,25,60 lw 1 lc rgb "#222222"
$block2 << EOD
4.5 6.5 0.00161581
5.5 6.5 0
6.5 6.5 0.00832313
7.5 6.5 0.00137887
4.5 7.5 0
5.5 7.5 0.0271846
6.5 7.5 0.052935
7.5 7.5 0.00276915
1.5 8.5 0.486011
2.5 8.5 0.194787
3.5 8.5 0.0606388
4.5 8.5 0.201692
5.5 8.5 0.131421
6.5 8.5 0.0866072
7.5 8.5 0.00198191
2.5 9.5 0.724827
3.5 9.5 0.552429
4.5 9.5 0.383642
5.5 9.5 0.085105
6.5 9.5 0.0103126
7.5 9.5 0.00197233
EOD
$block3 << EOD
4.5 6.2 0 0.6
5.5 6.2 0 0.6
6.5 6.2 0 0.6
7.8 6.5 -0.6 0
4.5 7.2 0 0.6
5.5 7.2 0 0.6
6.5 7.2 0 0.6
7.8 7.5 -0.6 0
1.8 8.5 -0.6 0
2.8 8.5 -0.6 0
3.8 8.5 -0.6 0
4.5 8.2 0 0.6
5.8 8.5 -0.6 0
6.8 8.5 -0.6 0
7.8 8.5 -0.6 0
2.8 9.5 -0.6 0
3.8 9.5 -0.6 0
4.8 9.5 -0.6 0
5.8 9.5 -0.6 0
6.8 9.5 -0.6 0
7.8 9.5 -0.6 0
EOD

# panel 2
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.34815
set rmargin at screen 0.65185
set tmargin at screen 0.92453
set bmargin at screen 0.15094
set label '{/:Bold=13 Stage 1: towards subgoal 2}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [-0.35:10.35]
set yrange [-0.35:10.35]
unset tics
unset grid
unset border
set style textbox opaque fc rgb "#ffffff" noborder margins 0.4, 0.4
set object rectangle from 0,0 to 10,10 fs empty border rgb "#4d4d4d" lw 1 front
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set label 'S' at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,2 to 6,3 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 0,8 to 1,9 fs solid 1 noborder fc rgb "#ea9a66" behind
set label 'G' at 0.842632,9.26983 right offset graph -0.0396, graph -0.0396 boxed font ",10" tc rgb "#000000" front
set object rectangle from 0,9 to 2,10 fs solid 1 noborder fc rgb "#ea9a66" behind
set label 'G' at 0.842632,9.26983 right offset graph -0.0396, graph -0.0396 boxed font ",10" tc rgb "#000000" front
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
unset colorbox
set cbrange [0:0.724827]
set palette defined (0 "#f3f7fa", 0.5 "#9fcbe6", 1 "#2b83b8")
set label '' at graph 0, graph 0 left offset 0, -0.9 font ",11" tc rgb "#666666"
set label "values from 0 (light) to 0.72 (dark)" at graph 0, graph 0 left offset 0, -0.9 font ",11" tc rgb "#666666"
set label "" at 0.842632,9.26983 point pt 8 ps 2 lw 6 lc rgb "#ffffff" front
set label "" at 0.842632,9.26983 point pt 8 ps 1.9 lw 3 lc rgb "#d55e00" front
set boxwidth 1
plot $block2 using 1:2:(0.5):(0.5):3 with boxxyerror fs transparent solid 0.85 noborder fc palette, \
 $block3 using 1:2:3:4 with vectors filled head size 0.18,25,60 lw 1 lc rgb "#222222"
$block4 << EOD
-9 -9 0
EOD
$block5 << EOD
-9 -9 0 0
EOD

# panel 3
reset
set encoding utf8
unset key
set border 3 lw 0.8 lc rgb "#999999"
set tics nomirror out scale 0.5 textcolor rgb "#333333"
set grid ytics lt 1 lw 0.6 lc rgb "#e8e8e8"
set style fill transparent solid 0.18 noborder
set lmargin at screen 0.68148
set rmargin at screen 0.98519
set tmargin at screen 0.92453
set bmargin at screen 0.15094
set label '{/:Bold=13 Stage 2: towards the goal}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [-0.35:10.35]
set yrange [-0.35:10.35]
unset tics
unset grid
unset border
set style textbox opaque fc rgb "#ffffff" noborder margins 0.4, 0.4
set object rectangle from 0,0 to 10,10 fs empty border rgb "#4d4d4d" lw 1 front
set object rectangle from 0,0 to 1,1 fs solid 1 noborder fc rgb "#7fb8d8" behind
set label 'S' at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,2 to 6,3 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 0,8 to 1,9 fs solid 1 noborder fc rgb "#ea9a66" behind
set label 'G' at 0,9 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,9 to 2,10 fs solid 1 noborder fc rgb "#ea9a66" behind
set label 'G' at 0,10 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
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
unset colorbox
set cbrange [0:1]
set palette defined (0 "#f3f7fa", 0.5 "#9fcbe6", 1 "#2b83b8")
set label 'never reached in training' at graph 0, graph 0 left offset 0, -0.9 font ",11" tc rgb "#666666"
set boxwidth 1
plot $block4 using 1:2:(0.5):(0.5):3 with boxxyerror fs transparent solid 0.85 noborder fc palette, \
 $block5 using 1:2:3:4 with vectors filled head size 0.18,25,60 lw 1 lc rgb "#222222"

# footer
reset
set encoding utf8
unset key
unset border
unset tics
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0
set tmargin at screen 0.08491
set label 'GW10. Blue: largest action value; arrow: greedy move. White, no arrow: never visited, or nothing learnt there yet.' at graph 0.5, screen 0.04717 center font ",12" tc rgb "#333333"
plot [0:1] [0:1] NaN
unset multiplot

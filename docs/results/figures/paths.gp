# gnuplot THIS_FILE > FIGURE.svg, or gnuplot -e "format='pdf'" THIS_FILE > FIGURE.pdf
if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg size 1128,840 dynamic butt dashlength 2 font "Helvetica,12" name "paths"
if (format eq "pdf") set terminal pdfcairo size 9.139in,6.806in butt dl 3.64 font "Helvetica,12" fontscale 0.4375 linewidth 1.1667 pointscale 0.9333
if (format eq "png") set terminal pngcairo size 2256,1680 butt dl 4 font "Helvetica,12" fontscale 1.5 linewidth 2 pointscale 3.1
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
set label 'S' at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,2 to 6,3 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,3 to 6,4 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,4 to 6,5 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,5 to 6,6 fs solid 1 noborder fc rgb "#d4d4d4" behind
set object rectangle from 0,6 to 6,7 fs solid 1 noborder fc rgb "#d4d4d4" behind
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
$block0 << EOD
10 7.56597
8.64604 8.70402
8.04877 8.62873
8.13979 9.24112
7.94204 9.24763
7.99017 9.81779
7.71129 10
7.45132 10
7.26497 10
7.13543 10
NaN NaN

0.589704 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
NaN NaN

EOD
$block1 << EOD
7.13543 10
6.87995 10
6.78435 10
6.66836 10
6.6231 10
6.58146 10
6.55915 10
6.53409 10
6.50473 10
6.50491 10
NaN NaN

0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
NaN NaN

EOD
$block2 << EOD
6.50491 10
6.46776 10
8.05729 7.28773
7.95517 7.53674
7.94014 7.59886
7.92224 7.61163
6.50479 10
6.50038 10
6.49154 10
6.4415 10
6.4305 10
NaN NaN

0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 9.94179
0 9.82257
NaN NaN

EOD
$block3 << EOD
6.4305 10
6.30941 10
6.27818 9.83084
6.27859 9.5818
6.2798 9.49534
6.28337 9.52231
6.2895 9.47573
6.30387 9.5513
6.31282 9.49291
6.32429 9.39372
NaN NaN

0 9.82257
0.504541 9.66373
0.853544 9.78812
0.802488 9.81055
0.825384 9.78305
0.8392 9.7567
0.881903 9.68866
0.774354 9.61959
0.699287 9.69981
0.690883 9.72058
NaN NaN

EOD
$block4 << EOD
6.32429 9.39372 6
0.690883 9.72058 8
EOD
$block5 << EOD
7.8623 7.81188
7.47175 9.37668
7.6374 9.1431
7.49596 9.39723
7.20955 9.0722
7.32207 8.64577
7.20567 8.72008
6.92754 8.28953
7.06395 8.49413
7.16509 8.77469
NaN NaN

0.047185 9.30717
0 9.83772
0 9.19581
0 9.39453
0 9.40722
0 9.46156
0 9.24531
0 9.1607
0 9.27285
0 9.54735
NaN NaN

EOD
$block6 << EOD
7.16509 8.77469
7.05572 9.06191
7.09012 8.80753
6.98877 8.75526
6.91084 8.95768
6.88217 9.03198
6.9944 8.91231
6.96484 8.96527
6.96934 8.96406
6.97116 8.92346
NaN NaN

0 9.54735
0 9.58718
0 9.55144
0 9.46876
0 9.41294
0 9.41927
0 9.5158
0 9.58551
0 9.5779
0 9.61922
NaN NaN

EOD
$block7 << EOD
6.97116 8.92346
6.9447 8.90261
6.92604 8.85383
6.88206 8.70741
6.85932 8.61826
6.89686 8.58362
6.91294 8.63441
6.91288 8.61097
6.89156 8.54853
6.81151 8.50106
6.75928 8.50131
NaN NaN

0 9.61922
0 9.62808
0 9.62183
0 9.61252
0 9.54678
0 9.54272
0 9.57439
0 9.56132
0 9.55906
0 9.5528
0 9.56335
NaN NaN

EOD
$block8 << EOD
6.75928 8.50131
6.75432 8.5548
6.73888 8.56063
6.71571 8.63831
6.71924 8.6465
6.70124 8.62922
6.68654 8.57873
6.6837 8.5855
6.65864 8.64003
6.64182 8.78003
NaN NaN

0 9.56335
0 9.58933
0 9.57919
0 9.53498
0 9.544
0 9.56002
0 9.57677
0 9.58898
0 9.68446
0.160026 9.87345
NaN NaN

EOD
$block9 << EOD
6.64182 8.78003 6
0.160026 9.87345 8
EOD
$block10 << EOD
6.53074 6.53847
6.80686 6.75064
8.50615 6.05764
7.04615 6.50624
6.9727 6.45898
6.84986 6.43743
6.75854 6.43047
6.71145 6.51152
6.73816 6.54144
6.60681 6.55288
NaN NaN

3.58731 6.17565
3.49457 10
0.365732 10
0.647416 10
0.296975 10
0.348371 10
0.245389 9.83738
0.186145 10
0.141963 10
0.338454 10
NaN NaN

EOD
$block11 << EOD
6.60681 6.55288
6.56203 6.55151
6.35949 6.58896
6.44488 6.38257
6.53477 6.38647
6.52105 6.35179
6.50607 6.34772
6.49386 6.17133
6.4543 6.54716
6.8135 6.82661
NaN NaN

0.338454 10
0.736413 10
0.933875 10
0.919749 10
0.931949 10
0.817046 10
0.799472 10
0.871062 10
0.217711 10
0.695818 9.88342
NaN NaN

EOD
$block12 << EOD
6.8135 6.82661
6.75827 6.87801
6.75191 6.89436
6.70217 6.96695
6.6359 6.97003
6.61593 6.97754
6.58794 6.98608
6.73516 7.19992
6.93137 7.24849
6.88139 7.28477
6.87372 7.27653
NaN NaN

0.695818 9.88342
0.652426 9.90776
0.664221 9.88325
0.747639 9.87523
0.688094 9.88369
0.686525 9.93174
0.588443 9.87258
0.735257 9.57403
0.745305 9.73051
0.783631 9.66281
0.785173 9.65902
NaN NaN

EOD
$block13 << EOD
6.87372 7.27653
6.82141 7.29945
6.77896 7.30081
6.75691 7.34471
6.72377 7.40754
6.71483 7.42336
6.68698 7.5081
6.69406 7.48808
6.72669 7.33332
6.72721 7.27804
NaN NaN

0.785173 9.65902
0.766089 9.58966
0.821882 9.52332
0.764371 9.47508
0.718625 9.42746
0.796303 9.39146
0.771131 9.29441
0.899947 9.28809
1.42128 9.22347
1.59994 9.1985
NaN NaN

EOD
$block14 << EOD
6.72721 7.27804 6
1.59994 9.1985 8
EOD
$block15 << EOD
7.26009 10
6.72818 8.87627
6.70288 8.48023
6.65526 8.27474
6.63162 8.1968
6.62787 8.83977
6.60215 8.3797
6.58746 8.15215
6.86274 8.40937
6.52978 8.21883
NaN NaN

0.390447 10
0 10
0 10
0 10
0 10
0 9.82514
0 10
0 10
0 10
0 10
NaN NaN

EOD
$block16 << EOD
6.52978 8.21883
6.53672 8.19548
6.52674 8.17485
6.51253 8.12738
6.51703 8.07987
6.49232 7.99202
6.4724 7.92466
6.46846 7.90237
6.45105 7.82059
6.40166 7.68267
NaN NaN

0 10
0 10
0 9.96734
0 9.88227
0 9.97685
0.0742565 9.96582
0.302004 9.92786
0.329389 9.89113
0.521342 9.86216
0.697631 9.65795
NaN NaN

EOD
$block17 << EOD
6.40166 7.68267
6.40093 7.6506
6.40396 7.67533
6.40931 7.67604
6.39956 7.65035
6.2836 7.63227
6.25702 7.61278
6.29807 7.58667
6.27928 7.53813
6.28028 7.53557
6.28424 7.48266
NaN NaN

0.697631 9.65795
0.728409 9.48861
0.751963 9.50679
0.780028 9.50713
0.839541 9.50248
0.926288 9.47569
0.937082 9.46529
0.968944 9.33766
0.918543 9.24285
0.919331 9.23901
0.967811 9.06247
NaN NaN

EOD
$block18 << EOD
6.28424 7.48266
6.31744 7.46147
6.31693 7.43487
6.3153 7.41278
6.30718 7.39647
6.31023 7.34815
6.41739 7.14943
6.53146 8.01971
6.51544 7.86444
6.51072 7.85496
NaN NaN

0.967811 9.06247
0.92629 9.02625
0.96601 9.09164
0.957453 9.1542
0.989862 9.09019
1.03141 8.98449
0.782294 10
0.38119 9.58508
0.491266 9.70925
0.522531 9.63561
NaN NaN

EOD
$block19 << EOD
6.51072 7.85496 6
0.522531 9.63561 8
EOD
plot \
 $block0 using 1:2 with lines lw 1.6 dt solid lc rgb 0x80b9d9, \
 $block1 using 1:2 with lines lw 1.6 dt solid lc rgb 0x55a1cc, \
 $block2 using 1:2 with lines lw 1.6 dt solid lc rgb 0x2b8abf, \
 $block3 using 1:2 with lines lw 1.6 dt solid lc rgb 0x0072b2, \
 $block5 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xeaaf80, \
 $block6 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xe39455, \
 $block7 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xdc792b, \
 $block8 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xd55e00, \
 $block10 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x80cfb9, \
 $block11 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x55bea2, \
 $block12 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x2bae8a, \
 $block13 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x009e73, \
 $block15 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xe6bcd3, \
 $block16 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xdda6c4, \
 $block17 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xd58fb6, \
 $block18 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xcc79a7, \
 $block4 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block4 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 $block9 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block9 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 $block14 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block14 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 $block19 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block19 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

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
set label 'S' at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
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
set label 'G' at 19,19 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 18,19 to 20,20 fs solid 1 noborder fc rgb "#ea9a66" behind
set label 'G' at 18,20 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
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
$block20 << EOD
9.27839 8.65193
8.93391 6.822
10.1118 12.9545
9.49759 13.2309
9.08535 13.6769
5.88815 19.9201
12.1455 16.8333
12.8551 19.0194
NaN NaN

18.591 20
17.8692 20
18.3315 18.4198
18.67 18.3931
19.9164 18.4677
19.3155 18.3853
19.4311 20
19.2683 20
NaN NaN

EOD
$block21 << EOD
12.8551 19.0194
12.816 18.2028
12.8483 20
12.9818 20
12.9378 20
12.8795 20
12.9617 19.9348
12.6959 20
NaN NaN

19.2683 20
19.9219 20
20 20
20 20
20 20
20 20
20 20
20 20
NaN NaN

EOD
$block22 << EOD
12.6959 20
12.7 20
12.816 20
12.8263 20
12.726 20
12.7623 20
12.6812 20
12.6943 20
12.695 20
NaN NaN

20 20
19.677 20
19.394 20
19.5739 20
19.3773 20
19.2372 20
18.8706 20
18.8153 20
18.758 20
NaN NaN

EOD
$block23 << EOD
12.695 20
8.9643 15.7522
15.1383 19.9481
11.6421 19.7621
9.38921 17.5119
11.9226 19.9174
9.77764 17.7204
10.1214 17.5444
NaN NaN

18.758 20
20 17.7284
19.4629 19.8479
20 18.8171
19.3123 17.6805
19.2835 18.7048
16.6824 18.1008
18.3598 17.8415
NaN NaN

EOD
$block24 << EOD
10.1214 17.5444 6
18.3598 17.8415 8
EOD
$block25 << EOD
20 0
17.5753 0
19.0549 0
18.7457 0
16.7672 0
11.3661 0
6.36117 0
4.99692 0.103095
NaN NaN

13.0246 20
13.9441 19.3052
15.6629 20
15.1761 20
15.3141 20
15.7642 19.4613
15.6183 18.7704
16.1786 20
NaN NaN

EOD
$block26 << EOD
4.99692 0.103095
3.41606 0.115499
1.69862 0.441153
1.36759 0.465029
1.09543 0.467749
1.98342 0.392739
4.41158 0.579156
4.47085 0.581727
NaN NaN

16.1786 20
15.5157 18.9466
15.4953 18.2959
15.3583 18.0893
15.44 17.9249
15.5075 17.9576
15.3994 18.7029
15.4139 18.7132
NaN NaN

EOD
$block27 << EOD
4.47085 0.581727
5.18627 0.584112
4.40886 0.674522
4.55737 0.666965
4.27644 0.650311
4.15156 0.67798
4.22907 0.701202
4.12117 0.70655
4.21369 0.70004
NaN NaN

15.4139 18.7132
15.3849 19.1021
15.358 19.1861
15.3363 19.1833
15.3739 19.1996
15.3712 19.1733
15.3934 19.0922
15.3918 19.052
15.4046 19.0735
NaN NaN

EOD
$block28 << EOD
4.21369 0.70004
4.23246 0.706862
4.0662 0.71724
4.09945 0.736148
4.09113 0.744561
4.05071 0.748157
4.01987 0.754152
4.01074 0.787225
NaN NaN

15.4046 19.0735
15.4238 19.0637
15.434 19.0246
15.4775 18.9945
15.4896 18.9382
15.4935 18.9322
15.5205 18.8658
15.5414 18.8635
NaN NaN

EOD
$block29 << EOD
4.01074 0.787225 6
15.5414 18.8635 8
EOD
$block30 << EOD
14.2679 2.46538
14.0847 1.54693
11.2123 0
11.6959 11.3532
10.8753 7.88691
12.3773 0
12.5807 0
13.2565 0.0877024
NaN NaN

16.4793 16.3853
15.5662 15.3281
16.9058 20
16.1545 20
16.1999 20
15.9522 20
15.4312 20
15.4702 20
NaN NaN

EOD
$block31 << EOD
13.2565 0.0877024
13.2167 0
13.0083 0
13.1877 0
13.0513 0
12.7996 0
12.8045 0.10154
12.8757 1.04251
NaN NaN

15.4702 20
15.7401 20
15.6519 20
15.6275 20
15.5923 20
15.629 20
15.6196 20
15.6372 20
NaN NaN

EOD
$block32 << EOD
12.8757 1.04251
12.8393 1.2985
12.8339 1.38295
12.8323 1.51903
12.848 1.68603
13.2079 8.24071
12.2146 7.02796
12.3517 7.59454
12.6203 9.208
NaN NaN

15.6372 20
15.6161 20
15.6082 20
15.6358 20
15.6335 20
15.7835 20
15.545 20
15.6139 20
15.6895 20
NaN NaN

EOD
$block33 << EOD
12.6203 9.208
12.5524 9.38795
12.593 9.67596
12.2976 10.6323
12.3172 9.26686
12.4265 2.87812
12.341 3.36582
12.5635 3.39281
NaN NaN

15.6895 20
15.7025 20
15.7116 20
15.6619 20
15.558 20
15.6977 20
15.7393 20
15.967 20
NaN NaN

EOD
$block34 << EOD
12.5635 3.39281 6
15.967 20 8
EOD
$block35 << EOD
10.7745 19.6048
10.447 19.7274
9.79573 16.6227
9.96678 17.7672
9.76182 17.2677
11.4957 19.1177
11.9173 19.6883
12.4838 20
NaN NaN

20 18.4264
18.5508 19.3191
19.6075 18.5946
20 18.9147
20 18.7621
20 20
20 20
20 20
NaN NaN

EOD
$block36 << EOD
12.4838 20
12.4981 19.9244
13.7776 20
13.2793 20
13.4547 20
13.5628 20
13.4504 19.1659
13.4206 18.9014
NaN NaN

20 20
20 19.4455
20 20
19.9889 20
20 19.2485
20 19.6729
20 19.5739
20 19.6904
NaN NaN

EOD
$block37 << EOD
13.4206 18.9014
13.3543 18.2408
13.259 17.8162
13.0662 18.0798
13.009 17.8516
12.9771 17.8042
13.0191 17.87
13.0193 17.9463
12.9856 17.9302
NaN NaN

20 19.6904
20 19.7581
20 19.3507
20 19.3064
20 19.0207
20 18.9135
19.6836 18.965
19.608 19.0666
19.5239 19.1047
NaN NaN

EOD
$block38 << EOD
12.9856 17.9302
13.0504 17.9985
13.0318 17.9532
13.0572 17.9612
13.1196 17.9572
13.1358 17.9645
13.1686 17.9725
13.1756 17.98
NaN NaN

19.5239 19.1047
19.6986 19.2925
19.7503 19.2293
19.7405 19.2403
19.793 19.2369
19.7031 19.1988
19.6444 19.1853
19.6249 19.1809
NaN NaN

EOD
$block39 << EOD
13.1756 17.98 6
19.6249 19.1809 8
EOD
plot \
 $block20 using 1:2 with lines lw 1.6 dt solid lc rgb 0x80b9d9, \
 $block21 using 1:2 with lines lw 1.6 dt solid lc rgb 0x55a1cc, \
 $block22 using 1:2 with lines lw 1.6 dt solid lc rgb 0x2b8abf, \
 $block23 using 1:2 with lines lw 1.6 dt solid lc rgb 0x0072b2, \
 $block25 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xeaaf80, \
 $block26 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xe39455, \
 $block27 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xdc792b, \
 $block28 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xd55e00, \
 $block30 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x80cfb9, \
 $block31 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x55bea2, \
 $block32 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x2bae8a, \
 $block33 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x009e73, \
 $block35 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xe6bcd3, \
 $block36 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xdda6c4, \
 $block37 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xd58fb6, \
 $block38 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xcc79a7, \
 $block24 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block24 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 $block29 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block29 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 $block34 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block34 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 $block39 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block39 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

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
set label 'S' at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 7,0 to 10,1 fs solid 1 noborder fc rgb "#b5e0d3" behind
set label 'T' at 7,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 7,1 to 10,2 fs solid 1 noborder fc rgb "#b5e0d3" behind
set label 'T' at 7,2 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 4,2 to 5,3 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 7,2 to 10,3 fs solid 1 noborder fc rgb "#b5e0d3" behind
set label 'T' at 7,3 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 4,3 to 5,4 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 4,4 to 8,5 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 0,7 to 7,8 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 9,8 to 10,9 fs solid 1 noborder fc rgb "#ea9a66" behind
set label 'G' at 9,9 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 8,9 to 10,10 fs solid 1 noborder fc rgb "#ea9a66" behind
set label 'G' at 8,10 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
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
$block40 << EOD
10 9.80768
0.593468 0.332733
7.54003 0
8.18091 0
8.03788 0
8.60314 0
8.08714 0
7.80624 0
7.64694 0
NaN NaN

6.22692 5.58382
9.78331 9.23703
10 10
10 10
10 10
10 10
10 10
10 10
10 10
NaN NaN

EOD
$block41 << EOD
7.64694 0
7.79508 0
7.78303 0
7.60795 0
7.60026 0
8.06074 0
8.01346 0
8.30286 0
8.3186 0
9.16541 0
NaN NaN

10 10
10 10
10 10
10 10
10 10
10 10
10 10
10 10
10 10
10 10
NaN NaN

EOD
$block42 << EOD
9.16541 0
9.16541 0
8.99641 0
8.65274 0
8.65274 0
8.52624 0
8.89166 0
9.38711 0
9.89512 0
9.60208 0
NaN NaN

10 10
10 10
10 10
10 10
10 10
10 10
10 10
10 10
10 10
10 10
NaN NaN

EOD
$block43 << EOD
9.60208 0
9.72647 0
10 0
10 0
10 0
10 0
10 0
10 0
10 0
NaN NaN

10 10
10 10
9.67229 10
9.15682 10
9.09667 10
9.07825 10
8.98049 10
8.99983 10
9.0082 10
NaN NaN

EOD
$block44 << EOD
10 0 6
9.0082 10 8
EOD
$block45 << EOD
8.71635 0
10 0
9.8322 0
7.07185 0
10 0
10 0
9.93147 0
9.91844 0
9.90099 0
NaN NaN

9.22552 10
10 10
10 10
10 10
10 9.47574
10 9.17078
10 7.9726
10 7.971
10 8.45978
NaN NaN

EOD
$block46 << EOD
9.90099 0
8.31082 0
8.56196 0
9.62894 0
9.86508 0
9.67485 0
9.80489 0
9.8844 0
9.85883 0
9.91052 0
NaN NaN

10 8.45978
10 8.17424
10 7.85422
10 8.01195
9.69764 8.00172
9.79717 8.35818
9.46813 8.52527
9.33959 8.46717
9.12071 8.4016
8.97227 8.41965
NaN NaN

EOD
$block47 << EOD
9.91052 0
9.64915 0
9.64915 0
9.08313 0
9.5117 0
9.68048 0
9.56417 0
9.55729 0
9.56056 0
9.33852 0
NaN NaN

8.97227 8.41965
8.90789 8.47039
8.90789 8.47039
8.71853 8.44698
8.7312 8.44352
8.68548 8.42062
8.65532 8.32538
8.59238 8.37095
8.59913 8.67238
8.58797 8.82995
NaN NaN

EOD
$block48 << EOD
9.33852 0
9.29399 0
9.20505 0
9.03602 0
9.06117 0
9.10944 0
9.05179 0
9.12784 0
8.98382 0
NaN NaN

8.58797 8.82995
8.56734 8.85969
8.62187 8.89684
8.68122 8.90237
8.66137 8.98578
8.66584 8.94993
8.69008 8.98798
8.69267 9.08609
8.70024 9.169
NaN NaN

EOD
$block49 << EOD
8.98382 0 6
8.70024 9.169 8
EOD
$block50 << EOD
9.19856 1.40699
9.03405 0.0357117
10 0
10 0
10 0
10 0
9.86507 0
9.72355 0
9.66941 0
NaN NaN

9.10763 6.39288
9.68208 9.38838
10 8.31121
9.98235 8.44711
9.28257 8.00516
9.09086 7.82146
9.37368 9.41613
9.40061 9.76149
9.37316 9.77886
NaN NaN

EOD
$block51 << EOD
9.66941 0
8.98656 0
9.64324 0
9.68648 0
9.82333 0
9.38807 0
9.32878 0
9.27086 0
9.10965 0
9.10965 0
NaN NaN

9.37316 9.77886
9.17484 10
9.12164 9.90285
9.15488 10
9.17284 10
8.85007 10
8.86566 10
8.92354 10
8.95057 10
8.95057 10
NaN NaN

EOD
$block52 << EOD
9.10965 0
9.0491 0
8.96061 0
9.25133 0
9.29204 0
9.59498 0
9.68433 0
9.58665 0
9.65919 0
9.64217 0
NaN NaN

8.95057 10
9.0045 10
9.09937 10
9.21747 10
9.20003 10
9.17697 9.98605
9.16804 9.95395
9.13934 10
9.1312 10
9.09456 10
NaN NaN

EOD
$block53 << EOD
9.64217 0
9.81623 0
9.86314 0
8.59042 0
8.25722 0
8.47503 0
9.69682 0
9.62443 0
8.082 0
NaN NaN

9.09456 10
9.07486 10
9.0406 10
8.74349 10
8.66714 10
8.68724 10
9.00364 10
8.91492 10
8.68658 10
NaN NaN

EOD
$block54 << EOD
8.082 0 6
8.68658 10 8
EOD
$block55 << EOD
7.30544 3.72634
7.05314 6.05061
7.63434 4.40192
8.69422 0.284213
9.26944 0
9.46896 0
8.95856 0
9.13412 0
9.11674 0
NaN NaN

6.17944 7.84112
5.4352 7.85039
6.87974 8.02822
9.53934 9.25906
10 7.79683
10 7.00581
9.84268 8.05786
9.41935 8.43291
9.41884 8.46711
NaN NaN

EOD
$block56 << EOD
9.11674 0
9.24675 0
9.28513 0
9.59975 0
9.67416 0
9.83165 0
9.98078 0
10 0
10 0
10 0
NaN NaN

9.41884 8.46711
9.13304 7.12577
9.31344 7.02673
9.20569 6.97885
9.16373 6.93398
9.15092 7.26525
9.24043 7.35451
9.1782 7.51669
9.1782 7.51669
9.19122 7.5614
NaN NaN

EOD
$block57 << EOD
10 0
10 0.0806532
10 0.32482
10 0.192446
10 0.249703
10 0.277872
10 0.304284
10 0.327745
10 0.185727
10 0.277397
NaN NaN

9.19122 7.5614
9.13374 7.2621
9.21108 7.12086
9.26306 6.94183
9.16739 7.2628
9.10759 7.534
9.19646 7.54724
9.18479 7.55927
9.21324 7.78367
9.27223 7.83069
NaN NaN

EOD
$block58 << EOD
10 0.277397
10 0.232326
10 0
10 0.00190762
10 0
10 0
10 0.0196109
10 0
10 0
NaN NaN

9.27223 7.83069
9.07614 8.36842
9.2085 8.25544
9.17359 8.0051
9.18127 7.96523
9.36968 7.83536
9.49229 7.85094
9.39786 7.92798
9.27259 8.09245
NaN NaN

EOD
$block59 << EOD
10 0 6
9.27259 8.09245 8
EOD
plot \
 $block40 using 1:2 with lines lw 1.6 dt solid lc rgb 0x80b9d9, \
 $block41 using 1:2 with lines lw 1.6 dt solid lc rgb 0x55a1cc, \
 $block42 using 1:2 with lines lw 1.6 dt solid lc rgb 0x2b8abf, \
 $block43 using 1:2 with lines lw 1.6 dt solid lc rgb 0x0072b2, \
 $block45 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xeaaf80, \
 $block46 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xe39455, \
 $block47 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xdc792b, \
 $block48 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xd55e00, \
 $block50 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x80cfb9, \
 $block51 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x55bea2, \
 $block52 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x2bae8a, \
 $block53 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x009e73, \
 $block55 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xe6bcd3, \
 $block56 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xdda6c4, \
 $block57 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xd58fb6, \
 $block58 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xcc79a7, \
 $block44 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block44 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 $block49 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block49 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 $block54 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block54 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 $block59 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block59 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

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
set label 'S' at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,2 to 2,3 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label 'K' at 0,3 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 8,2 to 10,3 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label 'K' at 8,3 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,3 to 2,4 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label 'K' at 0,4 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 8,3 to 10,4 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label 'K' at 8,4 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,4 to 6,5 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 6,4 to 10,5 fs solid 1 noborder fc rgb "#e3cdb5" behind
set label 'D' at 6,5 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
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
$block60 << EOD
1.4995 0
9.36684 3.42695
9.36741 3.42707
9.75532 3.44016
10 8.58072
10 8.77334
10 9.55506
10 9.73422
10 9.79312
NaN NaN

9.6779 9.13477
2.81447 8.87971
2.81344 8.87993
2.55863 9.25261
0 10
0 10
0 10
0 10
0 10
NaN NaN

EOD
$block61 << EOD
10 9.79312
10 9.93714
10 9.91706
10 9.51593
10 8.87354
10 8.71466
10 8.92373
10 9.31433
10 8.76009
10 8.66274
NaN NaN

0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
NaN NaN

EOD
$block62 << EOD
10 8.66274
10 8.87022
10 8.76551
10 8.86417
10 8.79051
10 9.26274
10 8.98769
10 8.49101
10 8.55305
10 8.25945
NaN NaN

0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
NaN NaN

EOD
$block63 << EOD
10 8.25945
10 8.13518
10 8.50588
10 8.48505
10 8.60744
10 8.79757
10 8.88633
10 8.99127
10 9.20694
NaN NaN

0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
NaN NaN

EOD
$block64 << EOD
10 9.20694 6
0 10 8
EOD
$block65 << EOD
8.61356 8.56803
8.8834 8.28284
8.88123 7.62909
8.89884 7.63876
9.67257 8.80862
9.85711 8.59746
9.02597 7.63919
9.30901 7.89787
9.44365 7.36423
NaN NaN

2.65702 7.89418
2.53978 9.79883
2.59578 8.05306
2.62661 8.40191
1.23519 9.89343
1.25441 9.9796
0.408638 10
0.514107 10
0.515929 10
NaN NaN

EOD
$block66 << EOD
9.44365 7.36423
9.27239 7.90951
9.20285 7.58058
8.95501 7.56203
9.25422 7.43489
9.4 7.43135
9.78592 7.33716
9.77486 7.417
9.82479 7.27192
9.78584 7.25217
NaN NaN

0.515929 10
0.973906 10
0.982572 10
0.748928 10
1.01223 10
0.840171 10
0.80563 10
0.851363 10
0.767101 10
0.755622 10
NaN NaN

EOD
$block67 << EOD
9.78584 7.25217
9.93285 7.32623
9.96482 7.15863
9.98438 7.25666
10 7.25127
9.90181 7.47879
9.9765 7.5052
9.82048 7.57189
9.3485 7.52036
9.04277 7.67595
NaN NaN

0.755622 10
0.70426 10
0.734027 10
0.870349 10
0.851259 10
0.592885 10
0.772782 9.99854
0.763098 10
0.575425 10
0.288313 10
NaN NaN

EOD
$block68 << EOD
9.04277 7.67595
9.20933 7.72602
9.17153 7.78982
9.12057 7.80717
9.41291 7.79514
9.2859 7.92486
9.33751 8.08878
8.85579 8.16429
8.89555 8.11159
NaN NaN

0.288313 10
0.518519 10
0.738606 10
0.563341 10
0.777883 10
0.650556 10
0.645265 10
0.558882 10
0.477979 10
NaN NaN

EOD
$block69 << EOD
8.89555 8.11159 6
0.477979 10 8
EOD
$block70 << EOD
1.68703 4.28851
1.69306 3.8965
1.67384 3.60765
1.69026 3.60866
9.58895 5.05229
9.49842 5.05928
9.51709 5.08265
9.49845 5.05935
9.60713 5.06312
NaN NaN

6.88892 8.8598
5.98139 9.44106
6.05746 8.85435
6.04815 9.03727
2.89076 6.00492
3.0416 5.66775
3.04984 5.76736
3.04162 5.6679
1.83363 5.66138
NaN NaN

EOD
$block71 << EOD
9.60713 5.06312
9.79216 5.0359
9.83563 5.02144
9.68124 5.03087
9.71635 5.0303
9.91674 5.0278
9.84933 5.02951
9.90571 5.02912
9.90605 5.03271
9.90045 5.03441
NaN NaN

1.83363 5.66138
1.19818 5.67381
1.03724 5.69537
0.987266 5.6777
0.814555 5.66934
1.15403 5.66759
1.21366 5.66975
0.704723 5.65726
0.666944 5.65031
0.462745 5.64271
NaN NaN

EOD
$block72 << EOD
9.90045 5.03441
9.88439 5.03403
9.99994 5.0343
9.98278 5.03185
9.96545 5.02895
9.97327 5.02941
10 5.02714
9.96376 5.02724
9.98931 5.02485
9.97857 5.03379
NaN NaN

0.462745 5.64271
0.206935 5.63124
0.415178 5.64196
0.511854 5.6452
0.588782 5.6789
0.0206546 5.68577
0.0375288 5.96099
0.186397 5.78591
0.125446 5.83614
0.0806173 5.90068
NaN NaN

EOD
$block73 << EOD
9.97857 5.03379
10 5.04323
9.98299 5.04643
10 5.0443
10 5.04458
9.92472 5.04259
9.93873 5.04649
9.93371 5.04519
9.90712 5.04474
NaN NaN

0.0806173 5.90068
0 5.97882
0.036337 5.99967
0.254612 6.00994
0 6.03021
0 6.05946
0.00752046 6.07136
0.128284 6.07625
0.0813009 6.01409
NaN NaN

EOD
$block74 << EOD
9.90712 5.04474 6
0.0813009 6.01409 8
EOD
$block75 << EOD
8.36358 9.74069
8.45321 10
8.7922 9.93444
8.93485 10
9.79297 10
9.14377 10
8.98592 10
8.96917 10
9.12613 10
NaN NaN

0.0765166 8.77768
0 10
0 10
0 9.709
0.203103 10
0.310608 9.77051
0.234129 9.94885
0.5619 10
0 9.97337
NaN NaN

EOD
$block76 << EOD
9.12613 10
9.15071 10
9.02961 10
9.01665 10
8.85218 10
8.50113 10
8.4435 10
8.46238 10
8.3553 10
8.42275 10
NaN NaN

0 9.97337
0 10
0 10
0 10
0 9.90476
0 10
0 10
0 9.76519
0 10
0 9.93994
NaN NaN

EOD
$block77 << EOD
8.42275 10
8.40455 10
8.49819 10
8.49439 10
8.55986 10
8.70937 10
8.86653 10
8.69824 10
8.71155 10
8.65522 10
NaN NaN

0 9.93994
0 9.92509
0 9.87555
0 9.95529
0 9.90797
0 9.7905
0 9.96952
0 10
0 10
0 10
NaN NaN

EOD
$block78 << EOD
8.65522 10
8.57222 10
8.49808 10
8.52998 10
8.50387 10
8.53431 10
8.37927 10
8.32341 10
8.40349 10
NaN NaN

0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
NaN NaN

EOD
$block79 << EOD
8.40349 10 6
0 10 8
EOD
plot \
 $block60 using 1:2 with lines lw 1.6 dt solid lc rgb 0x80b9d9, \
 $block61 using 1:2 with lines lw 1.6 dt solid lc rgb 0x55a1cc, \
 $block62 using 1:2 with lines lw 1.6 dt solid lc rgb 0x2b8abf, \
 $block63 using 1:2 with lines lw 1.6 dt solid lc rgb 0x0072b2, \
 $block65 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xeaaf80, \
 $block66 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xe39455, \
 $block67 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xdc792b, \
 $block68 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xd55e00, \
 $block70 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x80cfb9, \
 $block71 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x55bea2, \
 $block72 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x2bae8a, \
 $block73 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x009e73, \
 $block75 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xe6bcd3, \
 $block76 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xdda6c4, \
 $block77 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xd58fb6, \
 $block78 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xcc79a7, \
 $block64 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block64 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 $block69 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block69 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 $block74 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block74 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 $block79 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block79 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

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
set label 'S' at 0,1 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,2 to 2,3 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label 'K' at 0,3 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 8,2 to 10,3 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label 'K' at 8,3 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,3 to 2,4 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label 'K' at 0,4 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 8,3 to 10,4 fs solid 1 noborder fc rgb "#f7f1a0" behind
set label 'K' at 8,4 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
set object rectangle from 0,4 to 6,5 fs solid 1 noborder fc rgb "#4d4d4d" behind
set object rectangle from 6,4 to 10,5 fs solid 1 noborder fc rgb "#e3cdb5" behind
set label 'D' at 6,5 left offset character 0.3, -0.55 font ",10" tc rgb "#000000" front
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
$block80 << EOD
8.13496 6.27397
10 10
10 10
10 10
10 10
10 10
10 10
10 10
10 10
NaN NaN

7.61273 6.19159
1.69561 9.30784
1.06506 9.76428
0.315359 9.90788
0.144992 10
0.0978241 10
0.26042 10
0.224404 9.57752
0.20293 9.94161
NaN NaN

6.08785 10
5.65096 10
5.06177 10
6.95532 10
9.31214 9.4895
9.74064 8.4095
9.41333 8.08391
7.9185 7.22408
7.73964 7.01247
NaN NaN

EOD
$block81 << EOD
10 10
10 10
10 9.64793
10 10
10 10
10 9.87363
10 9.91201
10 9.95926
10 10
NaN NaN

0.20293 9.94161
0 9.92047
0.426826 10
0.368816 10
0.540452 10
0.502382 10
0.409936 10
0.144966 10
0.164864 10
NaN NaN

7.73964 7.01247
8.2405 7.83635
8.62277 7.74243
8.30964 7.77192
7.18842 7.47986
7.26348 6.62071
6.67088 6.03517
6.00449 5.40476
7.06064 5.19913
NaN NaN

EOD
$block82 << EOD
10 10
10 10
10 10
10 10
10 10
10 10
10 10
10 10
10 9.75701
NaN NaN

0.164864 10
0.0204295 10
0.232106 10
0.2484 10
0.115719 10
0.070078 10
0 10
0.384273 9.97656
0.22656 10
NaN NaN

7.06064 5.19913
7.42594 5.25698
7.2053 5.59999
6.78734 4.86063
7.07933 5.25806
6.42436 4.61692
6.88788 4.35557
6.87824 4.64344
6.69106 3.80889
NaN NaN

EOD
$block83 << EOD
10 9.75701
10 9.06161
10 9.52063
10 9.5362
10 9.5075
9.37319 9.15281
9.29507 9.10999
9.3807 9.16779
9.22169 9.29653
NaN NaN

0.22656 10
0.223228 9.96611
0.176489 9.99194
0.340313 10
0.370818 9.96302
0.377852 9.97736
0.268232 9.75874
0.224817 9.87216
0.162123 9.92986
NaN NaN

6.69106 3.80889
6.67191 3.3494
6.59388 2.98212
6.93129 2.39741
6.76477 2.42139
6.55427 1.64308
7.28317 1.20626
6.68062 1.15606
6.2619 0.75107
NaN NaN

EOD
$block84 << EOD
9.22169 9.29653 6
0.162123 9.92986 8
6.2619 0.75107 2
EOD
$block85 << EOD
9.21435 6.86268
9.79929 7.59321
10 10
10 10
10 9.97205
10 8.54098
10 9.35502
10 9.32913
10 9.3919
NaN NaN

5.39652 6.0492
7.34108 10
3.05285 9.91586
0 10
0.435903 10
0 10
0.399141 10
0.895558 10
1.19373 10
NaN NaN

0 10
0 10
0 10
5.05546 10
1.73434 10
1.3557 10
1.45361 10
0.80436 10
1.14439 10
NaN NaN

EOD
$block86 << EOD
10 9.3919
10 9.18712
10 8.32111
10 7.57104
10 8.18769
10 7.52512
10 8.05643
10 8.56113
10 8.09664
NaN NaN

1.19373 10
1.53132 10
2.34042 10
2.7983 10
1.90779 10
3.11205 10
2.22848 10
1.73918 10
1.74483 10
NaN NaN

1.14439 10
0.570548 10
0.347461 10
0.311675 10
0.788359 10
0.00624771 10
0.584638 10
0.394124 10
0.154491 10
NaN NaN

EOD
$block87 << EOD
10 8.09664
10 8.61217
10 8.6365
10 8.89382
10 8.87692
10 8.49481
10 8.65225
9.6788 9.01374
9.33455 8.86615
NaN NaN

1.74483 10
0.935603 10
1.50282 10
1.64488 10
2.20778 10
2.09084 10
1.90314 10
1.39029 10
1.44808 10
NaN NaN

0.154491 10
0.44781 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
NaN NaN

EOD
$block88 << EOD
9.33455 8.86615
9.93183 8.89992
9.94472 8.64636
9.96783 8.68737
9.97734 8.76116
9.90701 8.78059
9.96618 8.70156
9.94201 8.76413
9.87703 8.70904
NaN NaN

1.44808 10
2.27659 10
2.20436 10
1.79259 10
1.57558 10
1.56944 10
1.60374 10
2.00552 10
1.77722 10
NaN NaN

0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
NaN NaN

EOD
$block89 << EOD
9.87703 8.70904 6
1.77722 10 8
0 10 2
EOD
$block90 << EOD
8.27924 3.35506
8.02376 3.52072
8.18954 2.63064
8.37693 3.1015
8.62929 2.5609
8.04099 2.82771
9.45514 4.1974
9.35754 5.95774
9.31812 5.2636
NaN NaN

5.80144 8.78559
7.18523 8.73013
8.32884 8.40632
8.06381 8.41165
8.99461 8.34651
8.70246 8.4477
8.03677 8.88661
8.84253 9.50299
9.2477 8.92325
NaN NaN

2.02949 10
1.40072 10
1.70409 9.96483
0.29413 9.89842
0.88567 10
0.982567 9.97328
1.13494 10
0.290696 10
0.86315 10
NaN NaN

EOD
$block91 << EOD
9.31812 5.2636
8.90792 4.97668
8.91515 4.88707
8.27237 3.89695
9.18927 5.13105
9.28189 4.79624
9.58724 5.31742
9.86451 6.15942
8.36042 4.16708
NaN NaN

9.2477 8.92325
8.68129 9.16894
7.79714 9.45365
5.87433 9.41775
8.25442 9.33392
7.974 9.15768
8.5873 9.41116
9.42815 9.50106
6.74509 9.22385
NaN NaN

0.86315 10
0.527145 10
0.859091 10
1.61766 9.90515
0.589373 10
0.608572 10
0.318241 10
0.0443779 10
1.22938 9.93614
NaN NaN

EOD
$block92 << EOD
8.36042 4.16708
9.85406 5.3511
9.86356 5.26803
9.8746 5.24647
9.9498 5.30715
9.9612 5.32499
10 5.35728
10 5.41882
10 4.95761
NaN NaN

6.74509 9.22385
8.47077 9.40876
8.2007 9.45501
8.36089 9.01036
9.29607 8.36818
8.70868 9.17789
8.50083 9.07692
8.48872 9.0304
8.47698 8.61073
NaN NaN

1.22938 9.93614
0.809987 10
0.918542 10
0.738418 10
0.769396 10
0.62944 10
0.448134 10
0.371297 10
0.158914 10
NaN NaN

EOD
$block93 << EOD
10 4.95761
10 5.1051
10 5.13397
10 5.25377
10 5.23594
10 5.35349
10 5.45737
10 5.56343
10 5.57271
NaN NaN

8.47698 8.61073
8.26458 8.67228
8.31682 8.41159
8.72564 8.33781
8.58821 8.34857
8.65358 8.43959
8.65704 8.61922
8.8409 8.71593
8.79906 8.89166
NaN NaN

0.158914 10
0.155844 10
0.167695 10
0.122353 10
0.239605 9.99334
0.15559 9.75973
0.258018 9.6538
0.159074 9.54597
0.0735349 9.24871
NaN NaN

EOD
$block94 << EOD
10 5.57271 6
8.79906 8.89166 8
0.0735349 9.24871 2
EOD
$block95 << EOD
9.35956 8.04162
9.50692 8.2579
8.59474 10
9.09764 7.85086
9.10963 8.18352
9.82728 9.23693
9.84602 9.64071
9.64128 9.70224
9.92913 9.69408
NaN NaN

1.53827 8.05002
1.83219 8.31474
1.69806 9.42338
1.84961 9.42233
1.84498 9.43498
1.44435 10
1.13017 10
0.983723 10
1.2478 10
NaN NaN

0.313432 3.69982
0.322166 2.90435
0.300064 2.44319
0 4.03163
0.142704 3.1129
0 5.97755
0 7.32489
0 8.7078
0 8.07999
NaN NaN

EOD
$block96 << EOD
9.92913 9.69408
9.75905 9.06538
9.75608 9.33275
9.87676 9.58116
10 9.99036
9.97458 9.99551
9.95663 10
9.97216 10
9.92209 10
NaN NaN

1.2478 10
1.5674 10
1.26464 10
0.663303 10
0.106926 10
0.0529907 10
0.0244298 10
0.00333605 10
0.0899594 10
NaN NaN

0 8.07999
0 6.75363
0 5.14341
0 3.8745
1.24066 3.29664
1.29125 3.27341
1.81151 3.69879
1.52837 3.86383
1.26019 3.14901
NaN NaN

EOD
$block97 << EOD
9.92209 10
10 10
10 10
9.97171 10
10 10
10 10
10 10
10 10
10 10
NaN NaN

0.0899594 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
NaN NaN

1.26019 3.14901
1.22355 3.44979
0.827525 3.80676
0.895017 4.79009
0.237618 5.42242
0 6.96749
0.194285 5.55951
0.165265 5.80788
0 7.10092
NaN NaN

EOD
$block98 << EOD
10 10
10 10
10 10
10 10
10 10
10 10
10 10
10 10
10 10
NaN NaN

0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
0 10
NaN NaN

0 7.10092
0 7.39186
0 8.06113
0 7.99758
0 7.94014
0.013623 6.77836
0 6.83844
0 7.0136
0 6.93766
NaN NaN

EOD
$block99 << EOD
10 10 6
0 10 8
0 6.93766 2
EOD
plot \
 $block80 using 1:2 with lines lw 1.6 dt solid lc rgb 0x80b9d9, \
 $block81 using 1:2 with lines lw 1.6 dt solid lc rgb 0x55a1cc, \
 $block82 using 1:2 with lines lw 1.6 dt solid lc rgb 0x2b8abf, \
 $block83 using 1:2 with lines lw 1.6 dt solid lc rgb 0x0072b2, \
 $block85 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xeaaf80, \
 $block86 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xe39455, \
 $block87 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xdc792b, \
 $block88 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xd55e00, \
 $block90 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x80cfb9, \
 $block91 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x55bea2, \
 $block92 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x2bae8a, \
 $block93 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x009e73, \
 $block95 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xe6bcd3, \
 $block96 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xdda6c4, \
 $block97 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xd58fb6, \
 $block98 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xcc79a7, \
 $block84 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block84 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 $block89 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block89 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 $block94 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block94 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 $block99 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block99 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

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
$block100 << EOD
0.417843 0.429154
0.487411 0.432205
0.482537 0.435256
0.48578 0.438308
0.499943 0.441359
0.5 0.44441
0.5 0.447462
0.5 0.450513
0.5 0.453564
0.5 0.456615
NaN NaN

-0.263122 0.429154
-0.240824 0.432205
-0.163868 0.435256
-0.193125 0.438308
-0.159579 0.441359
-0.0967485 0.44441
-0.0809651 0.447462
-0.0850029 0.450513
-0.0766799 0.453564
-0.103093 0.456615
NaN NaN

EOD
$block101 << EOD
0.5 0.456615
0.5 0.459667
0.5 0.462718
0.5 0.465769
0.499524 0.468821
-1.01101 0.471872
-0.993716 0.474923
-0.974694 0.477974
-0.985698 0.481026
-0.971291 0.484077
NaN NaN

-0.103093 0.456615
-0.0939533 0.459667
-0.0939068 0.462718
-0.0368247 0.465769
-0.00211144 0.468821
0.5 0.471872
0.5 0.474923
0.5 0.477974
0.5 0.481026
0.5 0.484077
NaN NaN

EOD
$block102 << EOD
-0.971291 0.484077
-0.948978 0.487128
-0.954783 0.490179
-0.947927 0.493231
-0.933697 0.496282
-0.938043 0.499333
-0.94037 0.502385
-0.926183 0.505436
-0.91836 0.508487
-0.904513 0.511538
NaN NaN

0.5 0.484077
0.5 0.487128
0.5 0.490179
0.5 0.493231
0.5 0.496282
0.5 0.499333
0.5 0.502385
0.5 0.505436
0.5 0.508487
0.5 0.511538
NaN NaN

EOD
$block103 << EOD
-0.904513 0.511538
-0.899901 0.51459
-0.901141 0.517641
-0.90428 0.520692
-0.906323 0.523744
-0.906786 0.526795
-0.904949 0.529846
-0.907982 0.532897
-0.899242 0.535949
-0.900129 0.539
NaN NaN

0.5 0.511538
0.5 0.51459
0.5 0.517641
0.5 0.520692
0.5 0.523744
0.5 0.526795
0.5 0.529846
0.5 0.532897
0.5 0.535949
0.5 0.539
NaN NaN

EOD
$block104 << EOD
-0.900129 0.539 6
0.5 0.539 8
EOD
$block105 << EOD
-0.835955 0.569154
0.5 0.572205
0.5 0.575256
-0.920593 0.578308
-0.935036 0.581359
-0.938099 0.58441
-0.88199 0.587462
-0.858752 0.590513
-0.847975 0.593564
-0.85725 0.596615
NaN NaN

0.5 0.569154
-0.276288 0.572205
0.11303 0.575256
0.5 0.578308
0.5 0.581359
0.5 0.58441
0.5 0.587462
0.5 0.590513
0.5 0.593564
0.5 0.596615
NaN NaN

EOD
$block106 << EOD
-0.85725 0.596615
-0.857322 0.599667
-0.88213 0.602718
-0.905328 0.605769
-0.880166 0.608821
-0.86047 0.611872
-0.869889 0.614923
-0.897614 0.617974
-0.9083 0.621026
-0.907818 0.624077
NaN NaN

0.5 0.596615
0.5 0.599667
0.5 0.602718
0.5 0.605769
0.5 0.608821
0.5 0.611872
0.5 0.614923
0.5 0.617974
0.5 0.621026
0.5 0.624077
NaN NaN

EOD
$block107 << EOD
-0.907818 0.624077
-0.892553 0.627128
-0.90676 0.630179
-0.901002 0.633231
-0.893125 0.636282
-0.898065 0.639333
-0.89384 0.642385
-0.89801 0.645436
-0.901196 0.648487
-0.904794 0.651538
NaN NaN

0.5 0.624077
0.5 0.627128
0.5 0.630179
0.5 0.633231
0.5 0.636282
0.5 0.639333
0.5 0.642385
0.5 0.645436
0.5 0.648487
0.5 0.651538
NaN NaN

EOD
$block108 << EOD
-0.904794 0.651538
-0.899982 0.65459
-0.899107 0.657641
-0.891119 0.660692
-0.893024 0.663744
-0.892226 0.666795
-0.891645 0.669846
-0.893881 0.672897
-0.899507 0.675949
-0.897569 0.679
NaN NaN

0.5 0.651538
0.5 0.65459
0.5 0.657641
0.5 0.660692
0.5 0.663744
0.5 0.666795
0.5 0.669846
0.5 0.672897
0.5 0.675949
0.5 0.679
NaN NaN

EOD
$block109 << EOD
-0.897569 0.679 6
0.5 0.679 8
EOD
$block110 << EOD
-0.73017 0.709154
-0.823691 0.712205
-0.883467 0.715256
-0.964453 0.718308
-0.929469 0.721359
-0.946059 0.72441
-0.95703 0.727462
-0.935678 0.730513
-0.936855 0.733564
-0.939819 0.736615
NaN NaN

0.5 0.709154
0.5 0.712205
0.5 0.715256
0.5 0.718308
0.5 0.721359
0.5 0.72441
0.5 0.727462
0.5 0.730513
0.5 0.733564
0.5 0.736615
NaN NaN

EOD
$block111 << EOD
-0.939819 0.736615
-0.992363 0.739667
-0.939274 0.742718
-0.915443 0.745769
-0.953828 0.748821
-0.963689 0.751872
-0.951188 0.754923
-0.920772 0.757974
-0.926934 0.761026
-0.967107 0.764077
NaN NaN

0.5 0.736615
0.5 0.739667
0.5 0.742718
0.5 0.745769
0.5 0.748821
0.5 0.751872
0.5 0.754923
0.5 0.757974
0.5 0.761026
0.5 0.764077
NaN NaN

EOD
$block112 << EOD
-0.967107 0.764077
-0.961617 0.767128
-0.965165 0.770179
-0.957867 0.773231
-0.943843 0.776282
-0.949091 0.779333
-0.941825 0.782385
-0.949044 0.785436
-0.948873 0.788487
-0.950491 0.791538
NaN NaN

0.5 0.764077
0.5 0.767128
0.5 0.770179
0.5 0.773231
0.5 0.776282
0.5 0.779333
0.5 0.782385
0.5 0.785436
0.5 0.788487
0.5 0.791538
NaN NaN

EOD
$block113 << EOD
-0.950491 0.791538
-0.942121 0.79459
-0.940105 0.797641
-0.928666 0.800692
-0.935874 0.803744
-0.941338 0.806795
-0.94378 0.809846
-0.943384 0.812897
-0.937733 0.815949
-0.930917 0.819
NaN NaN

0.5 0.791538
0.5 0.79459
0.5 0.797641
0.5 0.800692
0.5 0.803744
0.5 0.806795
0.5 0.809846
0.5 0.812897
0.5 0.815949
0.5 0.819
NaN NaN

EOD
$block114 << EOD
-0.930917 0.819 6
0.5 0.819 8
EOD
$block115 << EOD
0.5 0.849154
0.5 0.852205
0.121616 0.855256
0.0574811 0.858308
0.120978 0.861359
0.142745 0.86441
0.149432 0.867462
0.155274 0.870513
0.159942 0.873564
0.176461 0.876615
NaN NaN

-0.408572 0.849154
-0.547439 0.852205
0.5 0.855256
0.5 0.858308
0.5 0.861359
0.5 0.86441
0.5 0.867462
0.5 0.870513
0.5 0.873564
0.5 0.876615
NaN NaN

EOD
$block116 << EOD
0.176461 0.876615
0.104613 0.879667
0.108899 0.882718
0.0906768 0.885769
0.0806486 0.888821
0.0692335 0.891872
0.0364282 0.894923
0.0111046 0.897974
-0.0483231 0.901026
-0.0522398 0.904077
NaN NaN

0.5 0.876615
0.5 0.879667
0.5 0.882718
0.5 0.885769
0.5 0.888821
0.5 0.891872
0.5 0.894923
0.5 0.897974
0.5 0.901026
0.5 0.904077
NaN NaN

EOD
$block117 << EOD
-0.0522398 0.904077
-0.0483642 0.907128
-0.00596805 0.910179
0.0169106 0.913231
0.0338039 0.916282
0.0345544 0.919333
0.0698447 0.922385
0.0962564 0.925436
0.0999689 0.928487
0.0927142 0.931538
NaN NaN

0.5 0.904077
0.5 0.907128
0.5 0.910179
0.5 0.913231
0.5 0.916282
0.5 0.919333
0.5 0.922385
0.5 0.925436
0.5 0.928487
0.5 0.931538
NaN NaN

EOD
$block118 << EOD
0.0927142 0.931538
0.102083 0.93459
0.0753371 0.937641
0.0554839 0.940692
0.0602941 0.943744
0.0499228 0.946795
0.0472373 0.949846
0.0549991 0.952897
0.0572236 0.955949
0.0853963 0.959
NaN NaN

0.5 0.931538
0.5 0.93459
0.5 0.937641
0.5 0.940692
0.5 0.943744
0.5 0.946795
0.5 0.949846
0.5 0.952897
0.5 0.955949
0.5 0.959
NaN NaN

EOD
$block119 << EOD
0.0853963 0.959 6
0.5 0.959 8
EOD
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
 $block100 using 1:2 with lines lw 1.6 dt solid lc rgb 0x80b9d9, \
 $block101 using 1:2 with lines lw 1.6 dt solid lc rgb 0x55a1cc, \
 $block102 using 1:2 with lines lw 1.6 dt solid lc rgb 0x2b8abf, \
 $block103 using 1:2 with lines lw 1.6 dt solid lc rgb 0x0072b2, \
 $block105 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xeaaf80, \
 $block106 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xe39455, \
 $block107 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xdc792b, \
 $block108 using 1:2 with lines lw 1.6 dt (6,2) lc rgb 0xd55e00, \
 $block110 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x80cfb9, \
 $block111 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x55bea2, \
 $block112 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x2bae8a, \
 $block113 using 1:2 with lines lw 1.6 dt (1.5,1.5) lc rgb 0x009e73, \
 $block115 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xe6bcd3, \
 $block116 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xdda6c4, \
 $block117 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xd58fb6, \
 $block118 using 1:2 with lines lw 1.6 dt (7,2,1.5,2) lc rgb 0xcc79a7, \
 $block104 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block104 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#0072b2", \
 $block109 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block109 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#d55e00", \
 $block114 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block114 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#009e73", \
 $block119 using 1:2:3 with points pt variable ps 1.7 lw 5 lc rgb "#ffffff", \
 $block119 using 1:2:3 with points pt variable ps 1.6 lw 2.4 lc rgb "#cc79a7"

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

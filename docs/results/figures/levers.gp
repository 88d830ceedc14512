# gnuplot levers.gp; another format: gnuplot -e "format='pdf'" levers.gp
if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg size 1158,560 dynamic butt dashlength 2 font "Helvetica,12" name "levers"
if (format eq "pdf") set terminal pdfcairo size 9.382in,4.537in butt dl 3.64 font "Helvetica,12" fontscale 0.4375 linewidth 1.1667 pointscale 0.9333
if (format eq "png") set terminal pngcairo size 2316,1120 butt dl 4 font "Helvetica,12" fontscale 1.5 linewidth 2 pointscale 3.1
set output "levers.".format
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
set tmargin at screen 0.94286
set bmargin at screen 0.59643
set label '{/:Bold=13 GW10}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:1600000]
set xtics ()
set xtics add ("0" 0)
set xtics add ("400" 400000)
set xtics add ("800" 800000)
set xtics add ("1200" 1200000)
set xtics add ("1600" 1600000)
set yrange [0:1]
set ytics 0, 0.5
unset grid
set xlabel "thousand interactions" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "share of trials" offset 0.4, 0 tc rgb "#333333" noenhanced
set object rectangle from graph 1.04, graph 0.0200 to graph 1.09, graph 0.0813 noclip fs solid 1 noborder fc rgb 0xb3d5e8
set label "200 × 5" at graph 1.11, graph 0.0507 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.1076 to graph 1.09, graph 0.1690 noclip fs solid 1 noborder fc rgb 0x59a3cd
set label "600 × 5" at graph 1.11, graph 0.1383 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.1953 to graph 1.09, graph 0.2566 noclip fs solid 1 noborder fc rgb 0x0072b2
set label "1000 × 5" at graph 1.11, graph 0.2259 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.2829 to graph 1.09, graph 0.3442 noclip fs solid 1 noborder fc rgb 0xf8e2b3
set object rectangle from graph 1.04, graph 0.2829 to graph 1.09, graph 0.3442 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "200 × 20" at graph 1.11, graph 0.3136 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.3705 to graph 1.09, graph 0.4319 noclip fs solid 1 noborder fc rgb 0xefc159
set object rectangle from graph 1.04, graph 0.3705 to graph 1.09, graph 0.4319 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "600 × 20" at graph 1.11, graph 0.4012 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.4581 to graph 1.09, graph 0.5195 noclip fs solid 1 noborder fc rgb 0xe69f00
set object rectangle from graph 1.04, graph 0.4581 to graph 1.09, graph 0.5195 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "1000 × 20" at graph 1.11, graph 0.4888 left font ",11" tc rgb "#333333"
set label "tau × reps" at graph 1.04, graph 0.5808 left font ",11" tc rgb "#666666"
plot \
 "levers.dat" index 0 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xb3d5e8, \
 "levers.dat" index 1 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0x59a3cd, \
 "levers.dat" index 2 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0x0072b2, \
 "levers.dat" index 3 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xf8e2b3, \
 "levers.dat" index 3 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333", \
 "levers.dat" index 4 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xefc159, \
 "levers.dat" index 4 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333", \
 "levers.dat" index 5 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xe69f00, \
 "levers.dat" index 5 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"

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
set tmargin at screen 0.94286
set bmargin at screen 0.59643
set label '{/:Bold=13 GW20}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:16000000]
set xtics ()
set xtics add ("0" 0)
set xtics add ("4" 4000000)
set xtics add ("8" 8000000)
set xtics add ("12" 12000000)
set xtics add ("16" 16000000)
set yrange [0:1]
set ytics 0, 0.5
unset grid
set xlabel "million interactions" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "share of trials" offset 0.4, 0 tc rgb "#333333" noenhanced
set object rectangle from graph 1.04, graph 0.0200 to graph 1.09, graph 0.0813 noclip fs solid 1 noborder fc rgb 0xb3d5e8
set label "4000 × 20" at graph 1.11, graph 0.0507 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.1076 to graph 1.09, graph 0.1690 noclip fs solid 1 noborder fc rgb 0x59a3cd
set label "7000 × 20" at graph 1.11, graph 0.1383 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.1953 to graph 1.09, graph 0.2566 noclip fs solid 1 noborder fc rgb 0x0072b2
set label "10000 × 20" at graph 1.11, graph 0.2259 left font ",11" tc rgb "#333333"
set label "tau × reps" at graph 1.04, graph 0.3179 left font ",11" tc rgb "#666666"
plot \
 "levers.dat" index 6 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xb3d5e8, \
 "levers.dat" index 7 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0x59a3cd, \
 "levers.dat" index 8 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0x0072b2

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
set tmargin at screen 0.94286
set bmargin at screen 0.59643
set label '{/:Bold=13 TR}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:1200000]
set xtics ()
set xtics add ("0" 0)
set xtics add ("300" 300000)
set xtics add ("600" 600000)
set xtics add ("900" 900000)
set xtics add ("1200" 1200000)
set yrange [0:1]
set ytics 0, 0.5
unset grid
set xlabel "thousand interactions" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "share of trials" offset 0.4, 0 tc rgb "#333333" noenhanced
set object rectangle from graph 1.04, graph 0.0200 to graph 1.09, graph 0.0813 noclip fs solid 1 noborder fc rgb 0xb3d5e8
set label "400 × 5" at graph 1.11, graph 0.0507 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.1076 to graph 1.09, graph 0.1690 noclip fs solid 1 noborder fc rgb 0x59a3cd
set label "1200 × 5" at graph 1.11, graph 0.1383 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.1953 to graph 1.09, graph 0.2566 noclip fs solid 1 noborder fc rgb 0x0072b2
set label "2000 × 5" at graph 1.11, graph 0.2259 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.2829 to graph 1.09, graph 0.3442 noclip fs solid 1 noborder fc rgb 0xf8e2b3
set object rectangle from graph 1.04, graph 0.2829 to graph 1.09, graph 0.3442 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "400 × 20" at graph 1.11, graph 0.3136 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.3705 to graph 1.09, graph 0.4319 noclip fs solid 1 noborder fc rgb 0xefc159
set object rectangle from graph 1.04, graph 0.3705 to graph 1.09, graph 0.4319 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "1200 × 20" at graph 1.11, graph 0.4012 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.4581 to graph 1.09, graph 0.5195 noclip fs solid 1 noborder fc rgb 0xe69f00
set object rectangle from graph 1.04, graph 0.4581 to graph 1.09, graph 0.5195 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "2000 × 20" at graph 1.11, graph 0.4888 left font ",11" tc rgb "#333333"
set label "tau × reps" at graph 1.04, graph 0.5808 left font ",11" tc rgb "#666666"
plot \
 "levers.dat" index 9 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xb3d5e8, \
 "levers.dat" index 10 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0x59a3cd, \
 "levers.dat" index 11 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0x0072b2, \
 "levers.dat" index 12 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xf8e2b3, \
 "levers.dat" index 12 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333", \
 "levers.dat" index 13 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xefc159, \
 "levers.dat" index 13 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333", \
 "levers.dat" index 14 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xe69f00, \
 "levers.dat" index 14 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"

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
set tmargin at screen 0.44286
set bmargin at screen 0.09643
set label '{/:Bold=13 KEY2}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:800000]
set xtics ()
set xtics add ("0" 0)
set xtics add ("200" 200000)
set xtics add ("400" 400000)
set xtics add ("600" 600000)
set xtics add ("800" 800000)
set yrange [0:1]
set ytics 0, 0.5
unset grid
set xlabel "thousand interactions" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "share of trials" offset 0.4, 0 tc rgb "#333333" noenhanced
set object rectangle from graph 1.04, graph 0.0200 to graph 1.09, graph 0.0813 noclip fs solid 1 noborder fc rgb 0xb3d5e8
set label "400 × 5" at graph 1.11, graph 0.0507 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.1076 to graph 1.09, graph 0.1690 noclip fs solid 1 noborder fc rgb 0x59a3cd
set label "700 × 5" at graph 1.11, graph 0.1383 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.1953 to graph 1.09, graph 0.2566 noclip fs solid 1 noborder fc rgb 0x0072b2
set label "1000 × 5" at graph 1.11, graph 0.2259 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.2829 to graph 1.09, graph 0.3442 noclip fs solid 1 noborder fc rgb 0xf8e2b3
set object rectangle from graph 1.04, graph 0.2829 to graph 1.09, graph 0.3442 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "400 × 20" at graph 1.11, graph 0.3136 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.3705 to graph 1.09, graph 0.4319 noclip fs solid 1 noborder fc rgb 0xefc159
set object rectangle from graph 1.04, graph 0.3705 to graph 1.09, graph 0.4319 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "700 × 20" at graph 1.11, graph 0.4012 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.4581 to graph 1.09, graph 0.5195 noclip fs solid 1 noborder fc rgb 0xe69f00
set object rectangle from graph 1.04, graph 0.4581 to graph 1.09, graph 0.5195 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "1000 × 20" at graph 1.11, graph 0.4888 left font ",11" tc rgb "#333333"
set label "tau × reps" at graph 1.04, graph 0.5808 left font ",11" tc rgb "#666666"
plot \
 "levers.dat" index 15 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xb3d5e8, \
 "levers.dat" index 16 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0x59a3cd, \
 "levers.dat" index 17 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0x0072b2, \
 "levers.dat" index 18 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xf8e2b3, \
 "levers.dat" index 18 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333", \
 "levers.dat" index 19 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xefc159, \
 "levers.dat" index 19 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333", \
 "levers.dat" index 20 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xe69f00, \
 "levers.dat" index 20 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"

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
set tmargin at screen 0.44286
set bmargin at screen 0.09643
set label '{/:Bold=13 KEY3}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:800000]
set xtics ()
set xtics add ("0" 0)
set xtics add ("200" 200000)
set xtics add ("400" 400000)
set xtics add ("600" 600000)
set xtics add ("800" 800000)
set yrange [0:1]
set ytics 0, 0.5
unset grid
set xlabel "thousand interactions" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "share of trials" offset 0.4, 0 tc rgb "#333333" noenhanced
set object rectangle from graph 1.04, graph 0.0200 to graph 1.09, graph 0.0813 noclip fs solid 1 noborder fc rgb 0xb3d5e8
set label "400 × 5" at graph 1.11, graph 0.0507 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.1076 to graph 1.09, graph 0.1690 noclip fs solid 1 noborder fc rgb 0x59a3cd
set label "700 × 5" at graph 1.11, graph 0.1383 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.1953 to graph 1.09, graph 0.2566 noclip fs solid 1 noborder fc rgb 0x0072b2
set label "1000 × 5" at graph 1.11, graph 0.2259 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.2829 to graph 1.09, graph 0.3442 noclip fs solid 1 noborder fc rgb 0xf8e2b3
set object rectangle from graph 1.04, graph 0.2829 to graph 1.09, graph 0.3442 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "400 × 20" at graph 1.11, graph 0.3136 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.3705 to graph 1.09, graph 0.4319 noclip fs solid 1 noborder fc rgb 0xefc159
set object rectangle from graph 1.04, graph 0.3705 to graph 1.09, graph 0.4319 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "700 × 20" at graph 1.11, graph 0.4012 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.4581 to graph 1.09, graph 0.5195 noclip fs solid 1 noborder fc rgb 0xe69f00
set object rectangle from graph 1.04, graph 0.4581 to graph 1.09, graph 0.5195 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "1000 × 20" at graph 1.11, graph 0.4888 left font ",11" tc rgb "#333333"
set label "tau × reps" at graph 1.04, graph 0.5808 left font ",11" tc rgb "#666666"
plot \
 "levers.dat" index 21 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xb3d5e8, \
 "levers.dat" index 22 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0x59a3cd, \
 "levers.dat" index 23 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0x0072b2, \
 "levers.dat" index 24 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xf8e2b3, \
 "levers.dat" index 24 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333", \
 "levers.dat" index 25 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xefc159, \
 "levers.dat" index 25 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333", \
 "levers.dat" index 26 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xe69f00, \
 "levers.dat" index 26 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"

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
set tmargin at screen 0.44286
set bmargin at screen 0.09643
set label '{/:Bold=13 MC}' at graph 0, graph 1 offset character 0, 1.2 left tc rgb "#000000"
set xrange [0:25000000]
set xtics ()
set xtics add ("0" 0)
set xtics add ("5" 5000000)
set xtics add ("10" 10000000)
set xtics add ("15" 15000000)
set xtics add ("20" 20000000)
set xtics add ("25" 25000000)
set yrange [0:1]
set ytics 0, 0.5
unset grid
set xlabel "million interactions" offset 0, 0.4 tc rgb "#333333" noenhanced
set ylabel "share of trials" offset 0.4, 0 tc rgb "#333333" noenhanced
set object rectangle from graph 1.04, graph 0.0200 to graph 1.09, graph 0.0813 noclip fs solid 1 noborder fc rgb 0xb3d5e8
set label "4000 × 10" at graph 1.11, graph 0.0507 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.1076 to graph 1.09, graph 0.1690 noclip fs solid 1 noborder fc rgb 0x59a3cd
set label "7000 × 10" at graph 1.11, graph 0.1383 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.1953 to graph 1.09, graph 0.2566 noclip fs solid 1 noborder fc rgb 0x0072b2
set label "10000 × 10" at graph 1.11, graph 0.2259 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.2829 to graph 1.09, graph 0.3442 noclip fs solid 1 noborder fc rgb 0xf8e2b3
set object rectangle from graph 1.04, graph 0.2829 to graph 1.09, graph 0.3442 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "4000 × 50" at graph 1.11, graph 0.3136 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.3705 to graph 1.09, graph 0.4319 noclip fs solid 1 noborder fc rgb 0xefc159
set object rectangle from graph 1.04, graph 0.3705 to graph 1.09, graph 0.4319 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "7000 × 50" at graph 1.11, graph 0.4012 left font ",11" tc rgb "#333333"
set object rectangle from graph 1.04, graph 0.4581 to graph 1.09, graph 0.5195 noclip fs solid 1 noborder fc rgb 0xe69f00
set object rectangle from graph 1.04, graph 0.4581 to graph 1.09, graph 0.5195 noclip fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
set label "10000 × 50" at graph 1.11, graph 0.4888 left font ",11" tc rgb "#333333"
set label "tau × reps" at graph 1.04, graph 0.5808 left font ",11" tc rgb "#666666"
plot \
 "levers.dat" index 27 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xb3d5e8, \
 "levers.dat" index 28 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0x59a3cd, \
 "levers.dat" index 29 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0x0072b2, \
 "levers.dat" index 30 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xf8e2b3, \
 "levers.dat" index 30 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333", \
 "levers.dat" index 31 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xefc159, \
 "levers.dat" index 31 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333", \
 "levers.dat" index 32 using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb 0xe69f00, \
 "levers.dat" index 32 using 1:2:3:4:5:6 with boxxyerror fs transparent pattern (format eq "pdf" ? 6 : 4) noborder fc rgb "#333333"
unset multiplot

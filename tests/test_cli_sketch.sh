#!/usr/bin/env bash
# Sketches from every kind of drawing, and what comes of them in the units of the user.
source "$(dirname "$0")/cli.sh"
source_dir=$2
cd "$work" || exit 1

# a ROS map as map_saver writes it: two rooms of 4 x 4 m with a door of 1 m, unknown around them
python3 - <<'PYTHON'
width, height = 100, 60
rows = [[205] * width for _ in range(height)]
for y in range(10, 50):
    for x in range(10, 90):
        wall = x in (10, 89) or y in (10, 49) or (x in (49, 50) and not 30 <= y < 40)
        rows[y][x] = 0 if wall else 254
rows[20][30:34] = [205] * 4
with open("rooms.pgm", "wb") as out:
    out.write(b"P5\n# CREATOR: map_saver.cpp 0.100 m/pix\n%d %d\n255\n" % (width, height) + b"".join(map(bytes, rows)))
with open("inverse.pgm", "w") as out:
    out.write("P2\n%d %d\n255\n" % (width, height) + "\n".join(" ".join(str(255 - v) for v in row) for row in rows) + "\n")
PYTHON
ros() { # FILE LINES...: a map_server's YAML with these lines at its end
    printf '%s\n' 'image: rooms.pgm' 'resolution: 0.100000' 'origin: [-5.000000, -3.000000, 0.000000]' 'negate: 0' \
        'occupied_thresh: 0.65' 'free_thresh: 0.196' "${@:2}" >"$1"
}
ros rooms.yaml

# one command, from the map to subgoals in metres
runs 0 'recommendation after .* x1=-?[0-3]\.[0-9]+ y1=-?[0-2]\.[0-9]+' '' sketch rooms.yaml --start -3,1 --goal 3,1 \
    --goal-radius 0.4 --radius 0.2 --subgoals 1 --out arena.yaml --run --budget 100000 --seed 1
runs 0 'rooms, instance 1' - show arena.yaml
matches '^cell_size: 0\.(25|5)$' arena.yaml || fail "cells: $(cat arena.yaml)"
runs 0 'ok +solvable' - check arena.yaml --probe 20
refuses 'arena.yaml: File exists; --replace writes over it' sketch rooms.yaml --start -3,1 --goal 3,1 --out arena.yaml
ls ./*.besd >/dev/null 2>&1 || fail "no study was left"
study=$(ls ./*.besd | head -1)
runs 0 '"designs":\[\{"theta"' - recommend "$study" --count 3 --json
runs 0 score - recommend "$study" --count 4 --apart 0.2
[ "$(wc -l <out)" -le 4 ] || fail "more than 4 designs: $(cat out)"
refuses 'count: expected 1 to 1000 designs, got 0' recommend "$study" --count 0

# the same map by other doors is the same sketch
runs 0 '' '' sketch rooms.yaml --start -3,1 --goal 3,1 --subgoals 1
mv out first
ros inverse.yaml && sed -i 's/rooms.pgm/inverse.pgm/; s/negate: 0/negate: 1/' inverse.yaml
runs 0 '' '' sketch inverse.yaml --start -3,1 --goal 3,1 --subgoals 1 --name rooms
checks=$((checks + 1)) && { cmp -s out first || fail "negate: another sketch: $(diff out first)"; }
runs 0 '' '' sketch rooms.pgm --scale 0.1 --origin=-5,-3 --start -3,1 --goal 3,1 --subgoals 1 --json
matches '"cell_size":0\.' out && matches '"learnt":true' out || fail "$(cat out)"

# unknown places may be walls
runs 0 'wall: \["[a-z]+", "-"\]' '' sketch rooms.yaml --start -3,1 --goal 3,1 --subgoals 1 --unknown maybe

# what is wrong with a map
refuses 'it has no start; .*--start X,Y' sketch rooms.yaml --goal 3,1
refuses 'it has no goal; .*--goal X,Y' sketch rooms.yaml --start 3,1
refuses 'start: expected a place in the sketch' sketch rooms.yaml --start 30,1 --goal 3,1
refuses 'the start .* is in a wall' sketch rooms.yaml --start -4.9,1 --goal 3,1
refuses 'no way leads from the start' sketch rooms.yaml --start -3,1 --goal 3,1 --radius 0.6
refuses 'radius: expected a number above 0' sketch rooms.yaml --start -3,1 --goal 3,1 --radius -1
refuses 'goal: expected 2 or 4 numbers, got 3' sketch rooms.yaml --start -3,1 --goal 3,1,2
refuses "unknown: expected wall, free or maybe, got 'what'" sketch rooms.yaml --unknown what
refuses 'subgoals: expected a number, 1 to 8, or a range' sketch rooms.yaml --subgoals 3..1
refuses 'moves: expected 4 or 8, got 6' sketch rooms.yaml --moves 6
refuses 'how large is a pixel of the picture' sketch rooms.pgm --start 3,1 --goal 4,1
refuses 'scale: expected a number above 0' sketch rooms.pgm --scale 0 --start 3,1 --goal 4,1
refuses 'the file itself has its scale' sketch rooms.yaml --scale 0.1 --start -3,1 --goal 3,1
for wrong in 's/0.000000\]/1.570796]/|the map is turned by 1.5708' 's/0.100000/0/|resolution: expected the side' \
    's/0.100000/1e9/|resolution: expected the side' 's/rooms.pgm/gone.pgm/|gone.pgm: No such file' \
    's/0.65/0.1/|expected 0 <= free_thresh' 's/negate: 0/negate: 7/|negate: expected 0 or 1' \
    's/^image/mode: odd\nimage/|mode' 's/, -3.000000, 0.000000//|origin'; do
    sed "${wrong%%|*}" rooms.yaml >wrong.yaml
    refuses "${wrong#*|}" sketch wrong.yaml --start -3,1 --goal 3,1
done
head -c 3000 rooms.pgm >cut.pgm
sed 's/rooms.pgm/cut.pgm/' rooms.yaml >wrong.yaml
refuses 'cut.pgm: expected 60 rows of 100 pixels, row 30 is cut off' sketch wrong.yaml --start -3,1 --goal 3,1
printf 'P5\n99999 99999\n255\n' >huge.pgm
refuses 'huge.pgm: expected a picture of at most 32768 pixels a side' sketch huge.pgm --scale 0.1 --start 3,1 --goal 4,1

# characters and polygons; the examples are what the manual says they are
runs 0 '^cell_size: 0.5$' '' sketch "$source_dir/examples/sketches/point_maze.txt" --subgoals 1
runs 0 'wall: \["[a-z]+", "[a-z]+"\]' '' sketch "$source_dir/examples/sketches/three_walls.yaml" --subgoals 2 --moves 8
matches '^moves: 8$' out || fail "$(cat out)"
printf 'S.?..\n..#.G\n' >small.txt
refuses 'cell: with cells of 9 no way leads' sketch small.txt --cell 9 --scale 1
printf 'S.K..\n..D.G\n..#..\n' >doors.txt
refuses 'a map with doors, keys, .* keeps the cells' sketch doors.txt --radius 0.1
refuses 'expected a map|No such file' sketch gone.txt
runs 2 - '--run wants --out' sketch rooms.yaml --run
finish

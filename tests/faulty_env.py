"""A corridor that speaks the protocol and has one fault; tests/test_cli_process.sh runs them all.

usage: faulty_env.py FAULT [LANES]
"""
import json
import os
import signal
import sys
import time

fault = sys.argv[1]
lanes = int(sys.argv[2]) if len(sys.argv) > 2 else 16
LENGTH, CAP = 20, 200
place, steps, start, count = [0] * 16, [0] * 16, [0] * 16, 0


def row(lane, reward=0, end=0):
    state, x = place[lane], place[lane] + 0.5
    return [state, reward, end, x, 0.5]


def step(lane, action):
    place[lane] = min(max(place[lane] + (action == 1) - (action == 3), 0), LENGTH - 1)
    steps[lane] += 1
    goal = place[lane] == LENGTH - 1
    end = 1 if goal else 2 if steps[lane] >= CAP and fault != "no-truncation" else 0
    return row(lane, 1 if goal else 0, end)


def send(text):
    os.write(1, text if isinstance(text, bytes) else (text + "\n").encode())


def answer(key, value):
    global count
    if key == "hello":
        name = "two words" if fault == "name" else "corridor"
        return {"protocol": 2 if fault == "version" else 1, "name": name,
                "lanes": 99 if fault == "lanes" else lanes}
    if key == "spec":
        spec = {"actions": 4, "states": LENGTH, "observation": 2, "position": 2, "low": [0, 0],
                "high": [LENGTH, 1], "cap": CAP, "settings": {"tau": [200, 400], "step_timeout": 5}}
        if fault == "no-cap":
            del spec["cap"]
        if fault == "low":
            spec["low"] = [0]
        if fault == "box":
            spec["high"] = [LENGTH, 0]
        if fault == "setting":
            spec["settings"] = {"gamma": 7}
        if fault == "reach":
            spec["reach"] = "touch"
        return spec
    if key == "instance":
        start[value["lane"]] = value["seed"] % 8
        return {}
    if key == "reset":
        if fault == "hang-reset":
            time.sleep(60)
        lane = value["lane"]
        place[lane], steps[lane] = start[lane], 0
        return row(lane, 1 if fault == "reset-reward" else 0)
    rows = [step(lane, action) for lane, action in value]
    count += 1
    if count < 30:
        return rows
    if fault == "hang-step":
        time.sleep(60)
    elif fault == "dribble":
        while True:
            send(b" ")
            time.sleep(0.05)
    elif fault == "exit":
        sys.exit(3)
    elif fault == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif fault == "closes":
        os.close(1), os.close(0)
        time.sleep(60)
    elif fault == "rubbish":
        send("<html>hello</html>")
    elif fault == "partial":
        send(b'{"step":[[1,')
        sys.exit(0)
    elif fault == "long":
        for _ in range(100):
            send(b"x" * 1000000)
    elif fault == "two-lines":
        send('{"step":%s}\n{"step":[]}' % json.dumps(rows))
        return None
    elif fault == "state":
        rows[0][0] = LENGTH
    elif fault == "state-real":
        rows[0][0] = 1.5
    elif fault == "position":
        rows[0][3] = -0.5
    elif fault == "nan":
        rows[0][1] = float("nan")
    elif fault == "null":
        rows[0][1] = None
    elif fault == "end":
        rows[0][2] = 3
    elif fault == "short-row":
        rows[0].pop()
    elif fault == "few-rows":
        rows.pop()
    elif fault == "other-key":
        send('{"steps":[]}')
        return None
    elif fault == "error":
        send('{"error":"the arm has hit the wall"}')
        return None
    elif fault == "list":
        send("[1, 2]")
        return None
    elif fault == "bytes":
        send(b"\xff\xfe\x00\n")
        return None
    return rows


for line in sys.stdin:
    (key, value), = json.loads(line).items()
    if key == "close":
        if fault == "stays":
            time.sleep(60)
        break
    if fault == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    said = answer(key, value)
    if said is not None:
        send(json.dumps({key: said}))

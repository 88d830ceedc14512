"""The logic of examples/ros2/besd_worker.py with the stand-in of rclpy, against a real server: what the happy path does
not show. usage: ros2_worker.py TOOL SOURCE FOLDER PORT"""

import json
import subprocess
import sys
import time
import urllib.request

besd, source, folder, port = sys.argv[1:]
sys.path[:0] = [f"{source}/examples/ros2/stub", f"{source}/examples/ros2"]
sys.argv[1:] = []

import besd_worker  # noqa: E402
import rclpy  # noqa: E402
from std_msgs.msg import String  # noqa: E402

study = f"{folder}/odd.besd"
url = f"http://127.0.0.1:{port}"
heard = []


def serve():
    child = subprocess.Popen([besd, "serve", study, "--listen", f"127.0.0.1:{port}", "--quiet"], stdout=subprocess.DEVNULL)
    while True:
        try:
            urllib.request.urlopen(f"{url}/readyz", timeout=5).close()
            return child
        except OSError:
            time.sleep(0.05)


def trials():
    done = subprocess.run([besd, "trials", study, "--json"], capture_output=True, text=True, check=True)
    return {trial["trial"]: trial for trial in json.loads(done.stdout)["trials"]}


def until(true):
    for _ in range(400):
        if true():
            return
        rclpy.spin_once(timeout_sec=0.05)
    raise AssertionError("waited in vain")


def publish(**outcome):
    worker.on_scores(String(data=json.dumps(outcome)))


subprocess.run([besd, "create", study, "--spec", f"{source}/examples/ros2/lamp.yaml"], check=True, stdout=subprocess.DEVNULL)
server = serve()
rclpy.init(["-p", f"url:={url}", "-p", "study:=odd", "-p", "worker:=rover1", "-p", "lease:=4"])
worker = besd_worker.BesdWorker()
rclpy._topics["trial"].append(lambda message: heard.append(json.loads(message.data)))

# scores are told; others than those of the trial under way are not
until(lambda: len(heard) == 1)
publish(trial=99, scores=[1, 2])
worker.on_scores(String(data="rubbish"))
worker.on_scores(String(data="[1]"))
assert trials()[1]["state"] == "asked"
publish(trial=1, scores=[31, 28], note="sunny")
assert trials()[1]["scores"] == [31, 28] and trials()[1]["note"] == "sunny" and trials()[1]["worker"] == "rover1"

# a failure is told, and refused scores are one, with the sentence
until(lambda: len(heard) == 2)
publish(trial=2, failed="flat tyre")
assert trials()[2]["state"] == "failed" and trials()[2]["note"] == "flat tyre"
until(lambda: len(heard) == 3)
publish(trial=3, scores=[31])
until(lambda: trials()[3]["state"] == "failed")
assert "scores" in trials()[3]["note"], trials()[3]

# the lease is renewed for as long as the robot trains
until(lambda: len(heard) == 4)
end = time.monotonic() + 5
until(lambda: time.monotonic() > end)
assert trials()[4]["lease_until"] > time.time()

# a server that goes away is waited for; the scores are told once
server.terminate()
server.wait()
publish(trial=4, scores=[5, 6])
until(lambda: True)
assert worker.outcome is not None and trials()[4]["state"] == "asked"
server = serve()
until(lambda: trials()[4]["state"] == "told")
until(lambda: len(heard) == 5)

# a worker that dies gives its trial back: the next one gets the same
worker.over = True
time.sleep(4.2)
rclpy.parameters["worker"] = "rover2"
other = besd_worker.BesdWorker()
until(lambda: len(heard) == 6)
assert heard[5]["trial"] == heard[4]["trial"] and heard[5]["replication_seeds"] == heard[4]["replication_seeds"]
assert trials()[5]["worker"] == "rover2"
server.terminate()
server.wait()
print("the worker of ROS 2: 6 trials")

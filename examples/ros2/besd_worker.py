"""A ROS 2 node that works on a study of `besd serve`: it asks for trials, publishes them, and tells the scores.

Topics (std_msgs/String with JSON in it, so that no message has to be built):
  trial   what is to be trained: theta, tau, reps, seeds, as docs/trainer.md has it
  scores  {"trial": 7, "scores": [31, 28]}, or {"trial": 7, "failed": "the battery was low"}
Parameters: url, study, worker, lease (seconds), token (only if the server wants one).

While the robot trains, the node keeps the lease. A node that dies gives its trial back when the lease ends.
"""
import json
import time
import urllib.error
import urllib.request
import uuid

import rclpy
from rclpy.node import Node
from std_msgs.msg import String

TICK = 0.5  # seconds between looks


class Service:
    """A study over HTTP. What is sent again has the same key, so that it is done once."""

    def __init__(self, url, study, token=""):
        self.place = f"{url.rstrip('/')}/v1/studies/{study}"
        self.token = token

    def post(self, path, body, key=None):
        """The answer, or None when the server is away or busy: try again later, with the same key."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": key or str(uuid.uuid4())}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(f"{self.place}/{path}", json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code == 503:
                return None
            return {"error": error.read().decode(errors="replace"), "code": error.code}
        except OSError:
            return None


class BesdWorker(Node):
    def __init__(self):
        super().__init__("besd_worker")
        value = {name: self.declare_parameter(name, usual).value for name, usual in (
            ("url", "http://127.0.0.1:8420"), ("study", "rover"), ("worker", "robot"), ("lease", 60.0), ("token", ""))}
        self.service = Service(value["url"], value["study"], value["token"])
        self.worker, self.lease = value["worker"], float(value["lease"])
        self.trial = self.outcome = self.key = None
        self.renewed = 0.0
        self.over = False
        self.trials = self.create_publisher(String, "trial", 10)
        self.create_subscription(String, "scores", self.on_scores, 10)
        self.create_timer(TICK, self.tick)

    def tick(self):
        """Asks, keeps the lease, or tells; whatever fails is tried again at the next tick."""
        if self.over:
            return
        if self.trial is None:
            self.ask()
        elif self.outcome is not None:
            self.tell()
        elif time.monotonic() - self.renewed > self.lease / 3:
            self.keep_lease()

    def ask(self):
        self.key = self.key or str(uuid.uuid4())
        answer = self.service.post("ask", {"worker": self.worker, "lease": self.lease}, self.key)
        if answer is None:
            return
        self.key = None
        if "error" in answer:
            self.get_logger().error(answer["error"])
            self.over = answer["code"] < 500
        elif answer.get("done"):
            self.get_logger().info(f"the study is over: {answer['reason']}")
            self.over = True
        else:
            self.trial, self.renewed = answer, time.monotonic()
            self.get_logger().info(f"trial {answer['trial']}: {answer['theta']}, tau {answer['tau']}")
            self.trials.publish(String(data=json.dumps(answer)))

    def keep_lease(self):
        body = {"worker": self.worker, "lease": self.lease}
        answer = self.service.post(f"trials/{self.trial['trial']}/renew", body)
        if answer is not None and "error" in answer:  # it ended; the scores are still taken if they come first
            self.get_logger().warning(answer["error"])
        if answer is not None:
            self.renewed = time.monotonic()

    def on_scores(self, message):
        try:
            outcome = json.loads(message.data)
        except ValueError:
            self.get_logger().error(f"scores: expected JSON, got {message.data[:80]!r}")
            return
        if self.trial is None or not isinstance(outcome, dict) or outcome.get("trial") != self.trial["trial"]:
            self.get_logger().warning(f"scores of a trial that is not under way: {message.data[:80]}")
            return
        self.outcome, self.key = outcome, str(uuid.uuid4())
        self.tell()

    def tell(self):
        body = {"worker": self.worker}
        verb = "fail" if "failed" in self.outcome else "tell"
        if verb == "fail":
            body["note"] = str(self.outcome["failed"])
        else:
            body.update({name: self.outcome[name] for name in ("scores", "cost", "note", "legs") if name in self.outcome})
        answer = self.service.post(f"trials/{self.trial['trial']}/{verb}", body, self.key)
        if answer is None:
            return
        if "error" in answer and answer["code"] != 409:  # 409: another worker was faster
            self.get_logger().error(answer["error"])
        refused = answer.get("code") in (400, 422) and verb == "tell"
        self.outcome = {"trial": self.trial["trial"], "failed": answer["error"][:400]} if refused else None
        self.key = str(uuid.uuid4()) if refused else None
        if not refused:
            self.trial = None
            self.ask()


def main():
    rclpy.init()
    node = BesdWorker()
    while rclpy.ok() and not node.over:
        rclpy.spin_once(node, timeout_sec=TICK)
    node.destroy_node()
    rclpy.shutdown()


if __name__ == "__main__":
    main()

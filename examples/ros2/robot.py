"""A robot to try the worker with: it "trains" at once. Replace `train` by what moves yours.

It looks for a lamp at (3, 7); the score is the time that this takes, with chance in it.
"""
import json
import math
import random

import rclpy
from rclpy.node import Node
from std_msgs.msg import String


def train(theta, tau, seed):
    """One replication: the score of an agent that was trained for tau interactions."""
    distance = math.hypot(theta["x"] - 3, theta["y"] - 7)
    return math.exp(1 + 0.3 * distance + 80 / tau + random.Random(seed).uniform(-0.2, 0.2))


class Robot(Node):
    def __init__(self):
        super().__init__("robot")
        self.scores = self.create_publisher(String, "scores", 10)
        self.create_subscription(String, "trial", self.on_trial, 10)

    def on_trial(self, message):
        trial = json.loads(message.data)
        scores = [train(trial["theta"], trial["tau"], seed) for seed in trial["replication_seeds"]]
        self.scores.publish(String(data=json.dumps({"trial": trial["trial"], "scores": scores})))


def main():
    rclpy.init()
    rclpy.spin(Robot())


if __name__ == "__main__":
    main()

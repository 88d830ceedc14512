"""As much of rclpy as besd_worker.py and robot.py use, in one process: to try their logic where there is no ROS.

Topics are lists of callbacks, messages wait in a queue, timers fire when they are due. Nothing here is ROS.
"""
import collections
import sys
import time

_running = False
_topics: dict = collections.defaultdict(list)
_waiting: collections.deque = collections.deque()
_timers: list = []
parameters: dict = {}


def init(args=None):
    """Reads --ros-args -p name:=value."""
    global _running
    _running = True
    words = args if args is not None else sys.argv
    for flag, word in zip(words, words[1:]):
        if flag == "-p" and ":=" in word:
            name, text = word.split(":=", 1)
            parameters[name] = text


def ok():
    return _running


def shutdown():
    global _running
    _running = False


def spin_once(node=None, timeout_sec=0.1):
    """One message, or one timer that is due, or a nap."""
    del node
    if _waiting:
        callback, message = _waiting.popleft()
        callback(message)
        return
    now = time.monotonic()
    for timer in _timers:
        if timer[1] <= now:
            timer[1] = now + timer[0]
            timer[2]()
            return
    time.sleep(min([timeout_sec or 0.0, *(max(0.0, timer[1] - now) for timer in _timers)]))


def spin(node):
    while ok():
        spin_once(node)

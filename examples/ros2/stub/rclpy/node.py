"""Node of the stub."""
import sys
import time
import types

import rclpy


class _Logger:
    def __init__(self, name):
        self.name = name

    def _say(self, kind, text):
        print(f"[{kind}] [{self.name}]: {text}", file=sys.stderr)

    def info(self, text):
        self._say("INFO", text)

    def warning(self, text):
        self._say("WARN", text)

    def error(self, text):
        self._say("ERROR", text)


class Node:
    def __init__(self, name):
        self._logger = _Logger(name)

    def declare_parameter(self, name, usual):
        given = rclpy.parameters.get(name)
        return types.SimpleNamespace(value=usual if given is None else type(usual)(given))

    def create_publisher(self, kind, topic, depth):
        del kind, depth
        return types.SimpleNamespace(
            publish=lambda message: rclpy._waiting.extend((callback, message) for callback in rclpy._topics[topic]))

    def create_subscription(self, kind, topic, callback, depth):
        del kind, depth
        rclpy._topics[topic].append(callback)

    def create_timer(self, seconds, callback):
        rclpy._timers.append([seconds, time.monotonic(), callback])

    def get_logger(self):
        return self._logger

    def destroy_node(self):
        pass

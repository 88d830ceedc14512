"""The executor of the stub: there is one queue for all nodes, so there is nothing to add."""
import rclpy


class SingleThreadedExecutor:
    def add_node(self, node):
        del node

    def spin_once(self, timeout_sec=0.1):
        rclpy.spin_once(timeout_sec=timeout_sec)

"""The worker and the robot in one process, until the study is over: python3 both.py --ros-args -p study:=lamp"""
import rclpy
from besd_worker import TICK, BesdWorker
from rclpy.executors import SingleThreadedExecutor
from robot import Robot

rclpy.init()
worker, robot = BesdWorker(), Robot()
executor = SingleThreadedExecutor()
executor.add_node(worker)
executor.add_node(robot)
while rclpy.ok() and not worker.over:
    executor.spin_once(timeout_sec=TICK)
rclpy.shutdown()

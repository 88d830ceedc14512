"""std_msgs.msg.String of the stub."""


class String:
    def __init__(self, data=""):
        self.data = data

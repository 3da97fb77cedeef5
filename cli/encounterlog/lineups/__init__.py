"""Line-ups of a fight: parties, encounters and stat blocks of other tools, and the parties of other logs."""

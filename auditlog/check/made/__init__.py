"""What is made again from the packets: their findings, the statistics, and completion."""

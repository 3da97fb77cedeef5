"""Speed as ratios against a floor or a peer, measured in one run. Start with python -m benchmarks."""

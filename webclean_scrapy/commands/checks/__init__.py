"""What ``doctor`` looks at: functions from settings, and facts of the machine, to findings."""

package jvmtest

import "runtime/debug"

// RaceDetector reports whether the test was built with the race detector, with which programs take many times the
// memory and the time.
func RaceDetector() bool {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return false
	}
	for _, s := range info.Settings {
		if s.Key == "-race" {
			return s.Value == "true"
		}
	}
	return false
}

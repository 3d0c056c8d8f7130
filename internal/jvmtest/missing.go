package jvmtest

import (
	"os"
	"testing"
)

// Missing skips a test for which the machine lacks something, and says what. In CI, which is to have everything (the
// environment variable CI is set), it fails the test.
func Missing(tb testing.TB, format string, args ...any) {
	tb.Helper()
	if os.Getenv("CI") != "" {
		tb.Fatalf(format, args...)
	}
	tb.Skipf(format, args...)
}

// Long tells whether the exhaustive versions of tests run (the environment variable MALLARD_LONG is set).
func Long() bool { return os.Getenv("MALLARD_LONG") != "" }

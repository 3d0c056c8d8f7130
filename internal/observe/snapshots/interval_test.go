package snapshots

import (
	"testing"
	"time"
)

// TestIntervals reads intervals as users write them.
func TestIntervals(t *testing.T) {
	for text, want := range map[string]Interval{
		"100ms": {Time: 100 * time.Millisecond}, "1ms": {Time: time.Millisecond}, "1h": {Time: time.Hour},
		"1000bc": {Bytecodes: 1000}, "1000000bc": {Bytecodes: 1e6}, "1000000000000000bc": {Bytecodes: 1e15},
	} {
		if got, err := parse(text); err != nil || got != want {
			t.Errorf("%s: %v, error %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "0s", "-1s", "1", "bc", "1.5bc", "-5bc", "9223372036854775808bc", "soon"} {
		if got, err := ParseInterval(text); err == nil {
			t.Errorf("%s is %v", text, got)
		}
	}
	for _, text := range []string{"999us", "61m", "999bc", "1000000000000001bc"} {
		if got, err := parse(text); err == nil {
			t.Errorf("snapshots every %s: %v", text, got)
		}
		if _, err := ParseInterval(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

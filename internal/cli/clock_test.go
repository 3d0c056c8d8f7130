package cli

import (
	"testing"
	"time"
)

func TestClock(t *testing.T) {
	started := time.Date(2026, 1, 31, 23, 58, 30, 500_000_000, time.Local)
	c := clock{started: started, end: 26 * time.Hour}
	for text, want := range map[string]time.Duration{
		"":                      0,
		"12.5":                  12500 * time.Millisecond,
		"12.5s":                 12500 * time.Millisecond,
		"-1h":                   25 * time.Hour,
		"-99h":                  0,
		"23:58":                 0, // in the minute that was running
		"23:58:30":              0,
		"23:58:31":              500 * time.Millisecond,
		"23:58:30.75":           250 * time.Millisecond,
		"23:59":                 29500 * time.Millisecond,
		"00:00":                 89500 * time.Millisecond, // the next day
		"23:57":                 24*time.Hour - 90500*time.Millisecond,
		"2026-02-01 00:00":      89500 * time.Millisecond,
		"2026-02-02 00:00:00.5": 24*time.Hour + 90*time.Second,
		"2026-01-30 12:00":      0, // before it began
		started.Add(time.Minute).UTC().Format(time.RFC3339Nano): time.Minute,
	} {
		if got, err := c.instant("from", text); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"noon", "12", "1:2:3:4", "24:00", "12:60", "2026-13-01 00:00", "snapshot:x", "1e10"} {
		_, err := clock{}.instant("from", text)
		if text == "12" != (err == nil) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := c.instant("from", "2026-02-03 12:00"); err == nil {
		t.Error("a time behind the end")
	}
	c.started = time.Time{}
	if _, err := c.instant("from", "12:03"); err == nil {
		t.Error("a time of a recording that does not say when it began")
	}
}

package export

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"mallard/internal/profile"
	"mallard/internal/replica"
	"mallard/internal/trace"
)

// TestLeftOut: collections that are in no figure are named with why, those that the budget has left out and those of
// which the recorder has not got all.
func TestLeftOut(t *testing.T) {
	const budget = "1 collection, as hashing is to take 100ms of a pause (run --replicas-pause)"
	const lost = "2 collections, as the recorder could not follow: what they found was not all there"
	for want, work := range map[string]replica.Work{
		"":                   {Walks: 3},
		budget:               {Skipped: 1, Budget: 100 * time.Millisecond},
		lost:                 {Incomplete: 2},
		budget + "\n" + lost: {Skipped: 1, Incomplete: 2, Budget: 100 * time.Millisecond},
	} {
		if got := strings.Join(leftOut(&replica.Answer{Work: work}), "\n"); got != want {
			t.Errorf("%+v: %q, want %q", work, got, want)
		}
	}
}

// TestUncountedText: where no site was counted that is said, and no flag is named that would not help.
func TestUncountedText(t *testing.T) {
	for track, want := range map[string]string{
		"sites":     "Reads       none: no class has told what it reads for long enough; \"run --sampling-pause 5s\"",
		"uncounted": "Reads       unknown: all code was left as it was (run --no-sites)\n",
	} {
		p := &profile.Profile{Process: &trace.Process{Track: []string{"replicas", track}}}
		var out bytes.Buffer
		if err := NewSampledReport("demo.mallard", p, &replica.SampledAnswer{}).Text(&out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: %q is not in\n%s", track, want, out.String())
		}
	}
}

package session

import (
	"testing"
	"time"
)

// TestWaits: a JVM that waits less for an answer than its exit would wait does not wait longer there, unless told.
func TestWaits(t *testing.T) {
	for _, test := range []struct{ answer, exit, wantAnswer, wantExit time.Duration }{
		{0, 0, DefaultAnswerWithin, DefaultExitWithin},
		{time.Minute, 0, time.Minute, DefaultExitWithin},
		{time.Millisecond, 0, time.Millisecond, time.Millisecond},
		{time.Millisecond, time.Minute, time.Millisecond, time.Minute},
		{0, time.Millisecond, DefaultAnswerWithin, time.Millisecond},
	} {
		o := Options{AnswerWithin: test.answer, ExitWithin: test.exit}
		if answer, exit := o.waits(); answer != test.wantAnswer || exit != test.wantExit {
			t.Errorf("told %v and %v: %v and %v, want %v and %v", test.answer, test.exit, answer, exit,
				test.wantAnswer, test.wantExit)
		}
	}
}

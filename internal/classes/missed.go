package classes

import (
	"fmt"
	"slices"
	"time"

	"mallard/internal/abi"
	"mallard/internal/trace"
)

// missedClass is a class that came to be defined, or changed, while the recorder did not answer, or before it was
// there.
type missedClass struct {
	key     Key
	present bool // it was loaded before Mallard was attached
	adaptation
}

// missedClasses are those of a JVM.
type missedClasses struct {
	waiting []*missedClass // to be retransformed
	count   int            // all that there were
	later   int            // of those, the ones that were retransformed
	present presentClasses
}

func (l *missedClasses) add(key Key) {
	l.waiting = append(l.waiting, &missedClass{key: key})
	l.count++
}

// due are those that may be retransformed now, so many at most.
func (l *missedClasses) due(now time.Time, most int) (list []*missedClass) {
	for _, m := range l.waiting {
		if len(list) < most && m.due(now) {
			list = append(list, m)
		}
	}
	return list
}

// retransformed notes what became of one.
func (l *missedClasses) retransformed(m *missedClass, outcome uint32) {
	switch {
	case outcome == abi.OutcomeLive && m.present:
		m.postponeFrom(firstPresentWait, time.Now())
		return
	case outcome == abi.OutcomeLive:
		m.postpone(time.Now())
		return
	case m.present:
		l.present.retransformed(outcome)
	case outcome == abi.OutcomeDone:
		l.later++
	}
	l.waiting = slices.DeleteFunc(l.waiting, func(w *missedClass) bool { return w == m })
}

// forget forgets those of loaders that are gone.
func (l *missedClasses) forget(loaders []trace.LoaderID) {
	l.waiting = slices.DeleteFunc(l.waiting, func(m *missedClass) bool {
		return slices.Contains(loaders, m.key.Loader)
	})
}

// presentWaiting is how many wait of those that were loaded before Mallard was attached: those that had methods
// running, and those that nobody has tried to change so far.
func (l *missedClasses) presentWaiting() (live, untried int) {
	for _, m := range l.waiting {
		switch {
		case !m.present:
		case m.wait > 0:
			live++
		default:
			untried++
		}
	}
	return live, untried
}

// loss is what they cost; nil where there were none.
func (l *missedClasses) loss() *trace.Loss {
	if l.count == 0 {
		return nil
	}
	return &trace.Loss{Kind: "unanswered", Count: uint64(l.count), Detail: fmt.Sprintf(
		"the recorder did not answer in time: of classes that were loaded then, %d count only from some time later "+
			"on, and %d not at all; \"mallard info\" names them", l.later, l.count-l.later)}
}

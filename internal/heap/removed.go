package heap

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mallard/internal/profile"
)

// Removed is what was counted and never born, in all of a recording: objects that compilers did without.
type Removed struct {
	Query
	Rows      []*Counted
	Count     int    // of rows, before Top
	Counted   Amount // all that was selected, as the other sums
	Born      Amount
	Removed   Amount
	Uncounted Amount
	Unsited   Amount // born, nobody knows where, if rows are of sites: as many more may be removed
	LeftOut   bool   // int[], since it cannot be told from unused memory
}

// Removed is what was counted and not born, objects and bytes each by itself. Where the JVM, or native code, has made
// some of the class, it is less by these; of a site it is what is sure. Without known sizes it has no bytes.
func (c *Counted) Removed() Amount {
	a := c.Counted.minus(c.Born).minus(c.others)
	if c.Unsized > 0 {
		a.Bytes = 0
	}
	return Amount{max(0, a.Objects), max(0, a.Bytes)}
}

// Uncounted is what was born and not counted, less what was removed.
func (c *Counted) Uncounted() Amount {
	a := c.Born.minus(c.Counted)
	if c.Made == nil {
		a = a.minus(c.others)
	}
	if c.Unsized > 0 {
		a.Bytes = 0
	}
	return Amount{max(0, a.Objects), max(0, a.Bytes)}
}

// Removed asks what was never born, by class, or by site in a history that tells these apart. It takes a recording
// that lacks nothing of either side; else the error says what.
func (h *History) Removed(p *profile.Profile, q Query) (*Removed, error) {
	counts := NewCounts(h, p)
	if lacks := h.lacks(p, counts); len(lacks) > 0 {
		return nil, errors.New("what compilers removed is unknown: " + strings.Join(lacks, "; "))
	}
	answer := &Removed{Query: q, LeftOut: p.Process.Feature() < FillersNamed}
	list, bySite := counts.list, slices.Contains(q.By, BySite)
	if bySite {
		list = counts.bySite(h.born())
	}
	for _, c := range list {
		if !profile.MatchName(q.Class, c.Name) || answer.LeftOut && c.Name == "int[]" || c.isNothing() {
			continue
		}
		answer.Rows = append(answer.Rows, c)
		answer.Counted, answer.Born = answer.Counted.plus(c.Counted), answer.Born.plus(c.Born)
		answer.Removed, answer.Uncounted = answer.Removed.plus(c.Removed()), answer.Uncounted.plus(c.Uncounted())
		if bySite && c.Made == nil {
			answer.Unsited = answer.Unsited.plus(c.Born)
		}
	}
	answer.Count = len(answer.Rows)
	slices.SortStableFunc(answer.Rows, func(a, b *Counted) int {
		return cmp.Or(cmp.Compare(q.value(b.Removed()), q.value(a.Removed())),
			cmp.Compare(q.value(b.Uncounted()), q.value(a.Uncounted())))
	})
	if q.Top > 0 {
		answer.Rows = answer.Rows[:min(q.Top, len(answer.Rows))]
	}
	return answer, nil
}

func (c *Counted) isNothing() bool { return c.Sites == 0 && c.Born == Amount{} }

// lacks says what is missing of a recording's births or counts.
func (h *History) lacks(p *profile.Profile, counts *Counts) (list []string) {
	if !p.Complete {
		list = append(list, "the recording was cut short")
	}
	last := len(h.Pauses) - 1
	if last < 0 || !h.Pauses[last].Last {
		list = append(list, "the heap at the JVM's end was not read")
	}
	if h.IsLate() {
		list = append(list, fmt.Sprintf("births before %.1f s were given up", h.Begin().Seconds()))
	}
	if n := h.Missing(); n > 0 {
		list = append(list, fmt.Sprintf("%d events of the heap are missing", n))
	}
	for _, loss := range p.Losses {
		if slices.Contains([]string{"objects", "damage", "definitions"}, loss.Kind) {
			list = append(list, loss.Detail)
		}
	}
	unannounced, unread := 0, 0
	for i := range h.Pauses {
		if h.Pauses[i].Unannounced {
			unannounced++
		}
		if h.Pauses[i].Unread > 0 {
			unread++
		}
	}
	if unannounced > 0 {
		list = append(list, fmt.Sprintf("the JVM did not announce %d of its collections", unannounced))
	}
	if unread > 0 {
		list = append(list, fmt.Sprintf("in %d walks a part of the heap was not read", unread))
	}
	if counts.others.Objects > 0 {
		list = append(list, fmt.Sprintf("%d objects are of classes that there were no numbers for",
			counts.others.Objects))
	}
	return list
}

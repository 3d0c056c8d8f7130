package view

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// growing is a file of which more and more is there.
type growing struct {
	all     []byte
	at, end int
}

func (g *growing) Read(b []byte) (int, error) {
	if g.at == g.end {
		return 0, io.EOF
	}
	n := copy(b, g.all[g.at:g.end])
	g.at += n
	return n, nil
}

// laidOut is what there is of the file so far.
func (g *growing) laidOut(t *testing.T) *Recording {
	t.Helper()
	p, err := profile.Fold(bytes.NewReader(g.all[:g.end]))
	if err != nil {
		t.Fatal(err)
	}
	return New(p, nil)
}

// sums are what a query selects of a recording, by what it is.
func sums(r *Recording, q Query) map[string]amount {
	sums, s := map[string]amount{}, r.selected(q)
	for i, context := range r.cells.context {
		c, site := &r.Profile.Contexts[context], &r.Profile.Sites[r.cells.site[i]]
		key := site.Type + " " + r.Profile.Methods[c.Method].Title() + " " +
			r.Profile.Threads[r.cells.thread[i]].Title()
		for at := context; at >= 0; at = r.Profile.Contexts[at].Parent {
			key += " " + r.Profile.Methods[r.Profile.Contexts[at].Method].Title()
		}
		sum := sums[key]
		sum.add(s.cells[i])
		sums[key] = sum
	}
	maps.DeleteFunc(sums, func(_ string, a amount) bool { return a.isZero() })
	return sums
}

// TestReadsOn: what a recording that is written has allocated when is the same whether it is read on, wherever that was
// cut off, or all anew.
func TestReadsOn(t *testing.T) {
	for name, all := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			g := &growing{all: all}
			timing, readings := NewTiming(g), 0
			for _, tenth := range []int{2, 3, 5, 6, 7, 9, 10, 10} {
				if g.end = len(all) * tenth / 10; g.end < len(all) && g.end < 400 {
					continue
				}
				r, anew := g.laidOut(t), g.laidOut(t)
				changes, err := timing.Read(r)
				if err == profile.ErrAnother { // more is known of what was read
					timing = NewTiming(bytes.NewReader(all))
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				r.SetChanges(changes)
				want, err := NewTiming(bytes.NewReader(all[:g.end])).Read(anew)
				if err != nil {
					t.Fatal(err)
				}
				anew.SetChanges(want)
				readings++
				for _, q := range queries(anew) {
					if d := cmp.Diff(sums(anew, q), sums(r, q), cmp.AllowUnexported(amount{})); d != "" {
						t.Fatalf("%d tenths, %+v: -anew +read on\n%s", tenth, q, d)
					}
				}
				to := r.Timeline(Query{}).To
				if !slices.IsSorted(to) || len(slices.Compact(slices.Clone(to))) < len(to) {
					t.Errorf("%d tenths: intervals end at %v", tenth, to)
				}
				if d := cmp.Diff(anew.Timeline(Query{}), r.Timeline(Query{})); d != "" {
					t.Fatalf("%d tenths: -anew +read on\n%s", tenth, d)
				}
			}
			if readings < 3 {
				t.Errorf("%d readings are nothing to compare", readings)
			}
		})
	}
}

// TestManySnapshots: a recording that goes on for long has no more intervals than are told apart, and their sums stay.
func TestManySnapshots(t *testing.T) {
	var recording bytes.Buffer
	if err := (profiletest.Large{Contexts: 30, Threads: 2, Rounds: 5 * mostIntervals}).Write(&recording); err != nil {
		t.Fatal(err)
	}
	g := &growing{all: recording.Bytes()}
	timing := NewTiming(g)
	var r *Recording
	for part := 1; part <= 10; part++ {
		earlier, before := r, (*Timeline)(nil)
		if earlier != nil {
			before = earlier.Timeline(Query{})
		}
		g.end = len(g.all) * part / 10
		r = g.laidOut(t)
		changes, err := timing.Read(r)
		if err != nil {
			t.Fatal(err)
		}
		r.SetChanges(changes)
		var sum amount
		for _, class := range r.Timeline(Query{}).Classes {
			for i := range class.Objects {
				sum.add(amount{class.Objects[i], class.Bytes[i]})
			}
		}
		if want := (amount{r.Profile.Total.Objects, r.Profile.Total.Bytes}); sum != want {
			t.Errorf("%d tenths: %v, want %v", part, sum, want)
		}
		if n := len(r.changes.intervals); n > mostIntervals+1 {
			t.Errorf("%d tenths: %d intervals", part, n)
		}
		short := 0 // one for each time that an odd number was halved
		for i := 1; i < len(r.changes.intervals); i++ {
			if r.changes.intervals[i].to-r.changes.intervals[i-1].to < timing.every {
				short++
			}
		}
		if short > 6 {
			t.Errorf("%d tenths: %d intervals are shorter than %v", part, short, timing.every)
		}
		if earlier != nil {
			if d := cmp.Diff(before, earlier.Timeline(Query{})); d != "" {
				t.Fatalf("%d tenths: what was read before has changed:\n%s", part, d)
			}
		}
	}
	if n := len(r.changes.intervals); n < mostIntervals/3 {
		t.Errorf("%d intervals", n)
	}
	span := profile.Span{From: r.changes.intervals[9].to, To: r.changes.intervals[40].to}
	p := alone(t, g.all, Query{Span: span})
	if got := r.selected(Query{Span: span}).total; got != (amount{p.Total.Objects, p.Total.Bytes}) {
		t.Errorf("%v in %v, want %v", got, span, p.Total)
	}
}

// TestAnotherFile: what has another beginning, or less, is not read on.
func TestAnotherFile(t *testing.T) {
	recordings := recordings(t)
	r := opened(t, recordings["contexts"])
	timing, g := NewTiming(bytes.NewReader(recordings["large"])), &growing{all: recordings["large"]}
	if _, err := timing.Read(opened(t, recordings["large"])); err != nil {
		t.Fatal(err)
	}
	g.end = len(g.all) * 9 / 10
	if _, err := timing.Read(g.laidOut(t)); err != profile.ErrAnother {
		t.Errorf("of what it was before: %v", err)
	}
	if _, err := timing.Read(r); err != profile.ErrAnother {
		t.Errorf("of one with fewer records: %v", err)
	}
	short := &growing{all: recordings["contexts"], end: 300}
	if _, err := NewTiming(short).Read(r); err != profile.ErrAnother {
		t.Errorf("of one that ends: %v", err)
	}
}

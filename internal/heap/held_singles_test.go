package heap

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/heap/heaptest"
	"mallard/internal/heap/single"
	"mallard/internal/profile"
)

// TestKeyframesOfSingles: behind a keyframe, wherever it was taken, also between two events of a walk, each pause has
// left the objects that a replay of all events says, with the same gaps, and the same has become of each since.
func TestKeyframesOfSingles(t *testing.T) {
	gaps, within := single.Gaps{}, 0
	for name, events := range map[string]*heaptest.Events{
		"singly": heaptest.Singly(), "doubtful": heaptest.Doubtful(), "unplaced": heaptest.Unplaced(),
		"numbers":  renumbered(3).Singly(),
		"random 1": new(heaptest.Events).RandomSingles(rand.New(rand.NewPCG(1, 1)), 40),
		"random 2": new(heaptest.Events).RandomSingles(rand.New(rand.NewPCG(2, 1)), 40),
		"random 3": renumbered(9).RandomSingles(rand.New(rand.NewPCG(3, 1)), 40),
	} {
		t.Run(name, func(t *testing.T) {
			all, random := oneByOne(events.All()), rand.New(rand.NewPCG(7, 8))
			h := NewHistory(events.All())
			want := replayed(h)
			if h.Damaged > 0 || len(want) != len(h.Pauses) {
				t.Fatalf("%d events are damaged, and of %d pauses %d are replayed", h.Damaged, len(h.Pauses), len(want))
			}
			violations := map[string]bool{}
			for _, v := range h.Check(25).Violations {
				violations[v.What] = true
			}
			f, keyframes := NewFollower(true), 0
			for i, e := range all {
				f.Take(e.kind, e.data)
				if len(all) > 100 && random.IntN(len(all)/25) > 0 {
					continue
				}
				r := NewReading(true)
				for part := range f.Keyframe() {
					r.Add(part)
				}
				for _, e := range all[i+1:] {
					r.Add(e.record())
				}
				late := r.History()
				if late.Damaged > 0 {
					t.Fatalf("behind event %d: %d events are damaged", i, late.Damaged)
				}
				compareReplayed(t, fmt.Sprintf("behind event %d, of kind %d", i, e.kind), want, replayed(late))
				for _, v := range late.Check(25).Violations {
					if !violations[v.What] {
						t.Errorf("behind event %d: pause %d: %s", i, v.Pause, v.What)
					}
				}
				keyframes++
				if e.kind == abi.EventHeapSingles {
					within++
				}
			}
			last := &want[len(want)-1].gaps
			gaps.LeftOut, gaps.Shared, gaps.Again = gaps.LeftOut+last.LeftOut, gaps.Shared+last.Shared,
				gaps.Again+last.Again
			gaps.Unplaced += last.Unplaced
			gaps.Late, gaps.Unordered, gaps.Unseen = gaps.Late+last.Late, gaps.Unordered+last.Unordered,
				gaps.Unseen+last.Unseen
			t.Logf("%d keyframes, %+v", keyframes, *last)
		})
	}
	if gaps.LeftOut == 0 || gaps.Shared == 0 || gaps.Again == 0 || gaps.Late == 0 || gaps.Unordered == 0 ||
		gaps.Unseen == 0 || gaps.Unplaced == 0 || within < 20 {
		t.Errorf("that is not what was to be tested: %+v, %d keyframes within a walk", gaps, within)
	}
}

// replayedPause is what single objects are behind a pause, and what has become of them since the one before.
type replayedPause struct {
	objects []single.Object // in order of addresses, of no class
	classes []string        // of these
	fates   []string
	gaps    single.Gaps
}

// replayed replays all, with the sites of objects.
func replayed(h *History) (pauses []replayedPause) {
	sites := map[uint32]*profile.Site{}
	h = h.BySites(func(tag uint32) profile.Made {
		if sites[tag] == nil {
			sites[tag] = &profile.Site{Line: int32(tag)}
		}
		return profile.Made{Site: sites[tag]}
	})
	title := func(o *single.Object) string {
		class := Class(o.Class)
		if site := h.Site(class); site != nil {
			return fmt.Sprintf("%s#%d made in line %d", h.Name(class), h.Loader(class), site.Line)
		}
		return fmt.Sprintf("%s#%d", h.Name(class), h.Loader(class))
	}
	var fates []string
	fate := func(what string, o *single.Object) {
		fates = append(fates, fmt.Sprintf("%s %s %d at %#x, of %d words", what, title(o), o.Order, o.Address, o.Words))
	}
	s := &singles{}
	s.Fates = single.Fates{
		Newborn: true,
		Lives:   func(was, is *single.Object) { fate("lives", is) },
		Came:    func(is *single.Object) { fate("came", is) },
		Died:    func(o *single.Object) { fate("died", o) },
		Lost:    func(o *single.Object) { fate("lost", o) },
	}
	for range h.replaySingles(len(h.Pauses), s) {
		now := replayedPause{gaps: s.Gaps}
		for o := range s.All() {
			now.objects = append(now.objects, *o)
		}
		slices.SortFunc(now.objects, func(a, b single.Object) int {
			return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(a.Order, b.Order),
				cmp.Compare(a.Words, b.Words), cmp.Compare(title(&a), title(&b)))
		})
		for i := range now.objects {
			now.classes = append(now.classes, title(&now.objects[i]))
			now.objects[i].Class = 0
		}
		slices.Sort(fates)
		now.fates, fates = fates, nil
		now.gaps.Twice = nil
		pauses = append(pauses, now)
	}
	return pauses
}

// compareReplayed holds what is known behind a keyframe against the same pauses of all. Of what came before it is not
// known when it was.
func compareReplayed(t *testing.T, what string, want, got []replayedPause) {
	t.Helper()
	skip := int32(len(want) - len(got))
	late := func(pause int32) int32 {
		switch {
		case pause == single.Unknown:
			return pause
		case pause < skip:
			return single.Earlier
		}
		return pause - skip
	}
	for i := range got {
		want := want[int(skip)+i]
		objects := slices.Clone(want.objects)
		for j := range objects {
			o := &objects[j]
			// what nobody knows the birth of has not come to the old generation in any pause behind the keyframe
			if is := j < len(got[i].objects) && got[i].objects[j].Promoted == single.Earlier; is && o.IsOld() &&
				o.Born == single.Unknown && o.Promoted == single.Unknown {
				o.Promoted = 0
			}
			if skip == 0 {
				continue
			}
			o.Born, o.Promoted = late(o.Born), late(o.Promoted)
		}
		if i == 0 {
			want.fates = got[0].fates // of the collection before it, which is another thing
		}
		for name, both := range map[string][2]any{"objects": {objects, got[i].objects},
			"classes": {want.classes, got[i].classes}, "fates": {want.fates, got[i].fates},
			"gaps": {want.gaps, got[i].gaps}} {
			if diff := gocmp.Diff(both[0], both[1]); diff != "" {
				t.Fatalf("%s: %s of pause %d of %d: -want +got\n%s", what, name, int(skip)+i, len(want.objects), diff)
			}
		}
	}
}

// TestPrematureBehindKeyframe: what was promoted before the keyframe is no promotion, and there is no doubt about it;
// what was born before it has no age.
func TestPrematureBehindKeyframe(t *testing.T) {
	f, r, walks := NewFollower(true), NewReading(true), 0
	for _, e := range oneByOne(heaptest.Singly().All()) {
		if walks == 2 {
			r.Add(e.record())
			continue
		}
		if f.Take(e.kind, e.data); e.kind == abi.EventHeapWalk {
			walks++
		}
		if walks == 2 { // of four entries three are old, and there is a lock
			for part := range f.Keyframe() {
				r.Add(part)
			}
		}
	}
	h := r.History()
	answer, err := h.Premature(Query{By: []By{ByClass}})
	if err != nil {
		t.Fatal(err)
	}
	got := []Amount{answer.Promoted, answer.Looked, answer.Died, answer.Found, answer.Perhaps}
	if diff := gocmp.Diff([]Amount{{1, 32}, {1, 32}, {1, 32}, {}, {}}, got); diff != "" {
		t.Errorf("premature: -want +got\n%s", diff)
	}
	ages, err := h.Ages(Query{By: []By{ByClass}})
	if err != nil {
		t.Fatal(err)
	}
	if ages.Unknown.Births != 5 || ages.Met != (Amount{}) {
		t.Errorf("the births of %d are not known, %+v have an age", ages.Unknown.Births, ages.Met)
	}
	objects, err := h.Objects(0, Query{})
	if err != nil {
		t.Fatal(err)
	}
	if objects.Unknown != 3 || objects.Count != 3 {
		t.Errorf("of %d objects the birth of %d is not known", objects.Count, objects.Unknown)
	}
}

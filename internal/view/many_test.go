package view

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// many is a profile that is large enough for several pieces and blocks: random calls of methods that call themselves,
// too, from lines near each other or far away.
func many(random *rand.Rand) *profile.Profile {
	p := &profile.Profile{}
	for i := range 60 {
		p.Methods = append(p.Methods, symbols.Method{Class: fmt.Sprintf("C%d", i/3), Name: fmt.Sprintf("m%d", i)})
	}
	p.Methods[7].Class = "" // a frame that is no method
	line := func(method int32) int32 {
		if method%3 != 0 && random.IntN(2) == 0 {
			return random.Int32() - math.MaxInt32/2
		}
		return int32(random.IntN(30))*(1+method%5) - 1
	}
	for i := range 300 {
		p.Sites = append(p.Sites, profile.Site{Class: fmt.Sprintf("C%d", i/15), Method: fmt.Sprintf("m%d", i/5),
			Line: line(int32(i / 5)), Type: fmt.Sprintf("T%d", random.IntN(20))})
	}
	thread := profile.Thread{Name: "main"}
	for stack := []int32{}; len(p.Contexts) < 150000; {
		stack = stack[:max(0, min(50, len(stack)-random.IntN(3)))]
		c := profile.Context{Parent: -1, Method: int32(random.IntN(len(p.Methods)))}
		if len(stack) > 0 {
			c.Parent = stack[len(stack)-1]
			c.Line = line(p.Contexts[c.Parent].Method)
		}
		context := int32(len(p.Contexts))
		p.Contexts = append(p.Contexts, c)
		stack = append(stack, context)
		for k := range int32(random.IntN(3)) {
			thread.Cells = append(thread.Cells, profile.Cell{Site: c.Method*5 + k, Context: context,
				Amount: profile.Amount{Objects: random.Int64N(5), Bytes: random.Int64N(1000)}})
		}
	}
	p.Threads = []profile.Thread{thread}
	return p
}

// TestManySums: of all contexts and lines, as cell by cell gives them.
func TestManySums(t *testing.T) {
	p := many(rand.New(rand.NewPCG(1, 2)))
	r := New(p, nil)
	s := r.selected(Query{})
	sums, lines, nested := make([]amount, len(p.Contexts)), map[sourceLine]*rowAmounts{}, 0
	for _, c := range p.Threads[0].Cells {
		a := amount{c.Amount.Objects, c.Amount.Bytes}
		met := map[sourceLine]bool{}
		meet := func(at sourceLine) *rowAmounts {
			if lines[at] == nil {
				lines[at] = &rowAmounts{}
			}
			if met[at] {
				nested++
			} else {
				add(&lines[at].all, a)
			}
			met[at] = true
			return lines[at]
		}
		add(&meet(sourceLine{p.Contexts[c.Context].Method, p.Sites[c.Site].Line}).self, a)
		for i := c.Context; i >= 0; i = p.Contexts[i].Parent {
			sums[i].add(a)
			if parent := p.Contexts[i].Parent; parent >= 0 && p.Methods[p.Contexts[parent].Method].Class != "" {
				meet(sourceLine{p.Contexts[parent].Method, p.Contexts[i].Line})
			}
		}
	}
	for _, c := range p.Contexts { // some have led to nothing
		if c.Parent >= 0 && p.Methods[p.Contexts[c.Parent].Method].Class != "" {
			at := sourceLine{p.Contexts[c.Parent].Method, c.Line}
			lines[at] = cmp.Or(lines[at], &rowAmounts{})
		}
	}
	if !slices.Equal(s.sums, sums) {
		t.Error("contexts have other sums")
	}
	table := r.table(s, "line")
	if len(lines) < 2*blockLines || nested < 1000 {
		t.Fatalf("%d lines and %d calls of themselves are too few to tell", len(lines), nested)
	}
	for n, at := range r.lines.lines {
		if n > 0 {
			before := r.lines.lines[n-1]
			if cmp.Or(cmp.Compare(before.method, at.method), cmp.Compare(before.line, at.line)) >= 0 {
				t.Fatalf("%+v is behind %+v", at, before)
			}
		}
		if want := lines[at]; want == nil || table.amounts[n] != *want {
			t.Fatalf("%+v has %v, want %v", at, table.amounts[n], want)
		}
		delete(lines, at)
	}
	if len(lines) > 0 {
		t.Errorf("%d lines are missing", len(lines))
	}
}

// TestManyChanges: a timeline is what all changes are, one by one.
func TestManyChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	r := New(many(random), nil)
	c := &changes{cells: make([]int32, 50000)}
	for place := range c.cells {
		c.cells[place] = int32(random.IntN(len(r.cells.site)+1)) - 1
	}
	for _, share := range []int{1, 2, 100, 3, 1} {
		i := interval{to: time.Duration(len(c.intervals)+1) * time.Second}
		for place := range int32(len(c.cells)) {
			if random.IntN(share) == 0 {
				i.add(place, random.Int64N(9), random.Int64N(900))
			}
		}
		c.intervals = append(c.intervals, i)
	}
	r.changes = c
	for _, f := range []profile.Filter{{}, {Class: "T1*"}, {Under: "C3.*"}} {
		passes, got := r.Profile.Selection(f), r.Timeline(Query{Filter: f})
		titles := map[string]int{}
		for k, class := range got.Classes {
			titles[class.Title] = k
		}
		want := make([]TimelineClass, len(got.Classes))
		for k := range want {
			want[k] = TimelineClass{got.Classes[k].Title, make([]int64, 5), make([]int64, 5)}
		}
		for n, i := range c.intervals {
			for k, place := range i.place {
				cell := c.cells[place]
				if cell < 0 || !r.cells.passes(int(cell), passes) {
					continue
				}
				class, known := titles[r.types[r.typeOf[r.cells.site[cell]]]]
				if !known {
					class = len(want) - 1
				}
				want[class].Objects[n] += i.objects[k]
				want[class].Bytes[n] += i.bytes[k]
			}
		}
		for k := range want {
			if !slices.Equal(want[k].Objects, got.Classes[k].Objects) ||
				!slices.Equal(want[k].Bytes, got.Classes[k].Bytes) {
				t.Errorf("%+v: %v, want %v", f, got.Classes[k], want[k])
			}
		}
	}
}

// TestTakesFirst: the first of many numbers that pass are those of a list that is sorted.
func TestTakesFirst(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	values, odd := make([]int, 5*manyNumbers+3), []int32{}
	for i := range values {
		if values[i] = random.IntN(1000); values[i]%2 == 1 {
			odd = append(odd, int32(i))
		}
	}
	less := func(i, j int32) int { return cmp.Or(cmp.Compare(values[i], values[j]), cmp.Compare(i, j)) }
	slices.SortFunc(odd, less)
	for _, most := range []int{0, 1, 200, len(values)} {
		f := first{less: less, most: most}
		count := f.takeAll(len(values), func() func(i int32) bool {
			return func(i int32) bool { return values[i]%2 == 1 }
		})
		if count != len(odd) || !slices.Equal(f.sorted(), odd[:min(most, len(odd))]) {
			t.Errorf("the first %d of %d are others", most, count)
		}
	}
}

// TestSplit: each number is worked on once.
func TestSplit(t *testing.T) {
	for _, n := range []int{0, 1, 9, 10, 11, 1005} {
		var lock sync.Mutex
		times := make([]int, n)
		split(n, 10, func(pieces iter.Seq2[int, int]) {
			for from, to := range pieces {
				lock.Lock()
				for i := from; i < to; i++ {
					times[i]++
				}
				lock.Unlock()
			}
		})
		if slices.ContainsFunc(times, func(n int) bool { return n != 1 }) {
			t.Errorf("%d: %v", n, times)
		}
	}
}

// TestGroups: one frame for each name.
func TestGroups(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		var g groups
		frames := map[name]*frame{}
		for range 400 {
			n := name{kind(random.IntN(3)), int32(random.IntN(10)), int32(random.IntN(10)) - 1}
			f := g.frame(n)
			if f.name != n || frames[n] != nil && frames[n] != f {
				t.Fatalf("%+v is %+v", n, f.name)
			}
			frames[n] = f
			if len(frames) != len(g.list) {
				t.Fatalf("%d frames of %d names", len(g.list), len(frames))
			}
		}
	}
}

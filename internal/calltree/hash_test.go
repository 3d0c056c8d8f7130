package calltree

import (
	"fmt"
	"slices"
	"testing"

	"mallard/internal/abi"
)

// announces is what the two calls of each method announce: at 10 the name m0, at 20 none.
var announces = []int32{FirstSlot<<abi.AnnounceWordShift | 7<<abi.AnnounceNameShift,
	(FirstSlot + 1) << abi.AnnounceWordShift}

// newHashed is newArena for hashed contexts, with a thread that has a table.
func newHashed(t *testing.T) (*Arena, *Thread) {
	t.Helper()
	a := New(make([]byte, 8<<20), NewLayout(start, 8<<20), 1<<20, 4096, 8192)
	methods := make([]Method, 4)
	for i := range methods {
		methods[i] = Method{Words: FirstSlot + 4, Name: fmt.Sprint("m", i), Calls: []string{"m0", ""},
			PCs: []int{10, 20}, Announced: announces}
	}
	if first, err := a.Add(append(methods, Method{})); err != nil || first != 1 {
		t.Fatal(first, err)
	}
	th := thread(a)
	table := (a.take(th, 5*abi.FrontPairs) + 63) &^ 63
	th.Table = uint64(table) + abi.FrontPairs*abi.PairBytes + 5
	return a, th
}

// remember puts a hash into a thread's table, as java.lang.$MallardHash.insert does.
func remember(a *Arena, th *Thread, p Pair) {
	if a.lookUp(th, p.Hash) != 0 {
		return
	}
	table, log := th.table()
	at := uint64(p.Hash) >> (63 - log) * abi.PairBytes
	for a.get(table+Node(at), 0) != 0 {
		at = (at + abi.PairBytes) & (2*abi.PairBytes<<log - 1)
	}
	a.put(table+Node(at), 0, uint64(p.Hash))
	a.put(table+Node(at), abi.PairNode/8, uint64(p.Node))
}

// TestStep takes the step back.
func TestStep(t *testing.T) {
	for i := range MethodID(1000) {
		h := Hash(i) * 0x1234567890abcdef
		if got := h.enter(announces[0], i+1).entered(i + 1); got != h^Hash(announces[0]) {
			t.Fatalf("%x comes back as %x", h, got)
		}
	}
}

// TestSiblings: in one context different calls and methods have different hashes, always. What the calls announce
// changes a hash by less than 2³²; what methods add differs by more, for as many methods as there may be. Nor is it
// made up for by callers that have numbers of nodes for hashes.
func TestSiblings(t *testing.T) {
	const most, furthest = 1 << 32, 1 << 40 // changes, and how far nodes are apart
	h := Hash(0)
	for i := range MethodID(maxMethods) {
		if h += abi.HashMethod; min(h, -h) <= most {
			t.Fatalf("what methods add that are %d apart differs by %#x", i+1, min(h, -h))
		}
		if apart := h * abi.HashAnchorBack; min(apart, -apart) <= furthest && apart%8 == 0 {
			t.Fatalf("what methods add that are %d apart is the number of a node: %#x", i+1, apart)
		}
	}
}

// TestResolveHash: which hashes are sure, in a stack of method 1, called by 2 at 20, called by 3 at 20, called by the
// VM.
func TestResolveHash(t *testing.T) {
	frames := []Frame{{Method: 1, PC: 0}, {Method: 2, PC: 20}, {Method: 3, PC: 20}}
	named, any := announces[0], announces[1]
	h3 := Hash(0).enter(0, 3)
	h2 := h3.enter(any, 2)
	h1 := h2.enter(any, 1)
	native := slices.Insert(slices.Clone(frames), 1, Frame{Method: 5, Native: true})
	foreign := slices.Insert(slices.Clone(frames), 1, Frame{Method: 5})
	elsewhere := slices.Clone(frames)
	elsewhere[1].PC = 15 // at no call
	tests := []struct {
		name   string
		ask    Unknown
		frames []Frame
		known  map[Hash]int // frame that is in the table
		want   []Hash
	}{
		{"up to the VM", Unknown{1, h1, -1}, frames, nil, []Hash{h1, h2, h3}},
		{"up to a known hash", Unknown{1, h1, -1}, frames, map[Hash]int{h2: 1}, []Hash{h1}},
		{"a known hash is another's", Unknown{1, h1, -1}, frames, map[Hash]int{h2: 2}, nil},
		{"another hash", Unknown{1, h1 + 1, -1}, frames, nil, nil},
		{"at no call", Unknown{1, h1, -1}, elsewhere, nil, nil},
		{"the call has another name", Unknown{2, h3.enter(named, 2), -1}, []Frame{{Method: 2}, {Method: 3, PC: 10}},
			nil, nil},
		{"the call has the name", Unknown{1, h3.enter(named, 1), -1}, []Frame{{Method: 1}, {Method: 3, PC: 10}}, nil,
			[]Hash{h3.enter(named, 1), h3}},
		{"native code between", Unknown{1, h1, -1}, native, nil, nil},
		{"begins", Unknown{1, h2, any}, frames, nil, []Hash{h2, h3, h1}},
		{"begins, called by native code", Unknown{1, h2, any}, native, nil, []Hash{h2, h3, h1}},
		{"begins, called by foreign code", Unknown{1, h2, any}, foreign, nil, nil},
		{"begins after another has returned", Unknown{1, h2 ^ Hash(any) ^ abi.AnnouncedReturn, abi.AnnouncedReturn},
			frames, nil, []Hash{h2, h3, h1}},
		{"begins while another call is announced", Unknown{1, h2, named}, frames, nil, nil},
		{"begins, called by the VM", Unknown{3, 0, 0}, frames[2:], nil, []Hash{h3}},
		{"begins, called by the VM after something else", Unknown{3, 99, 0}, frames[2:], nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a, th := newHashed(t)
			nodes, ok := a.FindOrMake(th, test.frames)
			if !ok {
				t.Fatal("no memory")
			}
			for h, frame := range test.known {
				remember(a, th, Pair{h, nodes[frame]})
			}
			node, pairs := a.ResolveHash(th, test.ask, test.frames)
			if node != nodes[0] {
				t.Errorf("node %v, want %v", node, nodes[0])
			}
			var got []Hash
			of := map[Hash]MethodID{h1: 1, h2: 2, h3: 3, h3.enter(named, 1): 1}
			for _, p := range pairs {
				got = append(got, p.Hash)
				if a.MethodOf(p.Node) != of[p.Hash] {
					t.Errorf("%x is a node of method %d", p.Hash, a.MethodOf(p.Node))
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("sure are %x, want %x", got, test.want)
			}
		})
	}
}

// TestDamagedTable: a table that cannot be has nothing in it.
func TestDamagedTable(t *testing.T) {
	a, th := newHashed(t)
	for _, table := range []uint64{0, 24, 1 << 60, ^uint64(0), th.Table | 32, th.Table | 63} {
		th.Table = table
		if n := a.lookUp(th, 12345); n != 0 {
			t.Errorf("table %x: node %v", table, n)
		}
	}
	th.Table = 1 << 50
	if n := a.PutPairs(th, []Pair{{1, 2}}); n != 0 {
		t.Errorf("%d pairs", n)
	}
}

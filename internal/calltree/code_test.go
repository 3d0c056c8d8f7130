package calltree

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"mallard/internal/callenc"

	"mallard/internal/abi"
)

// A coder does what java.lang.$MallardCode does, for one thread.
type coder struct {
	*Arena
	ids   map[[2]uint64]uint64 // number of an anchor, by what it stands for
	known int                  // calls that had constants
}

// begin gives the number of a callee.
func (c *coder) begin(number uint64, call uint32, method MethodID) uint64 {
	const epoch = uint64(maxEpoch) << abi.NumberEpochShift
	if x := c.get(Node(c.layout.Additions), int(call)); (x^number&epoch)>>abi.NumberAnchorShift == uint64(method) {
		c.known++
		return number + x&(ValueLimit-1)
	}
	if x := c.several(call, method); x != 0 && (x^number)&epoch == 0 {
		c.known++
		return number + x&(ValueLimit-1)
	}
	what := uint64(method)<<abi.NumberAnchorShift | uint64(call)
	current := *c.header(abi.ArenaEpoch)
	id := c.ids[[2]uint64{number, what}]
	if at := Node(c.layout.Anchors + abi.AnchorBytes*id); id != 0 && (c.get(at, abi.AnchorCall/8)^current)&epoch == 0 {
		c.put(at, abi.AnchorTaken/8, c.get(at, abi.AnchorTaken/8)+1)
	} else {
		id = *c.header(abi.ArenaAnchors)
		*c.header(abi.ArenaAnchors)++
		c.ids[[2]uint64{number, what}] = id
		at := Node(c.layout.Anchors + abi.AnchorBytes*id)
		for i, v := range []uint64{number, what | current, 0, 1} {
			c.put(at, i, v)
		}
	}
	return current | id<<abi.NumberAnchorShift
}

// several gives the constant of one of several calls from a place, 0 without.
func (c *coder) several(call uint32, method MethodID) uint64 {
	several := *c.header(abi.ArenaSeveral)
	table, mask := several&(1<<abi.SeveralShift-1), uint64(1)<<(several>>abi.SeveralShift)-1
	key := uint64(call)<<abi.SeveralCallShift | uint64(method)
	for i := key * abi.CodeHash >> abi.CodeHashShift & mask; table != 0; i = (i + 1) & mask {
		switch c.get(severalEntry(table, i), abi.SeveralKey/8) {
		case key:
			return c.get(severalEntry(table, i), abi.SeveralConstant/8)
		case 0:
			return 0
		}
	}
	return 0
}

// back gives the call that a number ends with, and the caller's number.
func (c *coder) back(number uint64, method MethodID) (uint32, uint64) {
	value := number & (ValueLimit - 1)
	if value == 0 {
		anchor := number << abi.NumberEpochBits >> (abi.NumberAnchorShift + abi.NumberEpochBits)
		at := Node(c.layout.Anchors + abi.AnchorBytes*anchor)
		return uint32(c.get(at, abi.AnchorCall/8) & (ValueLimit - 1)), c.get(at, abi.AnchorNumber/8)
	}
	epoch := int(number >> abi.NumberEpochShift)
	graph, edges := *c.header(abi.ArenaEpochs + 2*epoch), *c.header(abi.ArenaEpochs + 2*epoch + 1)
	end := func(id MethodID) int {
		return int(binary.LittleEndian.Uint32(c.memory[graph-c.layout.Top+uint64(id)<<abi.EdgeStartShift:]))
	}
	i := end(method+1) - 1
	for c.get(Node(edges), i)>>abi.EdgeCallBits > value {
		i--
	}
	x := c.get(Node(edges), i)
	return uint32(x & (1<<abi.EdgeCallBits - 1)), number - x>>abi.EdgeCallBits
}

// TestCode walks through random programs while epochs begin, and decodes the numbers of all their contexts, those of
// earlier epochs as well.
func TestCode(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			const perMethod = 3
			methods := make([]Method, 30)
			for i := range methods {
				methods[i] = Method{Words: FirstSlot + perMethod, Name: fmt.Sprint("m", i), Calls: make([]string,
					perMethod),
					PCs: []int{10, 20, 30}}
			}
			c := coder{Arena: New(make([]byte, 8<<20), NewLayout(start, 8<<20).WithCode(), 4<<20, 4096, 65536),
				ids: map[[2]uint64]uint64{}}
			if first, err := c.Add(methods); err != nil || first != 1 || c.FirstCall(2) != c.FirstCall(1)+perMethod ||
				c.caller(uint64(c.FirstCall(2))) != 2 {
				t.Fatal(first, err)
			}
			calls := map[uint32][]MethodID{} // what each call calls
			for call := range len(methods) * perMethod {
				for range 1 + r.IntN(3) {
					calls[uint32(1+call)] = append(calls[uint32(1+call)], MethodID(1+r.IntN(len(methods))))
				}
			}
			type frame struct {
				number uint64
				method MethodID
				call   uint32 // by which it was entered
			}
			const outermost = 1 << 20 // the node of a thread's first frame
			stack := []frame{{number: outermost, method: 1}}
			var contexts [][]frame
			for step := range 30_000 {
				top := stack[len(stack)-1]
				if len(stack) > 1 && (r.IntN(5) < 2 || len(stack) > 60) {
					stack = stack[:1+r.IntN(len(stack)-1)]
					continue
				}
				call := c.FirstCall(top.method) + r.Uint32N(perMethod)
				callee := calls[call][r.IntN(len(calls[call]))]
				stack = append(stack, frame{c.begin(top.number, call, callee), callee, call})
				if r.IntN(10) == 0 {
					contexts = append(contexts, slices.Clone(stack))
				}
				if step%5_000 == 4_000 {
					epoch := c.Epoch()
					if !c.BeginEpoch(choose(c.Arena)) || c.Epoch() != epoch+1 {
						t.Fatal("no epoch")
					}
				}
			}
			for _, want := range contexts {
				number, method := want[len(want)-1].number, want[len(want)-1].method
				for i := len(want) - 1; i > 0; i-- {
					call, before := c.back(number, method)
					if call != want[i].call || before != want[i-1].number {
						t.Fatalf("%x of method %d comes from call %d of %x, not call %d of %x", number, method, call,
							before, want[i].call, want[i-1].number)
					}
					number, method = before, c.caller(uint64(call))
				}
			}
			if m := c.Memory(); c.known < 3_000 || m.Epochs < 2 || m.Calls == 0 || m.Graph == 0 ||
				m.AnchorBytes != abi.AnchorBytes*c.Anchors() {
				t.Errorf("%d calls had constants, %+v", c.known, m)
			}
		})
	}
}

// choose gives constants to what anchors stand for.
func choose(a *Arena) (additions []Addition) {
	taken := map[callenc.Edge]uint64{}
	a.Anchored(func(c Call, n uint64) {
		taken[callenc.Edge{Caller: callenc.Method(c.Caller), Callee: callenc.Method(c.Callee),
			Site: int32(c.Number)}] += n
	})
	callenc.NewEpoch(taken, ValueLimit).Additions(func(e callenc.Edge, add uint64) {
		additions = append(additions, Addition{Call{uint32(e.Site), MethodID(e.Caller), MethodID(e.Callee)}, add + 1})
	})
	return additions
}

// TestEpochsEnd: there are no more of them than numbers can say, nor without memory.
func TestEpochsEnd(t *testing.T) {
	for limit, want := range map[uint64]int{1 << 20: maxEpoch, 20 << 10: 3} {
		a := New(make([]byte, 8<<20), NewLayout(start, 8<<20).WithCode(), limit, 4096, 8192)
		for a.BeginEpoch(nil) {
		}
		if a.Epoch() != want {
			t.Errorf("with %d bytes there are %d epochs, want %d", limit, a.Epoch(), want)
		}
	}
}

// TestResolveCode: whether a node is the call's whenever that call is announced, of method 1, called by 2 at 20, called
// by 3 at 20, called by the VM.
func TestResolveCode(t *testing.T) {
	frames := []Frame{{Method: 1}, {Method: 2, PC: 20}, {Method: 3, PC: 20}}
	named := []Frame{{Method: 2}, {Method: 2, PC: 10}, {Method: 3, PC: 20}} // which says m0
	native := slices.Insert(slices.Clone(frames), 1, Frame{Method: 5, Native: true})
	for _, test := range []struct {
		name   string
		frames []Frame
		said   func(caller Node) Entry
		want   Cacheability
	}{
		{"called", frames, func(n Node) Entry { return entryOf(n, FirstSlot+1) }, Slot},
		{"by native code", native, func(n Node) Entry { return entryOf(n, FirstSlot+1) }, Behind},
		{"another call was announced", frames, func(n Node) Entry { return entryOf(n, FirstSlot) }, Once},
		{"by the VM, where a call names another", named, func(n Node) Entry { return entryOf(n, FirstSlot) }, Once},
		{"a thread's first", frames[:1], func(Node) Entry { return 0 }, Behind},
		{"by the VM, without a caller", frames[:1], func(Node) Entry { return 77 }, Once},
	} {
		a := newArena(t, 1<<20)
		th := thread(a)
		nodes, ok := a.FindOrMake(th, test.frames)
		if !ok {
			t.Fatal("no memory")
		}
		var caller Node
		for i := len(test.frames) - 1; i > 0; i-- {
			if !test.frames[i].Native {
				caller = nodes[i]
			}
		}
		if node, cacheable := a.ResolveCode(th, test.said(caller), test.frames); node != nodes[0] ||
			cacheable != test.want {
			t.Errorf("%s: node %d, cacheable %d, want %d and %d", test.name, node, cacheable, nodes[0], test.want)
		}
	}
}

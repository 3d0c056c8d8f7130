package calltree

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"mallard/internal/abi"
)

const caseNative = "m3" // the name of the native method

// walk gives a random stack that differs from the one before in its innermost frames: the innermost first. Frames stand
// at calls that may be those of what they call, now and then at others, elsewhere or in native code.
func walk(r *rand.Rand, before []Frame, methods []Method) []Frame {
	native := MethodID(len(methods) + 1)
	frames := slices.Clone(before[r.IntN(len(before)+1):])
	for range 1 + r.IntN(5) {
		f := Frame{Method: MethodID(1 + r.IntN(len(methods))), Gap: r.IntN(10) == 0}
		if len(frames) > 0 && r.IntN(15) == 0 {
			f = Frame{Method: native, Native: true}
		}
		if len(frames) > 0 {
			call := r.IntN(caseCalls)
			if !frames[0].Native && r.IntN(20) > 0 {
				name := caseNative
				if !f.Native {
					name = methods[f.Method-1].Name
				}
				for try := range caseCalls {
					said := methods[frames[0].Method-1].Calls[try]
					if said == "" && !f.Native || said == name {
						call = try
					}
				}
			}
			frames[0].PC = 10 * (1 + call)
			if r.IntN(30) == 0 {
				frames[0].PC = 15
			}
			if frames[0].Native {
				frames[0].PC = NativePC
			}
		}
		frames = slices.Insert(frames, 0, f)
	}
	frames[0].PC, frames[0].Native = 0, false
	if frames[0].Method == native {
		frames[0].Method = 1
	}
	return frames
}

// stacks: hashes are taken apart along frames. Go's ResolveHash gives a node always, the agent where it is sure and all
// nodes are in slots, with native code at most below an invocation that begins; then it is the same, and they are sure
// of the same hashes. Given the whole stack, the agent gives the node always, too, wherever it is.
func (s *script) stacks(r *rand.Rand) {
	methods := caseMethods(r)
	for i := range methods[:len(methods)/2] {
		methods[i].Calls[0] = caseNative
	}
	const log = 10
	w := s.newWorld(append(methods, NativeMethod(caseNative)), 1<<20, 512<<10, false)
	w.makeRoot(w.thread)
	const front = abi.FrontPairs * abi.PairBytes
	table := aligned(uint64(w.take(w.thread, (front+2*abi.PairBytes<<log+64)/8))) + front
	w.thread.Table = table | log
	w.copy()
	var frames []Frame
	answered, asked, past := 0, 0, 0
	for range 150 {
		frames = walk(r, frames, methods)
		if frames = frames[max(0, len(frames)-12):]; frames[0].Native {
			continue
		}
		if slices.ContainsFunc(frames, func(f Frame) bool { return f.Native }) && w.calledByName(frames) {
			continue // by native code: no hash tells that from a call
		}
		frames[0].PC = 0
		h, caller := Hash(0), Hash(0)
		announced, next := int32(0), int32(0)
		for _, f := range slices.Backward(frames) {
			if !f.Native { // which leaves what its caller has announced
				caller, announced = h, next
				h = h.enter(announced, f.Method)
				next, _ = w.announced(f)
			}
		}
		u := Unknown{frames[0].Method, h, abi.NotAnnounced}
		switch r.IntN(4) {
		case 0:
			u.Hash, u.Called = caller, announced
		case 1:
			u.Hash, u.Called = caller^Hash(uint32(announced))^abi.AnnouncedReturn, abi.AnnouncedReturn
		case 2:
			u.Hash ^= Hash(r.IntN(2) * 8)
		}
		n, pairs := w.ResolveHash(w.thread, u, frames)
		if at := w.lookUp(w.thread, u.Hash); u.Called == abi.NotAnnounced && at != 0 && at != n {
			continue // called below native code before, and now at a call of another method
		}
		c := chain{arena: w.Arena, thread: w.thread, frames: frames, nodes: w.Find(w.thread, frames)}
		sure := false
		if u.Called == abi.NotAnnounced {
			_, sure = c.sure(0, u.Hash)
		} else if caller := c.caller(0); caller < len(frames) && c.mayAnswer(caller) {
			var call int32
			if call, sure = w.announced(frames[caller]); sure {
				_, sure = c.sure(caller, u.entered()^Hash(uint32(call)))
			}
			for _, n := range c.nodes[:caller] {
				sure = sure && (caller == 1 || w.get(n, abi.NodeMethod)&abi.InNoSlot == 0)
			}
			if sure && caller > 1 {
				past++
			}
		}
		for i, f := range frames {
			method := uint32(f.Method)
			if f.Native {
				method |= abi.FrameNative
			}
			if f.Gap {
				method |= abi.FrameGap
			}
			at := table - front + uint64(16*i) // as agent/hash_table.c has it
			fmt.Fprintf(&s.lines, "int %d %d\nint %d %d\n", at, int32(method), at+4, f.PC)
		}
		address := func(offset uint64) string { return fmt.Sprint("@", offset) }
		find := func(asks bool, method string) {
			w.wantContext(n, asks, method, address(0), address(worldBlock), address(w.layout.Methods),
				address(w.layout.Calls), address(w.layout.Top), address(table-front), w.layout.Early, int64(u.Hash),
				u.Called, u.Method, len(frames))
		}
		find(!sure, "Agent.find")
		find(false, "Agent.place")
		if !sure {
			asked++
			continue
		}
		answered++
		for _, p := range pairs {
			remember(w.Arena, w.thread, p)
		}
		for _, p := range pairs {
			w.wantContext(p.Node, false, "Hash.known", int64(p.Hash))
		}
	}
	if answered < 20 || asked < 20 {
		s.t.Errorf("%d stacks are answered, %d asked about", answered, asked)
	}
	s.past += past
	w.back()
}

// calledByName reports whether native code has called a method by the name by which it was called itself, or was called
// by any name.
func (w *world) calledByName(frames []Frame) bool {
	for i, f := range frames[:len(frames)-1] {
		caller := i + 1
		for caller < len(frames)-1 && frames[caller].Native {
			caller++
		}
		if word, ok := w.slot(frames[caller].Method, frames[caller].PC); ok && caller > i+1 && !f.Native {
			name, said := w.nameOf(f.Method), w.said(frames[caller].Method, word)
			if name == abi.LambdaName || said == 0 || said == name {
				return true
			}
		}
	}
	return false
}

// mirrors: what stands in a transaction for the same context. Java asks where no call of ours led to a node.
func (s *script) mirrors(r *rand.Rand) {
	methods := caseMethods(r)
	w := s.newWorld(append(methods, Method{}), 1<<20, 512<<10, false)
	name, err := w.AddTransaction("m0")
	if err != nil {
		s.t.Fatal(err)
	}
	var own []Node
	var frames []Frame
	for range 60 {
		frames = walk(r, frames, methods)
		nodes, ok := w.FindOrMake(w.thread, frames)
		if !ok {
			s.t.Fatal("no memory")
		}
		own = append(own, nodes...)
	}
	outer := w.child(w.thread, w.thread.Root.Node(), 0, Frame{Method: name}, 0)
	inner := w.child(w.thread, outer, 0, Frame{Method: name}, 0)
	w.copy()
	s.do("Entered.grow", outer)
	s.do("Entered.grow", inner)
	mirrored := 0
	for range 150 {
		n, inside := own[r.IntN(len(own))], []Node{outer, inner}[r.IntN(2)]
		path, _ := w.path(n)
		asks := slices.ContainsFunc(path, func(n Node) bool { return w.get(n, abi.NodeMethod)&abi.InNoSlot != 0 })
		w.wantContext(w.Mirror(w.thread, n, inside), asks, "Entered.mirror", n, inside)
		if !asks {
			mirrored++
		}
	}
	if mirrored < 10 || mirrored == 150 {
		s.t.Errorf("%d of 150 contexts are mirrored", mirrored)
	}
	w.back()
}

// codes: numbers that calls give, the calls that they end with, and their nodes.
func (s *script) codes(r *rand.Rand) {
	methods := caseMethods(r)
	for i := range methods {
		methods[i].Name, methods[i].Calls, methods[i].Announced = Lambda, make([]string, caseCalls), nil
	}
	const bytes = 2 << 20
	first := coder{Arena: s.newWorld(methods, bytes, 1<<20, true).Arena, ids: map[[2]uint64]uint64{}}
	w := s.newWorld(methods, bytes, 1<<20, true)
	outermost, ok := w.FindOrMake(w.thread, []Frame{{Method: 1}})
	if !ok {
		s.t.Fatal("no memory")
	}
	type frame struct {
		number uint64
		method MethodID
		call   uint32
	}
	callees := map[uint32][]MethodID{}
	run := func(c *coder, steps int, each func(stack []frame)) {
		stack := []frame{{number: uint64(outermost[0]), method: 1}}
		for range steps {
			if len(stack) > 1 && r.IntN(3) == 0 || len(stack) > 30 {
				stack = stack[:1+r.IntN(len(stack)-1)]
			}
			top := stack[len(stack)-1]
			call := c.FirstCall(top.method) + r.Uint32N(caseCalls)
			for len(callees[call]) < caseCallees {
				callees[call] = append(callees[call], MethodID(1+r.IntN(len(methods))))
			}
			callee := callees[call][r.IntN(caseCallees)]
			stack = append(stack, frame{c.begin(top.number, call, callee), callee, call})
			each(stack)
		}
	}
	run(&first, 4000, func([]frame) {})
	if !w.BeginEpoch(nil) || !w.BeginEpoch(choose(first.Arena)) {
		s.t.Fatal("no epoch")
	}
	w.copy()
	c := coder{Arena: w.Arena, ids: map[[2]uint64]uint64{}}
	decoded := 0
	run(&c, 500, func(stack []frame) {
		top, caller := stack[len(stack)-1], stack[len(stack)-2]
		fmt.Fprintf(&s.lines, "Thread.announce %d %d\n", int64(caller.number), top.call)
		s.checks = append(s.checks, func(string) {})
		s.want(top.number, "Code.begin", top.method, w.methods[top.method].Words, w.FirstCall(top.method))
		if top.number&(ValueLimit-1) != 0 {
			call, before := c.back(top.number, top.method)
			s.want((top.number-before)<<abi.EdgeCallBits|uint64(call), "Decoder.step", int64(top.number), top.method)
			decoded++
		}
		if r.IntN(4) > 0 {
			return
		}
		var frames []Frame
		for i, f := range stack {
			frames = slices.Insert(frames, 0, Frame{Method: f.method})
			if i > 0 {
				frames[1].PC = 10 * (1 + int(f.call-w.FirstCall(frames[1].Method)))
			}
		}
		nodes, ok := w.FindOrMake(w.thread, frames)
		if !ok {
			s.t.Fatal("no memory")
		}
		w.wantContext(nodes[0], false, "Decoder.own", int64(top.number), top.method)
	})
	if decoded < 100 {
		s.t.Errorf("%d numbers are decoded", decoded)
	}
	w.back()
}

// constants: those of calls that lead to several methods, with keys that find their places taken, around the table's
// end.
func (s *script) constants(r *rand.Rand) {
	methods := caseMethods(r)
	w := s.newWorld(methods, 256<<10, 128<<10, true)
	c := coder{Arena: w.Arena}
	const several, size = 20, 64 // of them, and of the table
	var first, pairs []Addition
	for call := uint32(1); call < w.taken(abi.ArenaCalls); call++ {
		caller := w.caller(uint64(call))
		first = append(first, Addition{Call{call, caller, 1}, uint64(call)})
		for callee := MethodID(2); int(callee) <= len(methods); callee++ {
			pairs = append(pairs, Addition{Call{call, caller, callee}, uint64(call)})
		}
	}
	home := func(x Addition) uint64 {
		return (uint64(x.Number)<<abi.SeveralCallShift | uint64(x.Callee)) * abi.CodeHash >> abi.CodeHashShift % size
	}
	r.Shuffle(len(pairs), func(i, k int) { pairs[i], pairs[k] = pairs[k], pairs[i] })
	last := slices.DeleteFunc(slices.Clone(pairs), func(x Addition) bool { return home(x) < size-4 })[:several/2]
	others := slices.DeleteFunc(pairs, func(x Addition) bool { return home(x) >= size-4 })[:several/2]
	if !w.BeginEpoch(slices.Concat(first, last, others)) {
		s.t.Fatal("no epoch")
	}
	w.copy()
	found := 0
	for call := range w.taken(abi.ArenaCalls) {
		for callee := range MethodID(len(methods) + 2) {
			constant := c.several(call, callee)
			s.want(constant, "Code.constant", call, callee)
			if constant != 0 {
				found++
			}
		}
	}
	if found != several {
		s.t.Errorf("%d constants are found, %d were given", found, several)
	}
}

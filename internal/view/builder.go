package view

import (
	"cmp"
	"math"
	"slices"
)

// Options say how frames are made.
type Options struct {
	Lines  bool // frames are one for each line that calls or allocates
	Folded bool // calls of code that is not the user's are one
	Bytes  bool // sizes are bytes, not objects
}

// builder makes frames.
type builder struct {
	*Recording
	*selection
	Options
	steps   int // that may still be taken
	calls   bool
	least   int64    // value of frames that are kept apart
	methods []*frame // by method: scratch of callers
}

// mostSteps bounds the work for an answer: contexts, sites and callers that are looked at.
const mostSteps = 1 << 20

func (r *Recording) builder(s *selection, o Options) *builder {
	calls := s.query.Filter.Thread == "" && s.all && !o.Lines
	return &builder{Recording: r, selection: s, Options: o, steps: mostSteps, calls: calls, least: math.MinInt64,
		methods: make([]*frame, len(r.named))}
}

// value is what makes a frame wide.
func (b *builder) value(a amount) int64 {
	if b.Bytes {
		return a.bytes
	}
	return a.objects
}

// roots of trees.

// callRoot is what the outermost methods are called from.
func (b *builder) callRoot() *frame {
	return &frame{name: name{everything, 0, -1}, amount: b.total, contexts: []int32{-1}}
}

// calleeRoot is a method wherever it is called; what it leads to is counted once where it calls itself.
func (b *builder) calleeRoot(method int32) *frame {
	f := &frame{name: name{ofMethod, method, -1}}
	b.outermost(method, func(context int32) {
		f.contexts = append(f.contexts, context)
		f.add(b.sums[context])
		if b.calls {
			f.calls += b.Profile.Contexts[context].Calls
		}
	})
	return f
}

// callerRoot is the same, below what called it.
func (b *builder) callerRoot(method int32) *frame {
	f := b.calleeRoot(method)
	b.steps -= len(f.contexts)
	for _, context := range f.contexts {
		c := &b.Profile.Contexts[context]
		if a := b.sums[context]; !a.isZero() {
			b.place(f, c.Parent, c.Line, a)
		}
	}
	f.contexts = nil
	return f
}

// classRoot is below all classes that were allocated, and these below what made them.
func (b *builder) classRoot() *frame {
	root := &frame{name: name{everything, 0, -1}, amount: b.total}
	if b.classes[b.Lines] == nil {
		b.classes[b.Lines] = b.madeClasses()
	}
	for _, f := range b.classes[b.Lines] {
		class := *f
		root.made = append(root.made, &class)
	}
	b.order(root.made)
	return root
}

// madeClasses has a frame for each class, with where it was made.
func (b *builder) madeClasses() (list []*frame) {
	counts, classes := make([]int32, len(b.types)), make([]*frame, len(b.types))
	for i, site := range b.Recording.cells.site {
		if !b.selection.cells[i].isZero() {
			counts[b.typeOf[site]]++
		}
	}
	for i, context := range b.Recording.cells.context {
		a := b.selection.cells[i]
		if a.isZero() {
			continue
		}
		site, line := b.Recording.cells.site[i], int32(-1)
		if b.Lines {
			line = b.Profile.Sites[site].Line
		}
		class := b.typeOf[site]
		f := classes[class]
		if f == nil {
			f = &frame{name: name{ofClass, class, -1}, places: make([]callerPlace, 0, counts[class])}
			classes[class] = f
			list = append(list, f)
		}
		f.add(a)
		if last := len(f.places) - 1; last >= 0 && f.places[last].context == context && f.places[last].line == line {
			f.places[last].add(a)
			continue
		}
		f.places = append(f.places, callerPlace{context, line, a})
	}
	return list
}

// place adds to what a frame was called from.
func (b *builder) place(f *frame, context, line int32, a amount) {
	if context < 0 {
		return
	}
	if !b.Lines {
		line = -1
	}
	if at := int(b.slots[context]); at < len(f.places) && f.places[at].context == context &&
		f.places[at].line == line {
		f.places[at].add(a)
		return
	}
	b.slots[context] = int32(len(f.places))
	f.places = append(f.places, callerPlace{context, line, a})
}

// grow makes what is above a frame; nothing where there is no more work to be done for this answer.
func (b *builder) grow(f *frame) []*frame {
	if f.made != nil || f.kind == ofClass && f.places == nil {
		return f.made
	}
	if b.steps <= 0 {
		f.isCut = true
		return nil
	}
	if f.places != nil {
		f.made = b.callers(f)
	} else {
		f.made = b.callees(f)
	}
	b.order(f.made)
	return f.made
}

// callers are what a frame was called from. Of those that are less than least only amounts are known.
func (b *builder) callers(f *frame) []*frame {
	groups, of := groups{}, make([]*frame, len(f.places))
	b.steps -= len(f.places)
	for i := range f.places {
		at := &f.places[i]
		method := b.methodOf[at.context]
		if of[i] = b.methods[method]; b.Lines || of[i] == nil {
			of[i] = groups.frame(name{ofMethod, method, at.line})
			b.methods[method] = of[i]
		}
		of[i].add(at.amount)
		of[i].count++
	}
	for _, caller := range groups.list {
		b.methods[caller.index] = nil
		if b.value(caller.amount) >= b.least {
			caller.places = make([]callerPlace, 0, caller.count)
		}
		caller.count = 0
	}
	for i := range f.places {
		at := &f.places[i]
		if b.value(of[i].amount) >= b.least {
			c := &b.Profile.Contexts[at.context]
			b.place(of[i], c.Parent, c.Line, at.amount)
		}
	}
	return groups.list
}

// callees are what a frame called, and the classes that it allocated.
func (b *builder) callees(f *frame) []*frame {
	groups := groups{}
	pending := slices.Clone(f.contexts)
	for len(pending) > 0 {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		b.each(at, func(called int32) {
			b.steps--
			c := &b.Profile.Contexts[called]
			a := b.sums[called]
			switch {
			case a.isZero() || f.line >= 0 && c.Line != f.line:
			case b.Folded && !f.open && !b.mine[c.Method]:
				if f.kind == folded {
					pending = append(pending, called)
					return
				}
				other := groups.frame(name{folded, 0, -1})
				b.callee(other, called, a)
			case b.Lines:
				b.eachLine(called, func(line int32, a amount) {
					b.callee(groups.frame(name{ofMethod, b.named[c.Method], line}), called, a)
				})
			default:
				b.callee(groups.frame(name{ofMethod, b.named[c.Method], -1}), called, a)
			}
		})
		if at < 0 {
			continue
		}
		for i := b.first[at]; i < b.first[at+1]; i++ {
			b.steps--
			site := b.Recording.cells.site[i]
			a := b.selection.cells[i]
			if !a.isZero() && (f.line < 0 || b.Profile.Sites[site].Line == f.line) {
				groups.frame(name{ofClass, b.typeOf[site], -1}).add(a)
			}
		}
	}
	for _, g := range groups.list {
		g.open = f.open && g.kind == ofMethod && !b.mine[g.index]
	}
	return groups.list
}

// callee adds a context to a frame.
func (b *builder) callee(f *frame, context int32, a amount) {
	f.contexts = append(f.contexts, context)
	f.add(a)
	if b.calls {
		f.calls += b.Profile.Contexts[context].Calls
	}
}

// eachLine gives what each line of an invocation has led to.
func (b *builder) eachLine(context int32, yield func(line int32, a amount)) {
	var lines []callerPlace // few
	add := func(line int32, a amount) {
		b.steps--
		for i := range lines {
			if lines[i].line == line {
				lines[i].add(a)
				return
			}
		}
		lines = append(lines, callerPlace{context, line, a})
	}
	b.each(context, func(called int32) {
		add(b.Profile.Contexts[called].Line, b.sums[called])
	})
	for i := b.first[context]; i < b.first[context+1]; i++ {
		add(b.Profile.Sites[b.Recording.cells.site[i]].Line, b.selection.cells[i])
	}
	for _, at := range lines {
		if !at.isZero() {
			yield(at.line, at.amount)
		}
	}
}

// order puts the largest first.
func (b *builder) order(list []*frame) {
	slices.SortFunc(list, func(x, y *frame) int {
		return cmp.Or(cmp.Compare(b.value(y.amount), b.value(x.amount)), cmp.Compare(x.kind, y.kind),
			cmp.Compare(x.index, y.index), cmp.Compare(x.line, y.line))
	})
}

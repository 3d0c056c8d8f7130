package cfg

import (
	"errors"
	"fmt"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// Build makes the graph of a method, with forced zeros, dominators, loops and
// statically estimated frequencies. Blocks that control cannot reach have no
// edges. Code must have come from bytecode.Decode, p is its constant pool.
func Build(code *bytecode.Code, p *classfile.Pool, m MethodInfo) (*Graph, error) {
	if len(code.Insns) == 0 {
		return nil, errors.New("cfg: no instructions")
	}
	b := &builder{code: code, pool: p, method: m}
	b.markLeaders()
	b.markZeros()
	b.cut()
	if err := b.connect(); err != nil {
		return nil, err
	}
	g, err := New(b.blocks, b.edges, b.exceptions)
	if err != nil {
		return nil, err
	}
	g.Propagate(probabilities(g, code))
	return g, nil
}

// markLeaders marks where blocks start for the sake of control flow.
func (b *builder) markLeaders() {
	b.marks = make([]mark, len(b.code.Insns)+1)
	b.marks[0] = leader | zero
	for i, in := range b.code.Insns {
		switch {
		case in.Op.IsBranch():
			b.marks[in.Target()] |= leader
		case in.Op.IsSwitch():
			s := &b.code.Switches[in.Arg]
			b.marks[s.Default] |= leader
			for _, t := range s.Targets {
				b.marks[t] |= leader
			}
		case in.Op.FallsThrough():
			continue
		}
		b.marks[i+1] |= leader
	}
	for _, h := range b.code.Handlers {
		b.marks[h.Target] |= leader | zero | handler
		b.marks[h.Start] |= covered
	}
}

// cut makes blocks of the marks, and the exit.
func (b *builder) cut() {
	n := len(b.code.Insns)
	count := 1
	for _, m := range b.marks[:n] {
		if m&(leader|zero) != 0 {
			count++
		}
	}
	b.blocks = make([]Block, 0, count)
	b.blockOf = make([]BlockID, n)
	for i, m := range b.marks[:n] {
		if m&(leader|zero) != 0 {
			if last := len(b.blocks) - 1; last >= 0 {
				b.blocks[last].End = i
			}
			b.blocks = append(b.blocks, Block{First: i, Zero: m&zero != 0, Handler: m&handler != 0})
		}
		b.blockOf[i] = BlockID(len(b.blocks) - 1)
	}
	b.blocks[len(b.blocks)-1].End = n
	b.blocks = append(b.blocks, Block{First: n, End: n, Zero: true})
}

// connect makes the edges and exception edges of reachable blocks. It follows
// control from the entry, so that unreachable code contributes nothing.
func (b *builder) connect() error {
	covers, err := b.coveredBy()
	if err != nil {
		return err
	}
	reached, err := b.reach(covers)
	if err != nil {
		return err
	}
	for id := range b.blocks[:len(b.blocks)-1] {
		if !reached[id] {
			continue
		}
		if b.edges, err = b.leave(b.edges, BlockID(id)); err != nil {
			return err
		}
		for _, h := range covers[id] {
			b.exceptions = append(b.exceptions, Exception{BlockID(id), h})
		}
	}
	return nil
}

// reach finds the blocks that control can get to. It makes room for their edges.
func (b *builder) reach(covers [][]BlockID) ([]bool, error) {
	reached := make([]bool, len(b.blocks))
	reached[0], reached[len(b.blocks)-1] = true, true // the exit leads nowhere
	work := make([]BlockID, 1, len(b.blocks))
	visit := func(t BlockID) {
		if !reached[t] {
			reached[t] = true
			work = append(work, t)
		}
	}
	var out []Edge
	edges, rets := 0, 0
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		var err error
		if out, err = b.leave(out[:0], id); err != nil {
			return nil, err
		}
		for _, e := range out {
			if e.Kind == Ret {
				rets++
			}
			visit(e.To)
		}
		if rets > MaxRetEdges {
			return nil, ErrTooLarge
		}
		edges += len(out)
		for _, h := range covers[id] {
			visit(h)
		}
	}
	b.edges = make([]Edge, 0, edges)
	return reached, nil
}

// leave appends the edges out of a block: what its last instruction does.
func (b *builder) leave(dst []Edge, id BlockID) ([]Edge, error) {
	blk := &b.blocks[id]
	exit := BlockID(len(b.blocks) - 1)
	last := b.code.Insns[blk.End-1]
	op := last.Op
	switch {
	case op.IsReturn():
		return append(dst, Edge{From: id, To: exit, Kind: Return}), nil
	case op == bytecode.OpAthrow:
		return append(dst, Edge{From: id, To: exit, Kind: Throw}), nil
	case op == bytecode.OpRet:
		for _, i := range b.returnTo {
			dst = append(dst, Edge{From: id, To: b.blockOf[i], Kind: Ret})
		}
		return dst, nil
	case op.IsSwitch():
		return b.switchEdges(dst, id, &b.code.Switches[last.Arg]), nil
	case op.IsConditional():
		if id+1 == exit {
			break
		}
		return append(dst, Edge{From: id, To: id + 1}, Edge{From: id, To: b.blockOf[last.Target()], Kind: Taken}), nil
	case op.IsBranch():
		return append(dst, Edge{From: id, To: b.blockOf[last.Target()], Kind: Taken}), nil
	case id+1 < exit:
		return append(dst, Edge{From: id, To: id + 1}), nil
	}
	return nil, fmt.Errorf("cfg: control falls off the end of the code after instruction %d", blk.End-1)
}

// switchEdges appends one edge per target, in the order of the first case.
func (b *builder) switchEdges(edges []Edge, id BlockID, s *bytecode.Switch) []Edge {
	index := make(map[BlockID]int, 8)
	add := func(l bytecode.Label) {
		to := b.blockOf[l]
		at, ok := index[to]
		if !ok {
			at = len(edges)
			index[to] = at
			edges = append(edges, Edge{From: id, To: to, Kind: Switch})
		}
		edges[at].Cases++
	}
	for _, t := range s.Targets {
		add(t)
	}
	add(s.Default)
	return edges
}

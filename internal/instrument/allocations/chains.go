package allocations

import (
	"slices"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// A Chain is code that makes a builder of strings, appends to it and makes a String of it, while the builder is nowhere
// but on the operand stack, or in one local variable that nothing else reads:
//
//	new StringBuilder; dup; [arguments]; invokespecial <init>
//	{ [arguments]; invokevirtual append }
//	invokevirtual toString
//
// C2 replaces such code as a whole (OptimizeStringConcat, stringopts.cpp), unless something is stored in between: then
// one String and its array are made, and neither a builder nor its array. Arguments may branch, and each way has an end
// of its own.
type Chain struct {
	New    int   // the instruction
	Ends   []int // the calls of toString, ascending
	Inside []int // instructions that begin when there is the builder, ascending; the ends are among them
}

// IsBuilder reports whether a class, in internal form, is one whose chains C2 replaces.
func IsBuilder(class string) bool {
	return class == "java/lang/StringBuilder" || class == "java/lang/StringBuffer"
}

// FindChains lists a method's chains in the order of its code. A builder that is in none may be anywhere, and whoever
// makes a String of it may be inlined. Code whose stack cannot be followed has no chains.
func FindChains(code *bytecode.Code, pool *classfile.Pool) []Chain {
	var builders []int
	for i, in := range code.Insns {
		if in.Op == bytecode.OpNew {
			if class, err := pool.ClassName(in.Pool()); err == nil && IsBuilder(class) {
				builders = append(builders, i)
			}
		}
	}
	if builders == nil {
		return nil
	}
	depths, err := code.StackDepths(pool)
	if err != nil {
		return nil
	}
	f := chainFinder{newFollower(code, pool, depths), make([]place, len(code.Insns))}
	var chains []Chain
	for n, at := range builders {
		if depths[at] == bytecode.Unreachable {
			continue
		}
		if ends := f.follow(at, n+1); ends != nil {
			slices.Sort(ends)
			if ends[0] < at {
				continue // no compiler's
			}
			chains = append(chains, Chain{New: at, Ends: ends, Inside: f.inside(at, n+1)})
		}
	}
	return chains
}

// chains are those of one method, while its sites are listed.
type chains struct {
	found  bool          // they were looked for
	begins map[int][]int // by new: what is inside
	heads  map[int]int   // by end: new
	sites  map[int]int   // by new: its site
}

func newChains(code *bytecode.Code, pool *classfile.Pool, find bool) *chains {
	c := &chains{found: find}
	if !find {
		return c
	}
	for _, chain := range FindChains(code, pool) {
		if c.begins == nil {
			c.begins, c.heads, c.sites = map[int][]int{}, map[int]int{}, map[int]int{}
		}
		c.begins[chain.New] = chain.Inside
		for _, end := range chain.Ends {
			c.heads[end] = chain.New
		}
	}
	return c
}

func (c *chains) ends(i int) bool {
	_, ok := c.heads[i]
	return ok
}

// begun is the site of the builder whose chain ends at an instruction; it stands before that in the code.
func (c *chains) begun(i int) int { return c.sites[c.heads[i]] }

// begin says what a new builder at a site is, and of one in a chain what is inside.
func (c *chains) begin(i, site int) (Builder, []int) {
	inside := c.begins[i]
	switch {
	case !c.found:
		return NoBuilder, nil
	case inside == nil:
		return Loose, nil
	}
	c.sites[i] = site
	return Chained, inside
}

// A chainFinder follows builders on the operand stack, and through one local variable.
type chainFinder struct {
	*follower
	places []place // by instruction that has been visited
}

// A place is where a builder is. On the operand stack it stays in its slot: what returns it puts it where it was taken
// from.
type place struct {
	slot  int32 // of the operand stack, -1 where it is not there
	local int   // the variable that has it too, -1 for none
}

// nowhere is the place of a builder that has no constructor yet.
var nowhere = place{-1, -1}

// follow gives the calls of toString that end the chain of the builder made at an instruction, nil if there is no such
// chain. number is the builder's own, from 1.
func (f *chainFinder) follow(at, number int) (ends []int) {
	class, _ := f.pool.ClassName(f.code.Insns[at].Pool())
	constructor := f.constructor(at, number)
	if constructor < 0 {
		return nil
	}
	for i := range f.places {
		f.places[i] = nowhere
	}
	f.work = f.work[:0]
	if !f.arrive(constructor+1, number, place{f.depths[at], -1}) {
		return nil
	}
	local := -1
	for len(f.work) > 0 {
		i := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		to, use := f.use(i, f.places[i], class)
		switch {
		case use == ended:
			ends = append(ends, i)
		case use == other || to.local >= 0 && local >= 0 && to.local != local || !f.leave(i, number, to):
			return nil
		}
		local = max(local, to.local)
	}
	if ends == nil || !f.closed(at, number, ends) || local >= 0 && f.isReadElsewhere(local, number) {
		return nil
	}
	return ends
}

// arrive comes to an instruction with the builder at a place; false if it was elsewhere there.
func (f *chainFinder) arrive(i, number int, at place) bool {
	if i >= len(f.code.Insns) {
		return false
	}
	if f.visited[i] != number {
		f.visited[i], f.places[i] = number, at
		f.work = append(f.work, i)
	}
	return f.places[i] == at
}

// leave goes on behind an instruction that leaves the builder at a place; false where nobody can tell where to.
func (f *chainFinder) leave(i, number int, at place) bool {
	in := f.code.Insns[i]
	if in.Op.IsSubroutineCall() || in.Op == bytecode.OpRet {
		return false
	}
	for to := range f.code.Targets(i) {
		if !f.arrive(int(to), number, at) {
			return false
		}
	}
	return !in.Op.FallsThrough() || f.arrive(i+1, number, at)
}

// isReadElsewhere reports whether a local variable is read where no builder has been followed to.
func (f *chainFinder) isReadElsewhere(local, number int) bool {
	for i, in := range f.code.Insns {
		if slot, ok := in.Slot(); ok && slot == local && in.Op.LoadsReference() && f.visited[i] != number {
			return true
		}
	}
	return false
}

// inside lists the instructions that have been visited with a builder, but for the one that makes it.
func (f *chainFinder) inside(at, number int) (list []int) {
	for i := range f.code.Insns {
		if i != at && f.visited[i] == number {
			list = append(list, i)
		}
	}
	return list
}

// A use is what an instruction does with a builder.
type use uint8

const (
	kept  use = iota // the builder is still known to be at one place
	ended            // it calls toString
	other
)

// use says what an instruction does with a builder at a place, and where that is then.
func (f *chainFinder) use(i int, at place, class string) (place, use) {
	in := f.code.Insns[i]
	pops, _, err := in.StackEffect(f.pool)
	if err != nil {
		return at, other
	}
	below := f.depths[i] - int32(pops)
	if slot, ok := in.Slot(); ok && in.Op.Stores() {
		switch {
		case below == at.slot && pops == 1 && (at.local < 0 || slot == at.local):
			return place{-1, slot}, kept
		case below <= at.slot && at.slot >= 0, at.local >= 0 && (slot == at.local || slot+pops-1 == at.local):
			return at, other
		}
		return at, kept
	} else if ok && slot == at.local && in.Op.LoadsReference() {
		if at.slot >= 0 {
			return at, other
		}
		return place{f.depths[i], at.local}, kept
	}
	switch {
	case at.slot < 0 || below > at.slot:
		return at, kept
	case below < at.slot || in.Op != bytecode.OpInvokevirtual:
		return at, other
	}
	owner, name, descriptor, err := f.pool.Ref(in.Pool())
	switch {
	case err != nil || owner != class:
		return at, other
	case name == "toString" && descriptor == "()Ljava/lang/String;":
		return at, ended
	case strings.HasSuffix(descriptor, ")L"+class+";"):
		return at, kept
	}
	return at, other
}

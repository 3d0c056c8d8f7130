package allocations

import (
	"slices"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// A Chain is code that makes a builder of strings, appends to it and makes a String of it, while the builder is nowhere
// but on the operand stack:
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
	Inside []int // instructions that begin with the builder on the stack, ascending; the ends are among them
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
	f := chainFinder{newFollower(code, pool, depths)}
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

// A chainFinder follows builders on the operand stack. A builder stays in its slot from new to toString: what returns
// it puts it where it was taken from.
type chainFinder struct{ *follower }

// follow gives the calls of toString that end the chain of the builder made at an instruction, nil if there is no such
// chain. number is the builder's own, from 1.
func (f *chainFinder) follow(at, number int) (ends []int) {
	class, _ := f.pool.ClassName(f.code.Insns[at].Pool())
	slot := f.depths[at]
	constructor := f.constructor(at, number)
	if constructor < 0 {
		return nil
	}
	f.work = append(f.work[:0], constructor+1)
	for len(f.work) > 0 {
		i := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		if i >= len(f.code.Insns) {
			return nil
		}
		if f.visited[i] == number {
			continue
		}
		f.visited[i] = number
		in := f.code.Insns[i]
		switch use := f.use(i, slot, class); use {
		case untouched:
			if !f.proceed(i, in) {
				return nil
			}
		case returned:
			f.work = append(f.work, i+1)
		case ended:
			ends = append(ends, i)
		default:
			return nil
		}
	}
	if ends == nil || !f.closed(at, number, ends) {
		return nil
	}
	return ends
}

// inside lists the instructions that have been visited with a builder on the stack.
func (f *chainFinder) inside(at, number int) (list []int) {
	for i := range f.code.Insns {
		if i != at && f.visited[i] == number {
			list = append(list, i)
		}
	}
	return list
}

// A use is what an instruction does with a builder on the stack.
type use uint8

const (
	untouched use = iota
	returned      // it calls a method that returns the builder
	ended         // it calls toString
	other
)

func (f *chainFinder) use(i int, slot int32, class string) use {
	in := f.code.Insns[i]
	pops, _, err := in.StackEffect(f.pool)
	switch below := f.depths[i] - int32(pops); {
	case err != nil:
		return other
	case below > slot:
		return untouched
	case below < slot || in.Op != bytecode.OpInvokevirtual:
		return other
	}
	owner, name, descriptor, err := f.pool.Ref(in.Pool())
	switch {
	case err != nil || owner != class:
		return other
	case name == "toString" && descriptor == "()Ljava/lang/String;":
		return ended
	case strings.HasSuffix(descriptor, ")L"+class+";"):
		return returned
	}
	return other
}

package instrument

import (
	"fmt"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
	"mallard/internal/instrument/emit"
)

// allocation is an instruction that allocates, and its sites in Method.Sites from first on.
type allocation struct {
	at     int // instruction
	first  int
	levels int // more than 1 for multianewarray, and for calls that make things of several types
	made   emit.AllocatingCall
}

// onPaths reports whether each execution makes just one object of the first site, so that paths can stand for it.
func (a allocation) onPaths(sites []Site) bool {
	return sites[a.first].Kind != Multi && a.made != emit.TakesBytes && a.made != emit.TakesStrings
}

// primitiveArrays has the descriptors of newarray's types by their code (JVMS table 6.5.newarray-A).
var primitiveArrays = map[int32]string{4: "[Z", 5: "[C", 6: "[F", 7: "[D", 8: "[B", 9: "[S", 10: "[I", 11: "[J"}

// findSites lists a method's allocations in the order of its code.
func (w *rewriter) findSites(method string, code *bytecode.Code) ([]allocation, []Site, error) {
	pool := w.class.Pool
	var allocations []allocation
	var sites []Site
	var table *lines
	for i, in := range code.Insns {
		site := Site{Kind: ArrayLen}
		levels := 1
		made := emit.NoAllocatingCall
		var calls []Site // what made makes
		var err error
		switch in.Op {
		case bytecode.OpNew:
			site.Kind = Instance
			site.Type, err = pool.ClassName(in.Pool())
		case bytecode.OpNewarray:
			site.Type = primitiveArrays[in.Arg]
			if site.Type == "" {
				err = fmt.Errorf("newarray of type %d", in.Arg)
			}
		case bytecode.OpAnewarray:
			site.Type, err = pool.ClassName(in.Pool())
			site.Type = arrayOf(site.Type)
		case bytecode.OpMultianewarray:
			site.Kind = Multi
			levels = int(in.Extra)
			site.Type, err = pool.ClassName(in.Pool())
			if err == nil && dimensions(site.Type) < levels || levels == 0 {
				err = fmt.Errorf("%d dimensions of %s", levels, site.Type)
			}
		default:
			if made = w.allocatingCallAt(in); made == emit.NoAllocatingCall {
				continue
			}
			calls, err = w.made(made, code, i)
			levels = len(calls)
			if err == nil {
				site = calls[0]
			}
		}
		if err != nil {
			return nil, nil, fmt.Errorf("pc %d: %w", code.PC(i), err)
		}
		if w.countedAtCall(method, site.Type, made != emit.NoAllocatingCall, i == 0) {
			continue
		}
		if table == nil {
			table = newLines(code)
		}
		bci, line := code.PC(i), table.of(i)
		site.BCI, site.Line, site.Type = bci, line, cloneType(sites, site.Type)
		allocations = append(allocations, allocation{at: i, first: len(sites), levels: levels, made: made})
		sites = append(sites, site)
		for l := 1; l < levels; l++ {
			if made == emit.NoAllocatingCall {
				site.Type = site.Type[1:]
			} else {
				site.Kind, site.Type = calls[l].Kind, calls[l].Type
			}
			sites = append(sites, site)
		}
	}
	return allocations, sites, nil
}

// cloneType copies a type out of the class, or takes the copy that one of the last sites has: many are of the same
// type.
func cloneType(sites []Site, name string) string {
	for _, s := range sites[max(len(sites)-8, 0):] {
		if s.Type == name {
			return s.Type
		}
	}
	return strings.Clone(name)
}

// findLengths turns array sites whose length is a constant into ArrayConst: the instruction before pushes it and no
// one comes in between.
func findLengths(code *bytecode.Code, pool *classfile.Pool, allocations []allocation, sites []Site) {
	var targets []bool
	for _, a := range allocations {
		if sites[a.first].Kind != ArrayLen || a.made != emit.NoAllocatingCall || a.at == 0 {
			continue
		}
		n, ok := constant(code.Insns[a.at-1], pool)
		if !ok || n < 0 {
			continue
		}
		if targets == nil {
			targets = findTargets(code)
		}
		if !targets[a.at] {
			sites[a.first].Kind, sites[a.first].Length = ArrayConst, int(n)
		}
	}
}

// findTargets tells the instructions, the end of the code included, that control can come to from elsewhere than the
// one before.
func findTargets(code *bytecode.Code) []bool {
	targets := make([]bool, len(code.Insns)+1)
	for i, in := range code.Insns {
		switch {
		case in.Op.IsSwitch():
			s := &code.Switches[in.Arg]
			targets[s.Default] = true
			for _, t := range s.Targets {
				targets[t] = true
			}
		case in.Op.IsBranch():
			targets[in.Target()] = true
			targets[i+1] = targets[i+1] || in.Op == bytecode.OpJsr || in.Op == bytecode.OpJsrW // a ret
		}
	}
	for _, h := range code.Handlers {
		targets[h.Target] = true
	}
	return targets
}

// constant gives the int that an instruction pushes.
func constant(in bytecode.Instruction, pool *classfile.Pool) (int32, bool) {
	switch {
	case in.Op >= bytecode.OpIconstM1 && in.Op <= bytecode.OpIconst5:
		return int32(in.Op) - int32(bytecode.OpIconst0), true
	case in.Op == bytecode.OpBipush, in.Op == bytecode.OpSipush:
		return in.Arg, true
	case in.Op == bytecode.OpLdc, in.Op == bytecode.OpLdcW:
		n, err := pool.Integer(in.Pool())
		return n, err == nil
	}
	return 0, false
}

// arrayOf gives the descriptor of arrays whose elements are of a type in the constant pool's form.
func arrayOf(class string) string {
	if dimensions(class) > 0 {
		return "[" + class
	}
	return "[L" + class + ";"
}

func dimensions(descriptor string) int {
	n := 0
	for n < len(descriptor) && descriptor[n] == '[' {
		n++
	}
	return n
}

package allocations

import (
	"bytes"
	"fmt"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/classfile"
)

// A Finder finds what the methods of one class allocate.
type Finder struct {
	pool    *classfile.Pool
	class   string // internal form
	calls   *calls
	options Options
}

// NewFinder prepares to look at the methods of a class, given its name in internal form. It keeps both.
func NewFinder(class *classfile.Class, name string, o Options) *Finder {
	return &Finder{pool: class.Pool, class: name, calls: findCalls(class, name, o), options: o}
}

// MayAllocate is false for code that has no byte in common with an allocation: most methods are told apart without
// being decoded.
func (f *Finder) MayAllocate(code []byte) bool {
	return bytes.IndexByte(code, byte(bytecode.OpNew)) >= 0 || bytes.IndexByte(code, byte(bytecode.OpNewarray)) >= 0 ||
		bytes.IndexByte(code, byte(bytecode.OpAnewarray)) >= 0 ||
		bytes.IndexByte(code, byte(bytecode.OpMultianewarray)) >= 0 || f.calls.mayBeIn(code)
}

// Tells gives an instruction that calls what makes nothing itself, but has to be told of: NamesClass, LinksConcat,
// LinksRecord or LinksLambda; else NoCall.
func (f *Finder) Tells(in bytecode.Instruction) Call {
	switch made := f.calls.at(in); made {
	case NamesClass, LinksConcat, LinksRecord, LinksLambda:
		return made
	}
	return NoCall
}

// Find lists the allocations of a method in the order of its code, but for those that are counted where the method is
// called. Nothing in the lists is the class's.
func (f *Finder) Find(method string, code *bytecode.Code) ([]Allocation, []Site, error) {
	var allocations []Allocation
	var sites []Site
	var lines *bytecode.LineTable
	chains := newChains(code, f.pool, f.options.FindsChains)
	for i := range code.Insns {
		a := Allocation{At: i, First: len(sites)}
		var err error
		if chains.ends(i) {
			a.Made, a.Begun = EndsChain, chains.begun(i)
			sites = append(sites, Site{Kind: ArrayLen, Type: "[B"}, Site{Kind: Instance, Type: "java/lang/String"})
		} else if sites, a.Made, err = f.appendAt(sites, code, i); err != nil {
			return nil, nil, fmt.Errorf("pc %d: %w", code.PC(i), err)
		}
		first := a.First
		if len(sites) == first {
			continue
		}
		if countedAtCall(f.class, method, sites[first].Type, f.options, a.Made != NoCall, i == 0) {
			sites = sites[:first]
			continue
		}
		if f.options.MadeAside && a.IsByClass(sites) {
			sites[first].Kind = Multi
		}
		if a.Made == NoCall && IsBuilder(sites[first].Type) {
			a.Builder, a.Inside = chains.begin(i, first)
		}
		if lines == nil {
			lines = bytecode.NewLineTable(code)
		}
		bci, line := code.PC(i), lines.Line(i)
		for k := first; k < len(sites); k++ {
			sites[k].BCI, sites[k].Line, sites[k].Type = bci, line, cloneType(sites[:k], sites[k].Type)
		}
		a.Levels = len(sites) - first
		allocations = append(allocations, a)
	}
	if len(allocations) == 0 {
		return nil, nil, nil
	}
	findLengths(code, f.pool, allocations, sites)
	findUses(code, f.pool, allocations, sites)
	return allocations, sites, nil
}

// appendAt appends what an instruction makes, by type. Its place is still missing, and the strings are the class's.
func (f *Finder) appendAt(sites []Site, code *bytecode.Code, i int) ([]Site, Call, error) {
	switch in := code.Insns[i]; in.Op {
	case bytecode.OpNew:
		class, err := f.pool.ClassName(in.Pool())
		return append(sites, Site{Kind: Instance, Type: class}), NoCall, err
	case bytecode.OpNewarray:
		array := primitiveArrays[in.Arg]
		if array == "" {
			return sites, NoCall, fmt.Errorf("newarray of type %d", in.Arg)
		}
		return append(sites, Site{Kind: ArrayLen, Type: array}), NoCall, nil
	case bytecode.OpAnewarray:
		class, err := f.pool.ClassName(in.Pool())
		sites = append(sites, Site{Kind: ArrayLen, Type: arrayOf(class)})
		if f.class == hashMap && asksForTable(code, i) {
			return append(sites, sites[len(sites)-1]), MakesTable, err
		}
		return sites, NoCall, err
	case bytecode.OpMultianewarray:
		levels := int(in.Extra)
		array, err := f.pool.ClassName(in.Pool())
		if err == nil && dimensions(array) < levels || levels == 0 {
			err = fmt.Errorf("%d dimensions of %s", levels, array)
		}
		if err != nil {
			return sites, NoCall, err
		}
		for l := range levels {
			sites = append(sites, Site{Kind: Multi, Type: array[l:]})
		}
		return sites, NoCall, nil
	default:
		made := f.calls.at(in)
		if made == NoCall {
			return sites, NoCall, nil
		}
		sites, err := f.calls.appendMade(sites, made, code, i)
		return sites, made, err
	}
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

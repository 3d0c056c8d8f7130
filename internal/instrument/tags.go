package instrument

import (
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
	"mallard/internal/instrument/emit"
)

// With [Options.Tags], code behind an allocation gives what was made the number of its site, in its header. The first
// site of a class has the number of its first counter, the others follow; a class has as many counters as sites, or
// more.
//
// An object is tagged when its constructor is over: the verifier lets nothing be done with it before. What calls make
// is tagged where it is sure to be new. The builder of a [allocations.Chain] is tagged by its constructor, which C2
// does not call where it replaces the chain: nothing else may be done with it.

// tag puts the code that tags what the allocations make.
func (p *plan) tag(b *body) error {
	o := &b.rewriter.options
	if !o.Tags || isReserved(b.rewriter.result.Name) || !b.contexts && o.Contexts != NoContexts {
		return nil // code there has no room on the stack for more; numbers of sites would be others' tags
	}
	var news []int
	for _, a := range b.allocations {
		if b.code.Insns[a.At].Op == bytecode.OpNew {
			news = append(news, a.At)
		}
	}
	var constructors map[int]allocations.Constructor
	if len(news) > 0 {
		constructors = allocations.FindConstructors(b.code, b.rewriter.class.Pool, news, b.isInstance())
	}
	for _, a := range b.allocations {
		behind, ok, announced := a.At, true, false
		var t emit.Tagging
		if b.code.Insns[a.At].Op == bytecode.OpNew {
			var constructor allocations.Constructor
			constructor, ok = constructors[a.At]
			behind = constructor.At
			t.What = constructed(b.sites[a.First].Type)
			announced = a.Builder == allocations.Chained && !b.contexts // in contexts no chain is replaced
			ok = ok && (constructor.Certain || !announced)
		} else {
			t, ok = tagOfCall(a)
		}
		if !ok || behind+1 >= len(b.code.Insns) || o.Untagged[b.rewriter.sites+uint32(a.First)] && t.IsSingle() {
			continue
		}
		if announced {
			if err := p.announceBuilder(b, a); err != nil {
				return err
			}
			continue
		}
		t.Number += p.tagNumbers(b, a)
		code, stack, err := p.emit.Tag(t)
		if err != nil {
			return err
		}
		p.insert(behind+1, bytecode.FallThrough, nil, code, stack, nil)
	}
	return nil
}

// announceBuilder puts the code in front of a new that has the constructor tag the builder.
func (p *plan) announceBuilder(b *body, a allocations.Allocation) error {
	code, stack, err := p.emit.AnnounceBuilder(p.tagNumbers(b, a))
	if err == nil {
		p.insert(a.At, bytecode.Always, nil, code, stack, nil)
	}
	return err
}

// tagNumbers gives the number of an allocation's first site: in contexts that of a counter for its tag.
func (p *plan) tagNumbers(b *body, a allocations.Allocation) uint32 {
	if !b.contexts {
		return b.rewriter.sites + uint32(a.First)
	}
	first := p.emit.Counters()
	for site := a.First; site < a.First+a.Levels; site++ {
		p.addCounters(Counter{Kind: Tag, Site: site})
	}
	return first
}

// constructed says who may know an object of a class when its constructor is over. Those of the JDK's most common
// classes show it to nobody.
func constructed(class string) emit.Tagged {
	name, isUtil := strings.CutPrefix(class, "java/util/")
	switch {
	case isUtil && !strings.Contains(name, "/") && !strings.HasPrefix(name, "Timer"):
		return emit.Own
	case allocations.IsBuilder(class):
		return emit.Own
	}
	switch class {
	case "java/lang/Object", "java/lang/String", "java/lang/Integer", "java/lang/Long", "java/lang/Double",
		"java/lang/Float", "java/lang/Short", "java/lang/Byte", "java/lang/Character":
		return emit.Own
	}
	return emit.Built
}

// tagOfCall says what is on the stack behind an instruction that is no new, with a number relative to its first site;
// false where it may not be new.
func tagOfCall(a allocations.Allocation) (t emit.Tagging, ok bool) {
	switch a.Made {
	case allocations.NoCall:
		if a.Levels > 1 {
			return emit.Tagging{What: emit.Nested, More: int16(a.Levels)}, true
		}
		return emit.Tagging{What: emit.Own}, true
	case allocations.MakesClone, allocations.MakesArray, allocations.MakesTable:
		return emit.Tagging{What: emit.Own}, true
	case allocations.MakesReplaced, allocations.TakesBytes:
		return emit.Tagging{What: emit.Left}, true
	case allocations.MayClone, allocations.MaySuperClone, allocations.MakesObject, allocations.MakesNested,
		allocations.CopiesString, allocations.MakesLambda: // one that captures nothing is the same each time
		return emit.Tagging{What: emit.Shown}, true
	case allocations.MakesBacktrace:
		return emit.Tagging{What: emit.Backtrace}, true
	case allocations.MakesString, allocations.MakesOwnString:
		return emit.Tagging{What: emit.String, More: 1}, true
	case allocations.EndsChain, allocations.CountsChain:
		return emit.Tagging{What: emit.Chain, Number: 1, More: -1}, true
	case allocations.TakesStrings:
		return emit.Tagging{What: emit.String, Number: 1, More: -1}, true
	}
	return t, false
}

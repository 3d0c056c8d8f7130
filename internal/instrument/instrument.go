package instrument

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mallard/internal/bytecode"
	"mallard/internal/instrument/allocations"
	"mallard/internal/instrument/emit"
)

// instrumentInContexts is instrument for a method that wants contexts. Where it cannot have them it is counted as
// without: that matters less than exact counts, so corrections are not given up for them. A method that only calls
// then stays as it was.
func (b *body) instrumentInContexts() ([]byte, *Method, error) {
	info, method, err := b.instrument()
	if err == nil {
		return info, method, nil
	}
	reason := fmt.Sprintf("contexts: %v", err)
	b.contexts = false
	if info, method, err = b.instrument(); method == nil {
		return nil, nil, err
	}
	if method.Fallback != "" {
		reason += "; " + method.Fallback
	}
	method.Fallback = reason
	return info, method, nil
}

// instrument gives the new contents of the Code attribute and what was put there; nil where nothing allocates. Where
// counters and corrections would make the method too long, or it cannot have the corrections, it tries other
// placements.
func (b *body) instrument() ([]byte, *Method, error) {
	if err := b.read(); err != nil || b.isEmpty() {
		return nil, nil, err
	}
	undo := b.rewriter.code.Mark()
	asked := b.rewriter.options.Placement
	ends := b.countsChains()
	info, method, err := b.place(fallback{strategy: asked, ends: ends})
	var tooLong *lengthError
	var uncorrectable *catchError
	if ends && (errors.As(err, &tooLong) || errors.As(err, &uncorrectable)) {
		undo()
		info, method, err = b.place(fallback{strategy: asked})
	}
	reason := ""
	for _, other := range b.fallbacks(asked) {
		if !errors.As(err, &tooLong) && !errors.As(err, &uncorrectable) || b.graphless != nil || b.contexts &&
			other.uncorrected {
			break
		}
		if reason == "" {
			reason = fmt.Sprintf("with %v it %v", asked, err)
		}
		undo()
		if b.bytecodes {
			b.sites[len(b.sites)-1].Length = 0
		}
		if other.fewest {
			flatten(b.graph)
		}
		if info, method, err = b.place(other); err == nil {
			method.Fallback = reason
		}
	}
	if err != nil {
		undo()
		return nil, nil, err
	}
	return info, method, nil
}

// read takes the method apart.
func (b *body) read() (err error) {
	w := b.rewriter
	if b.code, err = bytecode.Decode(b.raw, w.class.Pool); err != nil {
		return err
	}
	b.code.Version = w.class.Major
	if w.options.Attached && w.options.Redefined && lacksFrames(b.code) {
		b.code.Version = min(b.code.Version, framesVersion-1)
	}
	if err = b.check(); err != nil {
		return err
	}
	if b.allocations, b.sites, err = w.allocations.Find(b.name, b.code); err != nil {
		return err
	}
	if b.calls = nil; b.contexts && !w.options.Hidden {
		if b.calls, err = w.findCalls(b.code); err != nil {
			return err
		}
		if b.carries {
			b.calls = slices.DeleteFunc(b.calls, func(c callSite) bool { return !c.asCarrier() })
		}
	}
	if err = b.findBegins(); err != nil {
		return err
	}
	if w.traits.Hooks && !b.bytecodes {
		b.failing = findFailing(w.result.Name, b.name, b.descriptor, b.code, w.class.Pool,
			w.options.ownsArrays())
	}
	b.tells = b.contexts && w.traits.ClassNodes && (b.failing != nil || slices.ContainsFunc(b.allocations,
		func(a allocations.Allocation) bool { return a.IsByClass(b.sites) }))
	if b.contexts && w.options.Constructors {
		if b.constructions, err = b.findConstructions(); err != nil {
			return err
		}
	}
	if b.isEmpty() {
		return nil
	}
	if b.isUncounted() && (b.name != "<clinit>" || !w.traits.InitializersEnter) {
		b.contexts = false // it stays the leaf that others take it for
	}
	switch {
	case b.last == emit.Thrown && b.contexts:
		b.sites = append(b.sites, allocations.RaisedSites(strings.Clone(w.result.Name))...)
	case b.last == emit.Stopped:
		b.sites = append(b.sites, allocations.StoppedSite)
	case b.last == emit.Attached:
		b.sites = append(b.sites, allocations.AttachedSites...)
	case b.hook == emit.Asked:
		b.sites = append(b.sites, allocations.AskedSites...)
	case b.hook == emit.Linked:
		b.sites = append(b.sites, allocations.LinkedSites...)
	case b.failing != nil:
		b.failing.site = len(b.sites)
		b.sites = append(b.sites, b.failing.lostSite(b.code))
	}
	if b.bytecodes {
		b.sites = append(b.sites, allocations.Site{BCI: -1, Line: -1, Kind: allocations.Executed})
	} else if b.graphless = b.countedGraphless(); b.graphless != nil {
		return nil
	}
	if (b.contexts || b.isUncounted() || b.failing != nil) && !b.bytecodes && len(b.allocations) == 0 {
		b.graphless = []allocations.Allocation{} // there is nothing to place
		return nil
	}
	b.graph, err = b.flow()
	if err == nil && w.options.Frequencies != nil {
		w.options.Frequencies(b.name+b.descriptor, b.graph)
	}
	return err
}

// lacksFrames reports whether a method has been loaded without its frames: HotSpot drops them where it does not verify
// a class (ClassFileParser::parse_stackmap_table), and hands the class over without when it is retransformed. It will
// not verify it then either.
func lacksFrames(c *bytecode.Code) bool {
	if len(c.Frames) > 0 {
		return false
	}
	if len(c.Handlers) > 0 {
		return true
	}
	for i := range c.Insns {
		for range c.Targets(i) {
			return true
		}
	}
	return false
}

package profile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// addLosses states what was found missing while folding, and makes the list.
func (f *folder) addLosses(p *Profile, totals []Amount, deeper int64) {
	if f.process == nil {
		f.lose("process", 0, "the record that describes the process is missing: array sizes are unknown")
	}
	if !p.Complete && !p.Merged {
		f.lose("live-frames", 0, fmt.Sprintf("the recording has no last snapshot: counts are exact except for "+
			"methods still on a stack, as of %.1f s after its start", p.Duration.Seconds()))
	}
	if len(f.undefined) > 0 {
		f.lose("definitions", uint64(len(f.undefined)), "counters whose class definition is missing: their counts are "+
			"not in this report")
	}
	if f.contexts.unknown > 0 {
		f.lose("definitions", f.contexts.unknown, "counts of contexts whose definition is missing: they are not in "+
			"this report")
	}
	if deeper > 0 && !p.Merged {
		f.lose("depth", uint64(deeper), fmt.Sprintf("contexts of more than %d calls: what is further in stands "+
			"behind a frame %s; nothing is missing from the totals", maxDepth, deeperFrame))
	}
	if f.afterEnd > 0 {
		f.lose("snapshots", f.afterEnd, "values of threads that had ended")
	}
	if f.merged.merged > 0 {
		f.lose("threads", uint64(f.merged.merged), "threads that share one row, as there were too many to keep "+
			"apart; nothing is missing from the totals")
	}
	if f.negative > 0 {
		f.lose("damage", f.negative, "counts below zero: they are not in this report")
	}
	f.addDamage()
	f.addInexact(totals)
	if f.vectors && !p.Merged {
		f.lose("vectors", 0, "the Vector API was used: what C2 makes of a vector that is kept, in the place of the "+
			"code that is counted, has no site")
	}
	f.addInexactBytecodes(totals)
	if !p.Merged { // what is lost in each is said there
		f.addUnsized(totals)
	}
	for key, count := range f.counts {
		p.Losses = append(p.Losses, trace.Loss{Kind: key.kind, Count: count, Detail: key.detail})
	}
	slices.SortFunc(p.Losses, func(a, b trace.Loss) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Detail, b.Detail))
	})
}

// addDamage sums up what could not be read.
func (f *folder) addDamage() {
	if len(f.damage) == 0 {
		return
	}
	var bytes, records int64
	known := true
	for _, d := range f.damage {
		bytes += d.Bytes
		records += max(d.Records, 0)
		known = known && d.Records >= 0
	}
	missing := fmt.Sprintf("%d records", records)
	if !known {
		missing = fmt.Sprintf("at least %d records", records)
	}
	first := f.damage[0]
	f.lose("damage", uint64(len(f.damage)),
		fmt.Sprintf("places of the recording where %s are missing, %d bytes skipped; the first is at offset %d: %s",
			missing, bytes, first.Offset, first.Reason))
}

// addInexact counts the methods that allocated and whose counts are off where
// an exception left a path.
func (f *folder) addInexact(totals []Amount) {
	methods := map[symbols.MethodKey]struct{}{}
	for i, s := range f.symbols.Sites {
		if _, inexact := f.inexact[s.Method]; inexact && !totals[i].IsZero() && s.Def.Kind != trace.Executed {
			methods[s.Method] = struct{}{}
		}
	}
	if len(methods) > 0 {
		var names []string
		for m := range methods {
			names = append(names, symbols.ClassName(m.Class)+"."+m.Name)
		}
		slices.Sort(names)
		f.lose("exceptions", uint64(len(methods)), "methods that allocated on paths which an exception can leave: "+
			"their counts may be off where one did: "+some(names))
	}
}

// addInexactBytecodes counts the methods whose bytecodes are not exact.
func (f *folder) addInexactBytecodes(totals []Amount) {
	inexact := uint64(0)
	for i, s := range f.symbols.Sites {
		if s.Def.Kind == trace.Executed && s.Def.Length > 0 && !totals[i].IsZero() {
			inexact++
		}
	}
	if inexact > 0 {
		f.lose("bytecodes", inexact, "methods that would be too long with what exceptions need: their bytecodes are "+
			"off where an exception left them")
	}
	if n := len(f.uncounted); n > 0 {
		f.lose("bytecodes", uint64(n), "methods whose bytecodes could not be counted")
	}
}

// addUnsized names the types whose bytes are missing.
func (f *folder) addUnsized(totals []Amount) {
	types := map[string]int64{}
	var objects int64
	for i, s := range f.symbols.Sites {
		if n := totals[i].Unsized; n != 0 {
			types[symbols.TypeName(s.Def.Type)] += n
			objects += n
		}
	}
	if len(types) == 0 {
		return
	}
	names := slices.SortedFunc(maps.Keys(types), func(a, b string) int {
		return cmp.Or(cmp.Compare(types[b], types[a]), strings.Compare(a, b))
	})
	f.lose("sizes", uint64(max(objects, 0)), "objects of unknown size, not in the bytes: "+some(names))
}

// some lists the first names, and says how many more there are.
func some(names []string) string {
	const named = 3
	list := strings.Join(names[:min(named, len(names))], ", ")
	if more := len(names) - named; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

package export

import (
	"io"
	"strconv"

	pprof "github.com/google/pprof/profile"

	"mallard/internal/heap"
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// HeapPprof writes what was in the heap as a gzipped pprof profile with the values inuse_objects/count and
// inuse_space/bytes, the latter being the default, as Go's heap profiles have them.
//
// A class is a frame, since that alone is always known. Where the answer is by site, and the site is known that makes
// the class's objects, its method is the caller. Spaces, generations and ages are labels. Memory that is no object is
// left out.
func HeapPprof(w io.Writer, file string, p *profile.Profile, h *heap.History, held *heap.Held) error {
	b := newPprofBuilder(p, amounts("inuse"))
	b.out.Comments = []string{"mallard recording " + file, "heap: " + momentText(h, held.At),
		"total: " + heapAmount(held.Total)}
	for _, line := range heapLossLines(p, h.Pauses[held.At].Lost+h.Damaged) {
		b.out.Comments = append(b.out.Comments, "losses: "+line)
	}
	if !p.Started.IsZero() {
		b.out.TimeNanos = p.Started.Add(h.Pauses[held.At].Time()).UnixNano()
	}
	methods := map[symbols.Method]*symbols.Method{} // of which the builder makes a function each
	frame := func(m symbols.Method, line int32) *pprof.Location {
		if methods[m] == nil {
			methods[m] = &m
		}
		return b.location(symbols.Frame{Method: methods[m], BCI: -1, Line: line})
	}
	for _, row := range held.Rows {
		if row.Class == heap.Unused {
			continue
		}
		stack := []*pprof.Location{frame(symbols.Method{Name: h.Title(row.Class)}, -1)}
		if held.Counts != nil {
			callers := held.Counts.Stack(row.Class)
			for _, f := range callers {
				stack = append(stack, b.location(f))
			}
			if s := held.Counts.Site(row.Class); s != nil && callers == nil {
				stack = append(stack, frame(symbols.Method{Class: s.Class, Name: s.Method, Descriptor: s.Descriptor,
					Source: s.Source, Loader: s.Loader}, s.Line))
			}
		}
		b.out.Sample = append(b.out.Sample, &pprof.Sample{Location: stack, Value: []int64{row.Objects, row.Bytes},
			Label: keyLabels(h, &held.Query, row.Key)})
	}
	return b.write(w)
}

// keyLabels are what a row stands for, in words.
func keyLabels(h *heap.History, q *heap.Query, key heap.Key) map[string][]string {
	labels := map[string][]string{}
	for _, by := range q.By {
		switch by {
		case heap.ByClass, heap.BySite, heap.ByContext:
			labels[labelClass] = []string{h.Name(key.Class)}
		case heap.ByLoader:
			if title := loaderLabel(h, q, key.Class); title != "" {
				labels[by.String()] = []string{title}
			}
		case heap.ByThread:
			labels[by.String()] = []string{h.Thread(key.Class)}
		case heap.BySpace:
			labels[by.String()] = []string{key.Space.String()}
		case heap.ByGeneration:
			labels[by.String()] = []string{generation(key)}
		case heap.ByAge:
			if key.Age >= 0 {
				labels[by.String()] = []string{strconv.Itoa(int(key.Age))}
			}
		}
	}
	return labels
}

// loaderLabel is a class's loader, or what stands for all that one has loaded.
func loaderLabel(h *heap.History, q *heap.Query, class heap.Class) string {
	if heap.AreWhole(q.By) {
		return h.TitleOf(h.Loader(class))
	}
	return h.LoaderTitle(class)
}

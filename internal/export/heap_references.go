package export

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mallard/internal/heap"
	"mallard/internal/heapgraph"
	"mallard/internal/profile"
)

// newReferencesReport begins an answer about what keeps objects alive.
func newReferencesReport(file string, p *profile.Profile, h *heap.History, reached *heapgraph.Reached, question string,
	q heap.Query) *HeapReport {
	r := newHeapReport(file, p, h, question, q)
	g := reached.Graph
	sum := func(s heapgraph.Strength) *jsonHeapSum { return newJSONHeapSum(reached.Sums[s]) }
	r.head.References = &jsonReferences{g.Complete, g.Missing, sum(heapgraph.Strong), sum(heapgraph.Soft),
		sum(heapgraph.Finalizable), sum(heapgraph.Unreached), nil, time.Duration(g.Took.All).Seconds()}
	r.head.Missing += g.Damaged
	r.addMoment(h, g)
	if end, err := h.End(); err == nil && isOf(h, end, g) {
		held := h.Held(end, heap.Query{}).Total
		for _, some := range reached.Sums {
			held.Objects, held.Bytes = held.Objects-some.Objects, held.Bytes-some.Bytes
		}
		if held.Objects >= 0 && held.Bytes >= 0 && g.Complete {
			r.head.References.Garbage = newJSONHeapSum(held)
		}
	}
	r.facts.add("Alive", heapAmount(reached.Sums[heapgraph.Strong]))
	for _, some := range []struct {
		name     string
		strength heapgraph.Strength
		what     string
	}{{"Soft", heapgraph.Soft, "free if memory is short"},
		{"Finalizer", heapgraph.Finalizable, "free when their finalizer has run"},
		{"Unknown", heapgraph.Unreached, "what leads to them is not recorded"}} {
		if a := reached.Sums[some.strength]; a.Objects > 0 {
			r.facts.add(some.name, heapAmount(a)+": "+some.what)
		}
	}
	if garbage := r.head.References.Garbage; garbage != nil {
		r.facts.add("Garbage", heapAmount(heap.Amount(*garbage))+" are held, but there is no way to them")
	}
	if !g.Complete {
		r.facts.add("References", fmt.Sprintf("not all are recorded (%s lead nowhere): what follows is of a part",
			counted(g.Missing, "reference")))
	}
	return r
}

// isOf reports whether references are those of a pause.
func isOf(h *heap.History, pause int, g *heapgraph.Graph) bool {
	p := &h.Pauses[pause]
	return p.Last && (g.At >= p.Start || g.At == 0) // recordings without an end do not say when it began
}

// addMoment says when the references were recorded.
func (r *HeapReport) addMoment(h *heap.History, g *heapgraph.Graph) {
	if end, err := h.End(); err == nil && isOf(h, end, g) {
		r.head.At = newJSONMoment(h, end)
		r.facts.add("Heap", momentText(h, end))
	} else {
		seconds := g.At.Seconds()
		r.head.At = &jsonMoment{State: "running", Time: &seconds}
		r.facts.add("Heap", fmt.Sprintf("at %.3f s, while the program ran", seconds))
	}
	if g.Took.All > 0 {
		r.facts.add("Pause", fmt.Sprintf("%.1f ms, in which references were followed and written",
			time.Duration(g.Took.All).Seconds()*1000))
	}
	if g.Moments > 1 {
		r.facts.add("Moments", fmt.Sprintf("%d have references; --at chooses one", g.Moments))
	}
}

// retainedColumns say what a row keeps alive, and which share that is of all that there is a strong way to.
func retainedColumns[Row any](d *heapgraph.Dominators, retained func(Row) heap.Amount) []heapColumn[Row] {
	all := d.Reached.Sums[heapgraph.Strong]
	return append(amountColumns("retained", "Retained", retained), heapColumn[Row]{name: "retained_percent",
		title: "Byte%", unit: profile.Share,
		value: func(r Row) any { return percentOf(retained(r).Bytes, all.Bytes) }})
}

// NewRetainedReport is what each class's objects keep alive.
func NewRetainedReport(file string, p *profile.Profile, h *heap.History, d *heapgraph.Dominators,
	q heap.Query) *HeapReport {
	type row = heapgraph.RetainedRow[heap.Class]
	r := newReferencesReport(file, p, h, d.Reached, "retained", q)
	rows, count := d.Retained(q)
	retained(r, d, rows, "retained: what would be free without all objects of the class, themselves included",
		keyColumns(h, &q, func(x row) heap.Key { return heap.Key{Class: x.Of} })...)
	r.counts(count, rowNoun(&q), "retained "+q.Sort.String())
	return r
}

// NewLoadersReport is what each loader keeps alive, with its classes and their objects.
func NewLoadersReport(file string, p *profile.Profile, h *heap.History, d *heapgraph.Dominators,
	q heap.Query) *HeapReport {
	type row = heapgraph.RetainedRow[heap.Loader]
	r := newReferencesReport(file, p, h, d.Reached, "retained", q)
	rows, count := d.RetainedByLoaders(q)
	retained(r, d, rows, "retained: what would be free without the loader, all its classes and all their objects; "+
		"objects and bytes: these themselves", heapColumn[row]{name: "loader", title: "Loader", unit: profile.Text,
		value: func(x row) any { return h.TitleOf(x.Of) }})
	r.counts(count, "loader", "retained "+q.Sort.String())
	return r
}

// retained has the rows, and says what they mean.
func retained[Of comparable](r *HeapReport, d *heapgraph.Dominators, rows []heapgraph.RetainedRow[Of], what string,
	keys ...heapColumn[heapgraph.RetainedRow[Of]]) {
	type row = heapgraph.RetainedRow[Of]
	columns := retainedColumns(d, func(x row) heap.Amount { return x.Retained })
	columns = append(columns, heapColumn[row]{name: "least", unit: profile.Text, only: inJSON | inCSV,
		value: func(x row) any { return x.Least }})
	columns = append(columns, amountColumns("", "", func(x row) heap.Amount { return x.Amount })...)
	r.rows = heapTable(rows, append(columns, keys...))
	r.facts.add("Columns", what)
	least := 0
	for i := range rows {
		if rows[i].Least {
			least++
		}
	}
	if least > 0 {
		r.facts.add("Least", counted(int64(least), "row")+" may retain more than it says: there are too many to "+
			"follow the references without each")
	}
}

// NewDominatorsReport is what single objects keep alive.
func NewDominatorsReport(file string, p *profile.Profile, h *heap.History, d *heapgraph.Dominators,
	q heap.Query) *HeapReport {
	type row = heapgraph.TopRow
	r := newReferencesReport(file, p, h, d.Reached, "dominators", q)
	rows, count := d.Tops(q)
	columns := retainedColumns(d, func(x row) heap.Amount { return x.Retained })
	columns = append(columns,
		heapColumn[row]{name: "bytes", title: "Bytes", unit: profile.Bytes,
			value: func(x row) any { return x.Bytes }},
		heapColumn[row]{title: "Object", unit: profile.Text, only: inText, value: func(x row) any {
			name := h.Title(x.Class)
			if x.Name != "" {
				name = "class " + x.Name
			}
			return strings.Repeat("  ", x.Depth) + name
		}},
		heapColumn[row]{name: "depth", unit: profile.Number, only: inJSON | inCSV,
			value: func(x row) any { return int64(x.Depth) }},
		heapColumn[row]{name: "class", unit: profile.Text, only: inJSON | inCSV,
			value: func(x row) any { return h.Name(x.Class) }},
		heapColumn[row]{name: "loader", unit: profile.Text, only: inJSON | inCSV, value: func(x row) any {
			if slices.Contains(q.By, heap.ByLoader) {
				return optionalText(h.LoaderTitle(x.Class))
			}
			return optionalText(h.Within(x.Class))
		}},
		heapColumn[row]{name: "stands_for", unit: profile.Text, only: inJSON | inCSV, value: func(x row) any {
			if x.Name == "" {
				return nil
			}
			return x.Name
		}},
		heapColumn[row]{name: "gathers", title: "Gathered in", unit: profile.Text, value: func(x row) any {
			if !x.HasGathers {
				return nil
			}
			return h.Title(x.Gathers)
		}})
	if slices.Contains(q.By, heap.ByThread) {
		columns = append(columns, heapColumn[row]{name: "thread", title: "Thread", unit: profile.Text,
			value: func(x row) any { return h.Thread(x.Class) }})
	}
	if q.Counts != nil {
		columns = append(columns, siteColumns(q.Counts, slices.Contains(q.By, heap.ByContext),
			func(x row) heap.Class { return x.Class })...)
	}
	r.rows = heapTable(rows, append(columns, wayColumns(func(x row) heapgraph.Way { return x.Way })...))
	r.facts.add("Columns", "objects that no other one keeps alive alone, and what is below them; retained: what would "+
		"be free without them")
	r.counts(count, "object", "retained "+q.Sort.String())
	return r
}

// NewPathsReport is how the objects of classes are kept alive.
func NewPathsReport(file string, p *profile.Profile, h *heap.History, reached *heapgraph.Reached,
	q heap.Query) *HeapReport {
	type row = heapgraph.PathRow
	r := newReferencesReport(file, p, h, reached, "paths", q)
	rows, count := reached.Paths(q)
	columns := amountColumns("", "", func(x row) heap.Amount { return x.Amount })
	columns = append(columns, keyColumns(h, &q, func(x row) heap.Key { return heap.Key{Class: x.Class} })...)
	columns = append(columns,
		heapColumn[row]{name: "strength", title: "Held", unit: profile.Text,
			value: func(x row) any { return x.Strength.String() }})
	r.rows = heapTable(rows, append(columns, wayColumns(func(x row) heapgraph.Way { return x.Way })...))
	r.facts.add("Columns", "path: one of the shortest to each object, where steps that repeat, as in a list, are one")
	r.counts(count, "path", q.Sort.String())
	return r
}

// wayColumns say how an object is reached.
func wayColumns[Row any](way func(Row) heapgraph.Way) []heapColumn[Row] {
	return []heapColumn[Row]{
		{name: "path", title: "Path", unit: profile.Text, value: func(x Row) any { return way(x).String() },
			only: inText | inCSV},
		{name: "root", unit: profile.Text, value: func(x Row) any { return way(x).Root }, only: inJSON},
		{name: "path", unit: profile.Text, value: func(x Row) any { return append([]string{}, way(x).Steps...) },
			only: inJSON},
	}
}

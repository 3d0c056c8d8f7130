package collections

import (
	"fmt"
	"time"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// columns are those of "report --gc".
var columns = []profile.EventColumn{
	{Name: "number", Title: "Number", Unit: profile.Number},
	{Name: "start", Title: "Start", Unit: profile.Seconds},
	{Name: "cause", Title: "Cause", Unit: profile.Text},
	{Name: "kind", Title: "Kind", Unit: profile.Text},
	{Name: "pause", Title: "Pause", Unit: profile.Seconds},
	{Name: "before", Title: "Before", Unit: profile.Bytes},
	{Name: "after", Title: "After", Unit: profile.Bytes},
	{Name: "allocated", Title: "Allocated", Unit: profile.Bytes},
}

// answer makes the table of the collections that a recording has.
func answer(process *trace.Process, records []*trace.Events) *profile.EventTable {
	rows := interpret(process, decode(records))
	c := &profile.EventTable{Noun: "collection", Columns: columns, Plots: plots(rows)}
	for _, r := range rows {
		c.Rows = append(c.Rows, profile.EventRow{
			At: r.start, Name: fmt.Sprintf("GC(%d) %s", r.number, r.kind),
			Values: []any{
				r.number, r.start, value(r.cause), r.kind,
				value(r.pause), value(r.before), value(r.after), value(r.allocated),
			},
		})
	}
	return c
}

func value[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// Causes are why the JVM has collected, by the numbers of pauses in its log, where it says so.
func Causes(process *trace.Process, records []*trace.Events) map[int64]string {
	causes := map[int64]string{}
	for _, r := range interpret(process, decode(records)) {
		if r.pause != nil && r.cause != nil {
			causes[r.number] = *r.cause
		}
	}
	return causes
}

// plots are the heap before and after each pause, the pauses, and how fast the program allocated between them.
func plots(rows []row) []profile.Plot {
	var used, pauses, rates []profile.PlotPoint
	begun := time.Duration(-1) // when the program ran again
	for _, r := range rows {
		if r.pause == nil {
			continue
		}
		end := r.start + *r.pause
		if r.before != nil && r.after != nil {
			used = append(used,
				profile.PlotPoint{At: r.start, Value: float64(*r.before)}, profile.PlotPoint{At: end,
					Value: float64(*r.after)})
		}
		pauses = append(pauses, profile.PlotPoint{At: r.start, Value: r.pause.Seconds()})
		if begun >= 0 && r.start > begun && r.allocated != nil {
			rates = append(rates,
				profile.PlotPoint{At: r.start, Value: float64(*r.allocated) / (r.start - begun).Seconds()})
		}
		begun = end
	}
	line := func(name string, points []profile.PlotPoint) []profile.PlotLine {
		return []profile.PlotLine{{Name: name, Points: points}}
	}
	return []profile.Plot{
		{Title: "Heap used, before and after collections", Unit: profile.Bytes, Lines: line("used", used)},
		{Title: "Pauses", Unit: profile.Seconds, Bars: true, Lines: line("pause", pauses)},
		{Title: "Allocated in a second, between collections", Unit: profile.Bytes, Lines: line("allocated", rates)},
	}
}

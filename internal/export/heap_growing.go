package export

import (
	"fmt"
	"time"

	"mallard/internal/heap"
)

// addGrowing says what grows, if anything does, and what holds it; "": that is not known.
func (r *HeapReport) addGrowing(g *heap.Growing, holder string) {
	if g == nil {
		return
	}
	after := "full"
	if !g.Full {
		after = "all"
	}
	r.head.Growing = &jsonGrowing{Class: g.Name, BytesPerSecond: g.Slope, RSquared: g.Fit, StayedPercent: g.Stayed(),
		After: after, HeldBy: holder}
	what := g.Name
	if s := g.Site; s != nil {
		what += " made at " + stackLine(s, false) + inLoader(s.Loader)
		r.head.Growing.Site = &jsonSite{s.Class, s.Method, s.Descriptor, &s.Line, &s.BCI}
	}
	text := fmt.Sprintf("%s grows by %s a minute (R² %.2f), of what was born %.1f %% stayed", what,
		roundBytes(g.Slope*time.Minute.Seconds()), g.Fit, g.Stayed())
	if holder != "" {
		text += ", held by " + holder
	}
	r.facts.add("Growing", text)
}

package export

import (
	"fmt"
	"time"

	"mallard/internal/heap"
)

// addGrowing says what grows, if anything does.
func (r *HeapReport) addGrowing(g *heap.Growing) {
	if g == nil {
		return
	}
	name, after := r.history.Name(g.Class), "full"
	if !g.Full {
		after = "all"
	}
	r.head.Growing = &jsonGrowing{name, g.Slope, g.Fit, g.Stayed(), after}
	r.facts.add("Growing", fmt.Sprintf("%s grows by %s a minute (R² %.2f), of what was born %.1f %% stayed", name,
		roundBytes(g.Slope*time.Minute.Seconds()), g.Fit, g.Stayed()))
}

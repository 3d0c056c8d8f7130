package instrument

import (
	"fmt"

	"mallard/internal/cfg"
	"mallard/internal/placement"
)

// maxCompiled is the longest method in bytes that HotSpot compiles (HugeMethodLimit).
const maxCompiled = 8000

// A lengthError says how long counters would make a method, and which limit that is over.
type lengthError struct{ length, limit int }

func (e *lengthError) Error() string {
	if e.limit == maxCompiled {
		return fmt.Sprintf("would have %d bytes, and HotSpot compiles no method over %d", e.length, e.limit)
	}
	return fmt.Sprintf("would have %d bytes, and no method can have over %d", e.length, e.limit)
}

// A fallback is a placement that makes shorter code than the one asked for.
type fallback struct {
	strategy placement.Strategy
	fewest   bool // as few counters as possible, however often they are passed
}

// fallbacks lists what to try where a strategy makes a method too long. A strategy that is there to measure has none.
func fallbacks(asked placement.Strategy) []fallback {
	switch asked {
	case placement.Site, placement.DuckTracks:
		return []fallback{{placement.Optimal, false}, {placement.Optimal, true}}
	case placement.Optimal:
		return []fallback{{placement.Optimal, true}}
	}
	return nil
}

// flatten makes everything that control can reach equally frequent, so that the fewest increments are the fewest counters.
func flatten(g *cfg.Graph) {
	for b := range g.Blocks {
		if g.Reachable(cfg.BlockID(b)) {
			g.Blocks[b].Freq = 1
		}
	}
	for e := range g.Edges {
		g.Edges[e].Freq = 1
	}
}

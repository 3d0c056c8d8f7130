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

// A catchError says why exceptions in a method cannot be corrected.
type catchError struct{ reason error }

func (e *catchError) Error() string { return "cannot correct exceptions: " + e.reason.Error() }

func (e *catchError) Unwrap() error { return e.reason }

// A fallback is a way to instrument that may do where the one asked for does not.
type fallback struct {
	strategy    placement.Strategy
	ends        bool // builders are counted where their chains end
	fewest      bool // as few counters as possible, however often they are passed
	uncorrected bool // without corrections where exceptions cross a path
	rough       bool // without corrections of bytecodes
	allocations bool // without bytecodes
}

// fallbacks lists what to try, in turn, where a strategy makes a method too long or needs corrections that cannot be
// made. One counter per site needs no corrections. The last resort has no corrections either way. A strategy that is
// there to measure has none.
func fallbacks(asked placement.Strategy) []fallback {
	site, optimal := fallback{strategy: placement.Site}, fallback{strategy: placement.Optimal}
	last := []fallback{{strategy: placement.Optimal, fewest: true}, {strategy: placement.Optimal, fewest: true,
		uncorrected: true}}
	switch asked {
	case placement.Site:
		return append([]fallback{optimal}, last...)
	case placement.DuckTracks:
		return append([]fallback{site, optimal}, last...)
	case placement.Optimal:
		return append([]fallback{site}, last...)
	}
	return nil
}

// fallbacks lists what to try where a placement cannot be had: first without corrections of bytecodes, then without
// bytecodes.
func (b *body) fallbacks(asked placement.Strategy) []fallback {
	all := fallbacks(asked)
	if !b.bytecodes || all == nil {
		return all
	}
	list := []fallback{{strategy: asked, rough: true}, {strategy: asked, allocations: true}}
	for _, f := range all {
		f.allocations = true
		list = append(list, f)
	}
	return list
}

// flatten makes everything that control can reach equally frequent, so that the fewest increments are the fewest
// counters.
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

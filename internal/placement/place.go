package placement

import "fmt"

// Place chooses counters by strategy s. The plan refers to pr, which must not
// change while the plan is used. A plan that breaks the contract, which would be a
// mistake in this package, is an error.
func Place(pr *Problem, s Strategy) (*Plan, error) {
	var pl *Plan
	switch s {
	case Site:
		pl = site(pr)
	case DuckTracks:
		pl = duckTracks(pr)
	case Optimal:
		pl = optimal(pr)
	case Edges:
		pl = edges(pr)
	default:
		return nil, fmt.Errorf("placement: unknown %v", s)
	}
	if err := Check(pr, pl); err != nil {
		return nil, fmt.Errorf("%v: %w", s, err)
	}
	return pl, nil
}

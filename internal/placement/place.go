package placement

import "fmt"

// Place chooses counters by strategy s. The plan refers to pr, which must not
// change while the plan is used. Errors are those of an impossible problem.
func Place(pr *Problem, s Strategy) (*Plan, error) {
	if err := pr.check(); err != nil {
		return nil, err
	}
	var pl *Plan
	switch s {
	case Site:
		pl = site(pr)
	case DuckTracks:
		pl = duckTracks(pr)
	case Optimal:
		pl = optimal(pr)
	default:
		return nil, fmt.Errorf("placement: unknown %v", s)
	}
	if err := Check(pr, pl); err != nil {
		return nil, fmt.Errorf("%v: %w", s, err)
	}
	return pl, nil
}

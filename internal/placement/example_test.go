package placement_test

import (
	"fmt"

	"mallard/internal/cfg"
	"mallard/internal/placement"
)

// The example of the package comment: every call allocates at site 0, nine of ten
// at site 1 as well.
func Example() {
	g, err := cfg.New([]cfg.Block{
		{First: 0, End: 4, Zero: true, Freq: 1},
		{First: 4, End: 7, Freq: 0.9},
		{First: 7, End: 9, Freq: 1},
		{First: 9, End: 9, Zero: true},
	}, []cfg.Edge{
		{From: 0, To: 1, Freq: 0.9},
		{From: 0, To: 2, Kind: cfg.Taken, Freq: 0.1},
		{From: 1, To: 2, Freq: 0.9},
		{From: 2, To: 3, Kind: cfg.Return, Freq: 1},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	problem, err := placement.NewProblem(g, []placement.Allocation{
		{At: 1, Sites: placement.Unit(0)},
		{At: 4, Sites: placement.Unit(1)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range []placement.Strategy{placement.Site, placement.Optimal} {
		plan, err := placement.Place(problem, s)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(plan)
	}
	// Output:
	// site cost 1.9
	//     count {0:+1} freq 1, after 1: before 2
	//     count {1:+1} freq 0.9, after 4: before 5
	// optimal cost 1
	//     φ b1 {0:-1}
	//     count {0:+1 1:+1} freq 0.9, after 4: before 5
	//     count {0:+1} freq 0.1, b0->b2: before 7 coming from 3
}

package frequency

import "mallard/internal/cfg"

// Unknown stands for a number of entries that nobody counted.
const Unknown = -1

// Counts are what was counted of a method.
type Counts struct {
	Counters    []int64       // value of each of the plan's counters; those of piggybacked ones do not matter
	Piggybacked map[int]int64 // how often the piggybacked allocation at an instruction completed
	Entries     int64         // how often the method was entered, or Unknown
}

// Range is what a frequency is known to be: Low <= f <= High, where flow is conserved.
type Range struct{ Low, High float64 }

// solver has a range for every flow and for every block. Flows are the graph's edges, then those that no edge shows:
// into the entry from outside, into handlers, and out of the middle of blocks that have handlers.
type solver struct {
	graph *cfg.Graph
	scale float64 // executions per unit of the graph's frequencies

	flows   []Range
	prior   []float64 // the graph's frequency of each flow
	in, out [][]int32 // flows of each block
	ends    [][2]cfg.BlockID
	nodes   []Range         // blocks
	handled [][]cfg.BlockID // by block: its handlers
	covered [][]cfg.BlockID // by handler: the blocks that it handles
	thrown  []int32         // by block: the flow out of its middle, none without handlers
	caught  []int32         // by block: the flow into it as a handler
	bound   []cfg.BlockID   // by block: one that runs at least as often, NoBlock
	bounds  [][]cfg.BlockID // the inverse

	queue  []cfg.BlockID
	queued []bool
	steps  int
}

const none = -1

// maxSteps bounds narrowing, in looks at a block for each block: where bounds contradict each other around a loop
// they would creep on and on.
const maxSteps = 64

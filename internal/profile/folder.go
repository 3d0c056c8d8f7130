package profile

import (
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// folder takes the records of a recording one by one, and gives each to all that is made of them:
//
//  1. symbols has what is defined (classes, sites, contexts).
//  2. facts and lossList have what the recording says of itself.
//  3. definitions has what counters mean.
//  4. threadCounts and contextCounts have the values of counters, which are totals, so that the last one counts. When
//     values are final (the thread ended, the class was retired, the recording ended) they are multiplied by their
//     semantics into cells.
//  5. Consumers take what else is wanted of the recording.
//  6. finish turns cells into amounts, because sizes may come after counts.
type folder struct {
	records int
	symbols *symbols.Table
	facts
	lossList
	definitions
	threadCounts
	contexts contextCounts

	increments int64 // updates of Path counters
	damage     []*trace.Damage
	negatives

	consumers []Consumer

	// changed is called with every change of what was counted, unless it is nil. See timeFolder.add.
	changed func(thread trace.ThreadID, node int32, c cell)
}

func newFolder(also ...Consumer) *folder {
	table := symbols.New()
	return &folder{
		symbols:      table,
		facts:        newFacts(),
		lossList:     lossList{counts: map[lossKey]uint64{}},
		definitions:  newDefinitions(),
		threadCounts: newThreadCounts(),
		contexts:     contextCounts{Contexts: &table.Contexts},
		consumers:    also,
	}
}

// Consumer is given the records that are folded, in their order. It may keep them, and changes none.
type Consumer interface {
	Add(record trace.Record)
}

package cli

import (
	"cmp"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// readingMemory is how much memory the collector lets a recording take before it
// collects more often: one of a million contexts needs half of it.
const readingMemory = 700 << 20

// readingGarbage is how much there may be besides what lives, in percent, when it collects: a recording that is read
// makes little else, and to collect twice as often as that takes a tenth of the time.
const readingGarbage = 200

// heapGarbage is the same for questions about a heap: objects that are followed are in large pieces without pointers,
// in which the collector looks at nothing.
const heapGarbage = 50

// followingGarbage is the same while they are followed, and what reading has left besides is gone: most of what is made
// then stays.
const followingGarbage = 15

// keepingGarbage is the same of a recorder that knows what is in the program's heap, for keyframes.
const keepingGarbage = 10

// collectAt has the collector come where there is so much garbage, in percent of what lives, unless the user says when.
func collectAt(garbage int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
}

// limitMemory has the collector, and in the end this process, keep to the bound of the recording that is read.
func (p *program) limitMemory() {
	if !p.bound.sparing {
		collectAt(cmp.Or(p.bound.garbage, readingGarbage))
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max(min(readingMemory, p.bound.limit*3/4), p.bound.limit/2))
	}
	go p.watchMemory()
}

// watchMemory ends this process where its memory exceeds the bound, until the command ends.
func (p *program) watchMemory() {
	const interval = 5 * time.Millisecond
	for {
		select {
		case <-p.ended:
			return
		case <-time.After(interval):
		}
		if usedMemory() <= p.bound.limit {
			continue
		}
		runtime.GC() // what remains is needed
		if usedMemory() <= p.bound.limit {
			continue
		}
		if file := p.bound.temporary.Load(); file != nil {
			os.Remove(*file)
		}
		p.say("%s", p.bound.exceeded("takes more memory than"))
		p.Exit(exitFailure)
		return
	}
}

// usedMemory is this process', in bytes. What was asked for at once and not yet written to counts.
func usedMemory() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64() - samples[2].Value.Uint64())
}

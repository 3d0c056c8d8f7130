package snapshots

import (
	"fmt"
	"time"

	"mallard/internal/abi"
	"mallard/internal/instrument"
	"mallard/internal/observe"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// observer takes snapshots.
type observer struct {
	observe.Base
	Settings
	host    *observe.Host
	skipped uint64 // because the disk could not follow; for the counting goroutine
}

// Run has what was counted written, as often as is wanted.
func (o *observer) Run(stop <-chan struct{}) {
	tick := time.NewTicker(o.every.Time)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			o.host.Poll()
			o.host.Counting.Do(o.take)
		}
	}
}

// take takes a snapshot that nobody waits for, unless the disk is behind. Where snapshots are taken by bytecodes it has
// what was counted written, with no mark.
func (o *observer) take() {
	out := o.host.Recording
	switch {
	case out.Finished():
		return
	case out.Behind():
		o.skipped++
	case o.byBytecodes():
		o.host.Threads.Snapshot(false, false)
	default:
		o.host.Snapshot()
	}
	out.Flush()
}

// Finish says how many snapshots there are not.
func (o *observer) Finish() {
	if o.skipped > 0 {
		o.host.Recording.Loss("snapshots", fmt.Sprintf("%d snapshots were left out, because the disk did not take "+
			"them as fast as they came: "+
			"counts are whole, with less detail in time", o.skipped))
	}
}

// Snapshots by bytecodes: a thread that has executed as many as are between two of them asks for one, and waits.
// Counted are those of the program's own classes: how many the JDK executes depends on when its methods are compiled
// (the compilers have code of their own for some), on where files are, and on random numbers.

// Facts says how many bytecodes are between two snapshots.
func (o *observer) Facts(f *instrument.Facts) { f.Every = o.every.Bytecodes }

// Code has classes of the program count them.
func (o *observer) Code(loader trace.LoaderID, code *instrument.Options) {
	code.ReportBytecodes = o.byBytecodes() && o.host.Classes().OfProgram(loader)
}

// Flags tell the agent that threads ask.
func (o *observer) Flags() uint32 {
	if o.byBytecodes() {
		return abi.BytecodeSnapshots
	}
	return 0
}

// Snapshot notes how many bytecodes there were until then.
func (o *observer) Snapshot(mark *trace.Mark, _ bool) {
	if o.byBytecodes() {
		mark.Bytecodes = o.host.Threads.Bytecodes()
	}
}

// Messages are what threads ask.
func (o *observer) Messages() []abi.Type { return []abi.Type{abi.Snapshot} }

// Handle takes a snapshot for a thread that waits for it.
func (o *observer) Handle(transport.Frame) (answer []byte, err error) {
	o.host.Measure()
	return nil, nil
}

// Package bytecodes observes how many bytecodes a program executes: a block's bytecodes are an attribute of it like its
// allocations, so the counters of sites count them as well (JP paper, "bytecode counting").
package bytecodes

import (
	"mallard/internal/instrument"
	"mallard/internal/observe"
	"mallard/internal/trace"
)

// Name is what recordings have.
const Name = "bytecodes"

// Define defines the observer. It is also there where snapshots are taken by bytecodes.
func Define() *observe.Definition {
	return &observe.Definition{
		Name: Name, Choice: observe.Switched,
		Help:           `count executed bytecodes as well (see "mallard help tracks")`,
		Variant:        func() (string, bool) { return "", false },
		FixesPlacement: func() bool { return true },
		Open:           func(*observe.Host) (observe.Observer, error) { return observer{}, nil },
	}
}

type observer struct{ observe.Base }

func (observer) Facts(f *instrument.Facts)                    { f.Bytecodes = true }
func (observer) Code(_ trace.LoaderID, o *instrument.Options) { o.Bytecodes = true }

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
		About:          about,
		Help:           `count executed bytecodes as well (see "mallard help tracks")`,
		Variant:        func() string { return "-" + Name },
		FixesPlacement: func() bool { return true },
		Open:           func(*observe.Host) (observe.Observer, error) { return observer{}, nil },
	}
}

type observer struct{ observe.Base }

func (observer) Facts(f *instrument.Facts)                    { f.Bytecodes = true }
func (observer) Code(_ trace.LoaderID, o *instrument.Options) { o.Bytecodes = true }

// about is what "mallard help tracks" says.
const about = `--bytecodes also counts executed bytecodes, of each method and, with contexts, in each
context. A bytecode that throws is counted, and so is the call that a method is in when
the program ends. Not counted are native methods, hidden classes (of lambdas, but their
bodies are), java.lang.Object, Unsafe, and what virtual threads are built on. Methods of
the JDK that compilers replace (intrinsics) count only while they are interpreted. Every
method then has counters, so the program is slower (twice the time is common), and more
of its methods are too large to be inlined.`

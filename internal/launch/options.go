package launch

import (
	"io"

	"mallard/internal/observe/registry"
	"mallard/internal/session"
)

// Options says what to start, what to record of each JVM and where to.
type Options struct {
	Command []string        // program and arguments; empty for a recorder that an agent started
	Output  string          // pattern: %p is the JVM's process, %t the time it started; "" for DefaultOutput
	Force   bool            // overwrite an existing recording
	Quiet   bool            // say nothing but errors
	NoShims bool            // leave PATH and JAVA_HOME as they are: JVMs say that they have JAVA_TOOL_OPTIONS
	Record  session.Options // without Observers: those that there are by default

	Opened func(file string) // called for each recording that begins; nil for nothing. It must not wait

	Stdin          io.Reader // of the program
	Stdout, Stderr io.Writer // of the program; Stderr also takes what Mallard says, nil: the agent says it
}

// withObservers gives o with observers.
func (o Options) withObservers() Options {
	if o.Record.Observers == nil {
		o.Record.Observers = registry.New()
	}
	return o
}

// DefaultOutput is the pattern of recordings' names.
const DefaultOutput = "mallard-%p.mallard"

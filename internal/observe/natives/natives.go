// Package natives observes what native code allocates, at the calls of native methods. The agent counts it, with a
// stack walk for each object.
package natives

import (
	"mallard/internal/abi"
	"mallard/internal/observe"
)

// Name is the observer's flag.
const Name = "jni"

// Define defines the observer.
func Define() *observe.Definition {
	return &observe.Definition{
		Name: Name, Choice: observe.Switched,
		About:    about,
		Help:     `count what native methods make as well, where they are called (see "mallard help tracks")`,
		Recorded: func() []string { return nil },
		Open:     func(*observe.Host) (observe.Observer, error) { return observer{}, nil },
	}
}

type observer struct{ observe.Base }

func (observer) Flags() uint32 { return abi.Natives }

// about is what "mallard help tracks" says.
const about = `--jni also counts objects, arrays, strings and exceptions that native methods make with
JNI functions, at the calls of the native methods. Each of these functions then looks
at the stack, which takes half a microsecond.`

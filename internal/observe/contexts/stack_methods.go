package contexts

import (
	"strings"

	"mallard/internal/calltree"
	"mallard/internal/instrument"
	"mallard/internal/transport"
)

// agentMethod is a method that the agent names in stacks.
type agentMethod struct {
	key    methodKey
	native bool
	// it has bytecode, but no code of ours whatever else has, and what it calls the VM calls: it is as good as native
	asNative bool
	skipped  bool // the JVM prints no such frame
	hidden   bool // since its class is hidden: where it is the innermost, it counts
	lines    []transport.Line
	id       *calltree.MethodID // once it has a number: in [Contexts.methods]
}

// isAsNative reports whether a method is Object's constructor, where the VM calls Finalizer.register.
func isAsNative(m methodKey) bool {
	return m.class.Name == "java/lang/Object" && m.method == "<init>()V"
}

// isSkipped reports whether the JVM prints no frames of a class: those of hidden classes, which have a name that no
// other can have, those of the runtime classes, and what virtual threads stand on.
func isSkipped(class string) bool {
	return instrument.IsRuntime(class) || isHidden(class) || instrument.CarriesVirtualThreads(class)
}

// isHidden reports whether a class is a hidden one.
func isHidden(class string) bool { return strings.ContainsRune(class, '.') }

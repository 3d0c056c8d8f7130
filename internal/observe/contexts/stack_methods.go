package contexts

import (
	"strings"

	"mallard/internal/calltree"
	"mallard/internal/instrument"
	"mallard/internal/trace"
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

// agentMethods are the methods that the agent has named, by the numbers that it gives them. It gives none twice: those
// of classes that were unloaded are nil.
type agentMethods struct {
	all      []*agentMethod
	byLoader map[trace.LoaderID][]uint32 // but the boot loader
}

func (a *agentMethods) add(m *agentMethod) {
	if loader := m.key.class.Loader; loader != 0 {
		if a.byLoader == nil {
			a.byLoader = map[trace.LoaderID][]uint32{}
		}
		a.byLoader[loader] = append(a.byLoader[loader], uint32(len(a.all)))
	}
	a.all = append(a.all, m)
}

// get gives a method, nil if there is none.
func (a *agentMethods) get(number uint32) *agentMethod {
	if uint64(number) >= uint64(len(a.all)) {
		return nil
	}
	return a.all[number]
}

func (a *agentMethods) forget(loaders []trace.LoaderID) {
	for _, loader := range loaders {
		for _, number := range a.byLoader[loader] {
			a.all[number] = nil
		}
		delete(a.byLoader, loader)
	}
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

package classes

import (
	"hash/maphash"
	"strings"
	"sync"

	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// bootLoader is the JVM's own.
const bootLoader trace.LoaderID = 0

// leafMethods knows which methods of the classes that were defined are leaves ([instrument.Options.Leaf]): calls of
// them need announce nothing.
type leafMethods struct {
	mu sync.RWMutex
	// by hashes: one that is there by chance costs time, for what is called is then found out along the stack
	known map[uint64]struct{}
}

// by gives what the rewriter asks about the classes that those of a loader name. A loader that has defined a class is
// never given another for its name; classes in java.* are the JVM's for all loaders, since no other may define any
// (java.lang.ClassLoader.defineClass).
func (l *leafMethods) by(loader trace.LoaderID) func(class, method string) bool {
	return func(class, method string) bool {
		l.mu.RLock()
		defer l.mu.RUnlock()
		_, own := l.known[leafKey(loader, class, method)]
		if own || loader == bootLoader || !strings.HasPrefix(class, "java/") {
			return own
		}
		_, known := l.known[leafKey(bootLoader, class, method)]
		return known
	}
}

// learn takes over what is known of a class that is being defined, or redefined.
func (l *leafMethods) learn(loader trace.LoaderID, r *instrument.Result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known == nil {
		l.known = map[uint64]struct{}{}
	}
	for i := range r.Methods {
		delete(l.known, leafKey(loader, r.Name, r.Methods[i].Name+r.Methods[i].Descriptor))
	}
	for _, method := range r.Leaves {
		l.known[leafKey(loader, r.Name, method)] = struct{}{}
	}
}

var leafSeed = maphash.MakeSeed()

func leafKey(loader trace.LoaderID, class, method string) uint64 {
	type key struct {
		loader        trace.LoaderID
		class, method string
	}
	return maphash.Comparable(leafSeed, key{loader, class, method})
}

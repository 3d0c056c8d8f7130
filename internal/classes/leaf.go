package classes

import (
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
	known map[trace.LoaderID]map[uint64]struct{} // [instrument.LeafHash]
}

// by gives what the rewriter asks about the classes that those of a loader name.
func (l *leafMethods) by(loader trace.LoaderID) func(class, method string) bool {
	return func(class, method string) bool { return l.has(loader, instrument.LeafHash(class, method)) }
}

// has reports whether a method is a leaf that classes of a loader name. A loader that has defined a class is never
// given another for its name; classes in java.* are the JVM's for all. The agent asks itself the same (agent/arena.c).
func (l *leafMethods) has(loader trace.LoaderID, method uint64) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	_, own := l.known[loader][method]
	if own || loader == bootLoader || method&1 == 0 {
		return own
	}
	_, known := l.known[bootLoader][method]
	return known
}

// learn takes over the leaves of a class that is being defined.
func (l *leafMethods) learn(loader trace.LoaderID, leaves []uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(leaves) == 0 {
		return
	}
	if l.known == nil {
		l.known = map[trace.LoaderID]map[uint64]struct{}{}
	}
	own := l.known[loader]
	if own == nil {
		own = map[uint64]struct{}{}
		l.known[loader] = own
	}
	for _, method := range leaves {
		own[method] = struct{}{}
	}
}

// unload forgets the classes of a loader that is gone.
func (l *leafMethods) unload(loader trace.LoaderID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.known, loader)
}

// forget takes back what other versions of a class had as leaves.
func (l *leafMethods) forget(loader trace.LoaderID, r *instrument.Result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range r.Methods {
		delete(l.known[loader], instrument.LeafHash(r.Name, r.Methods[i].Name+r.Methods[i].Descriptor))
	}
}

// leavesOf are the leaves of a class.
func leavesOf(r *instrument.Result) (leaves []uint64) {
	for _, method := range r.Leaves {
		leaves = append(leaves, instrument.LeafHash(r.Name, method))
	}
	return leaves
}

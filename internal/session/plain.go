package session

import (
	"hash/maphash"
	"strings"
	"sync"

	"mallard/internal/instrument"
	"mallard/internal/trace"
)

// bootLoader is the JVM's own.
const bootLoader trace.LoaderID = 0

// plainMethods knows which methods of the classes that were defined are plain ([instrument.Options.Plain]): calls of them need announce nothing.
type plainMethods struct {
	mu    sync.RWMutex
	known map[uint64]struct{} // by hashes: one that is there by chance costs time, for what is called is then found out along the stack
}

// by gives what the rewriter asks about the classes that those of a loader name. A loader that has defined a class is never given another for its name; classes in java.*
// are the JVM's for all loaders, since no other may define any (java.lang.ClassLoader.defineClass).
func (p *plainMethods) by(loader trace.LoaderID) func(class, method string) bool {
	return func(class, method string) bool {
		p.mu.RLock()
		defer p.mu.RUnlock()
		_, own := p.known[plainKey(loader, class, method)]
		if own || loader == bootLoader || !strings.HasPrefix(class, "java/") {
			return own
		}
		_, known := p.known[plainKey(bootLoader, class, method)]
		return known
	}
}

// learn takes over what is known of a class that is being defined, or redefined.
func (p *plainMethods) learn(loader trace.LoaderID, r *instrument.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil {
		p.known = map[uint64]struct{}{}
	}
	for i := range r.Methods {
		delete(p.known, plainKey(loader, r.Name, r.Methods[i].Name+r.Methods[i].Descriptor))
	}
	for _, method := range r.Plain {
		p.known[plainKey(loader, r.Name, method)] = struct{}{}
	}
}

var plainSeed = maphash.MakeSeed()

func plainKey(loader trace.LoaderID, class, method string) uint64 {
	type key struct {
		loader        trace.LoaderID
		class, method string
	}
	return maphash.Comparable(plainSeed, key{loader, class, method})
}

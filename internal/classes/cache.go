package classes

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/classcache"
	"mallard/internal/instrument"
	"mallard/internal/payload"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// Limits of a session's use of the class cache.
const (
	// a cache is written anew for one new class in so many: copying as many costs what a few starts save with one more
	newClassShare = 250
	cacheLifetime = 30 * 24 * time.Hour // after its last use
	cacheFolder   = "classes"
	cachePattern  = "*.cache"
	maxWaiting    = 16 << 20 // bytes of class files that wait to be written; others are not kept
)

// CacheOf says whose classes come out of a cache, and go into it.
type CacheOf int

// BootLoader is for classes whose code depends on who loads them, but for the JDK's own.
const (
	AllLoaders CacheOf = iota
	BootLoader
)

// Cache is one session's view of the class cache: what earlier runs left, and what this one adds. A nil Cache has
// nothing and keeps nothing.
type Cache struct {
	log   *slog.Logger
	path  string            // of the next one
	of    CacheOf           // whose classes it has
	cache *classcache.Cache // nil without

	mu   sync.Mutex // held for moments
	used map[uint64]bool

	additions chan *addition
	written   chan struct{} // closed when all additions are
	waiting   int           // bytes of them; guarded by mu

	disk    sync.Mutex          // held while the next cache is written
	builder *classcache.Builder // nil before the first new class, and where none can be kept
}

// addition is a class that is to be kept, with the numbers that were added to it, its metadata
// ([instrument.Result.Metadata]), and its methods with contexts.
type addition struct {
	class    []byte
	result   *instrument.Result
	metadata []byte
	added    instrument.Numbers
	methods  []calltree.Method
	original *stored // nil if nobody wants to read the class again
}

// OpenCache finds the cache for classes that are instrumented in the way that variant names. Without a place for a
// cache it is nil.
func OpenCache(variant string, of CacheOf, log *slog.Logger) *Cache {
	program, err := classcache.Program()
	var folder string
	if err == nil {
		folder, err = payload.Folder(cacheFolder)
	}
	if err != nil {
		log.Debug("no class cache", "error", err)
		return nil
	}
	c := &Cache{log: log, of: of, additions: make(chan *addition, 1<<12), written: make(chan struct{})}
	c.path = filepath.Join(folder, program+"-"+variant+".cache")
	go c.write()
	if c.cache, err = classcache.Open(c.path); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			log.Debug("class cache not used", "error", err)
		}
		return c
	}
	c.used = make(map[uint64]bool, c.cache.Len())
	now := time.Now()
	os.Chtimes(c.path, now, now) // or it is forgotten earlier
	return c
}

// Answer tells the agent where the cache is, if there is one for it.
func (c *Cache) Answer() (a transport.HelloAnswer) {
	if !c.Shared() {
		return a
	}
	if device, inode, err := c.cache.Identity(); err == nil {
		a.Cache, a.Device, a.Inode = c.path, device, inode
		if c.of == BootLoader {
			a.Flags |= abi.CacheOfBootLoader
		}
	}
	return a
}

// Shared reports whether the agent may look for classes in the cache by itself.
func (c *Cache) Shared() bool { return c != nil && c.cache != nil }

// names are those that methods of the cache have numbers of.
func (c *Cache) names() (n int, names func() []string) {
	if !c.Shared() {
		return 0, nil
	}
	return c.cache.Names()
}

// entry gives a class that the agent found in the cache, in memory that the caller has for one after another.
func (c *Cache) entry(offset uint64, memory *[]byte) (classcache.Entry, error) {
	if !c.Shared() {
		return classcache.Entry{}, errors.New("there is no cache")
	}
	return c.cache.AtIn(offset, memory)
}

// reading gives a function that reads a part of an entry, as long as the cache is open.
func (c *Cache) reading(offset uint64, part func(classcache.Entry) []byte) func() ([]byte, error) {
	return func() ([]byte, error) {
		e, err := c.cache.At(offset)
		if err != nil {
			return nil, err
		}
		return part(e), nil
	}
}

// find looks a class up that the agent does not find by itself.
func (c *Cache) find(loader trace.LoaderID, class []byte) (e classcache.Entry, offset uint64, found bool) {
	if !c.Shared() || !c.has(loader) {
		return e, 0, false
	}
	return c.cache.Find(class)
}

// use takes note that a class came out of an entry, and reports whether one had before.
func (c *Cache) use(offset uint64) (again bool) {
	if !c.Shared() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	again = c.used[offset]
	c.used[offset] = true
	return again
}

// has reports whether classes of a loader may be in the cache.
func (c *Cache) has(loader trace.LoaderID) bool { return c.of == AllLoaders || loader == bootLoader }

// add has a class kept, unless too many wait: it is written by a goroutine of its own.
func (c *Cache) add(loader trace.LoaderID, class []byte, r *instrument.Result, metadata []byte,
	added instrument.Numbers, methods []calltree.Method, kept *stored) {
	if c == nil || !c.has(loader) || !c.admit(len(class)) {
		return
	}
	if kept != nil {
		class = kept.bytes // a copy already; it is nowhere else yet
	} else {
		class = slices.Clone(class)
	}
	select {
	case c.additions <- &addition{class, r, metadata, added, methods, kept}:
	default:
		c.release(len(class))
	}
}

// admit reserves memory for a class that waits to be written.
func (c *Cache) admit(bytes int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting+bytes > maxWaiting {
		return false
	}
	c.waiting += bytes
	return true
}

// release gives that memory back.
func (c *Cache) release(bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting -= bytes
}

// write is the goroutine that writes the next cache.
func (c *Cache) write() {
	defer close(c.written)
	for a := range c.additions {
		c.guard(func() { c.keep(a) })
		c.release(len(a.class))
	}
}

// guard runs a function; a mistake of ours in it costs the cache, and nothing else.
func (c *Cache) guard(f func()) {
	defer func() {
		if e := recover(); e != nil {
			c.log.Debug("writing the class cache panicked", "error", e)
		}
	}()
	f()
}

// keep writes a class.
func (c *Cache) keep(a *addition) {
	c.disk.Lock()
	defer c.disk.Unlock()
	if c.builder == nil {
		var err error
		if c.builder, err = classcache.NewBuilder(filepath.Dir(c.path)); err != nil {
			c.log.Debug("no class is kept", "error", err)
			return
		}
	}
	if c.builder.Has(a.class) {
		return
	}
	at, err := c.builder.Add(a.class, a.result, a.metadata, a.added, a.methods)
	if err != nil {
		c.log.Debug("class not kept", "class", a.result.Name, "error", err)
		return
	}
	if a.original != nil {
		n := len(a.class)
		a.original.moveTo(func() ([]byte, error) {
			c.disk.Lock()
			defer c.disk.Unlock()
			return c.builder.Read(at, n)
		})
	}
}

// Close puts the next cache in the place of this one if there is enough to add, and ends the use of this one. What
// others have added meanwhile is kept, and so is as much of what this session did not use as may be.
func (c *Cache) Close() {
	if c == nil {
		return
	}
	close(c.additions)
	<-c.written
	c.guard(c.replace)
	if c.cache != nil {
		c.cache.Close()
	}
}

func (c *Cache) replace() {
	c.disk.Lock()
	defer c.disk.Unlock()
	if c.builder == nil {
		return
	}
	if n := c.builder.Len(); n == 0 || n < c.known()/newClassShare {
		c.builder.Discard()
		return
	}
	if err := c.save(); err != nil {
		c.log.Debug("class cache not written", "error", err)
	}
}

// known is how many classes the cache has.
func (c *Cache) known() int {
	if c.cache == nil {
		return 0
	}
	return c.cache.Len()
}

func (c *Cache) save() error {
	for offset := range c.used {
		if e, err := c.cache.At(offset); err == nil {
			c.copy(e)
		}
	}
	if others, err := classcache.Open(c.path); err == nil {
		defer others.Close()
		for e := range others.All {
			c.copy(e)
		}
	}
	if err := c.builder.Finish(c.path); err != nil {
		return err
	}
	forgetCaches(filepath.Dir(c.path))
	return nil
}

func (c *Cache) copy(e classcache.Entry) {
	if err := c.builder.Copy(e); err != nil {
		c.log.Debug("class not kept", "error", err)
	}
}

// forgetCaches removes caches of builds that have not run for long.
func forgetCaches(folder string) {
	paths, _ := filepath.Glob(filepath.Join(folder, cachePattern)) // the pattern is well formed
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > cacheLifetime {
			os.Remove(path)
		}
	}
}

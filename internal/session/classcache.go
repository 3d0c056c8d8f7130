package session

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"mallard/internal/classcache"
	"mallard/internal/instrument"
	"mallard/internal/payload"
	"mallard/internal/trace"
	"mallard/internal/wire"
)

// reservedNumbers is how many counter numbers the agent may give to classes out of the cache before it has to ask. A part of what there is before the first thread is started, when the runtime class has room for
// 16,384: what the agent does not use then, some 5,000, makes the numbers of other early classes higher.
const reservedNumbers = 1 << 13

// Limits of a session's use of the class cache.
const (
	worthSaving  = 250                 // a cache is written anew for one new class in so many: copying as many costs what a few starts save with one more
	cacheKept    = 30 * 24 * time.Hour // after its last use
	cacheFolder  = "classes"
	cachePattern = "*.cache"
	readAtOnce   = 32 // classes; each makes 64 KB around it resident
)

// knownClasses is one session's view of the class cache: what earlier runs left, and what this one adds.
type knownClasses struct {
	log  *slog.Logger
	path string // of the next one

	mu    sync.Mutex          // guards all below
	cache *classcache.Cache   // nil without
	asked bool                // by the recorder alone: what the agent would have to number besides counters, it does not
	used  map[uint64]bool     // offsets of entries
	read  int                 // entries
	fresh *classcache.Builder // nil before the first new class, and where none can be kept
}

// openClasses finds the cache for classes that are instrumented like this. Without a place for one it is nil.
func openClasses(o Options, contexts instrument.ContextShape, log *slog.Logger) *knownClasses {
	if o.NoCache || o.Bytecodes || o.tracks(ConstructorsObserver) { // few want these
		return nil
	}
	k := &knownClasses{log: log, asked: contexts != instrument.NoContexts}
	program, err := classcache.Program()
	if err == nil {
		k.path, err = payload.Folder(cacheFolder)
	}
	if err != nil {
		log.Debug("no class cache", "error", err)
		return nil
	}
	how := o.Placement.String()
	for name, shape := range ContextShapes {
		if shape == contexts {
			how += "-" + name
		}
	}
	if o.HugeMethods {
		how += "-huge"
	}
	k.path = filepath.Join(k.path, program+"-"+how+".cache")
	if k.cache, err = classcache.Open(k.path); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			log.Debug("class cache not used", "error", err)
		}
		return k
	}
	k.used = make(map[uint64]bool, k.cache.Len())
	now := time.Now()
	os.Chtimes(k.path, now, now) // or it is forgotten earlier
	return k
}

// address tells the agent where the cache is; nil without one for it.
func (k *knownClasses) address() []byte {
	if k == nil || k.cache == nil || k.asked {
		return nil
	}
	device, inode, err := k.cache.Identity()
	if err != nil {
		return nil
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(k.path)))
	b = append(b, k.path...)
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, device), inode)
}

// entry gives a class that the agent found in the cache.
func (k *knownClasses) entry(offset uint64) (classcache.Entry, error) {
	if k == nil || k.cache == nil {
		return classcache.Entry{}, errors.New("there is no cache")
	}
	k.use(offset)
	return k.cache.At(offset)
}

func (k *knownClasses) use(offset uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.used[offset] = true
	k.readFrom(k.cache)
}

// forget gives back the memory that reading classes out of the cache took.
func (k *knownClasses) forget() {
	if k != nil && k.cache != nil {
		k.cache.Forget()
	}
}

// add keeps what was made of a class, with the numbers that were added to it, and what it means ([instrument.Result.Whole]). The class can be read
// again then; again is nil where it is not kept.
func (k *knownClasses) add(class []byte, r *instrument.Result, meaning []byte, added instrument.Numbers) (again original) {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.fresh == nil {
		var err error
		if k.fresh, err = classcache.NewBuilder(filepath.Dir(k.path)); err != nil {
			k.log.Debug("no class is kept", "error", err)
			return nil
		}
	}
	if k.fresh.Has(class) {
		return nil
	}
	at, err := k.fresh.Add(class, r, meaning, added)
	if err != nil {
		k.log.Debug("class not kept", "class", r.Name, "error", err)
		return nil
	}
	n := len(class)
	return func() ([]byte, error) {
		k.mu.Lock()
		defer k.mu.Unlock()
		return k.fresh.Read(at, n)
	}
}

// close puts the next cache in the place of this one if there is enough to add, and ends the use of this one. What others have added meanwhile is kept, and
// so is as much of what this session did not use as there is room for.
func (k *knownClasses) close() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.fresh != nil {
		if n := k.fresh.Len(); n > 0 && n >= k.known()/worthSaving {
			if err := k.save(); err != nil {
				k.log.Debug("class cache not written", "error", err)
			}
		} else {
			k.fresh.Discard()
		}
	}
	if k.cache != nil {
		k.cache.Close()
	}
}

// known is how many classes the cache has.
func (k *knownClasses) known() int {
	if k.cache == nil {
		return 0
	}
	return k.cache.Len()
}

func (k *knownClasses) save() error {
	for offset := range k.used {
		if e, err := k.cache.At(offset); err == nil {
			k.copy(k.cache, e)
		}
	}
	if others, err := classcache.Open(k.path); err == nil {
		defer others.Close()
		for e := range others.All {
			k.copy(others, e)
		}
	}
	if err := k.fresh.Finish(k.path); err != nil {
		return err
	}
	forgetCaches(filepath.Dir(k.path))
	return nil
}

func (k *knownClasses) copy(from *classcache.Cache, e classcache.Entry) {
	if err := k.fresh.Copy(e); err != nil {
		k.log.Debug("class not kept", "error", err)
	}
	k.readFrom(from)
}

// readFrom notes that an entry of a cache was read, and gives back now and then the memory that reading took.
func (k *knownClasses) readFrom(c *classcache.Cache) {
	if k.read++; k.read%readAtOnce == 0 {
		c.Forget()
	}
}

// forgetCaches removes caches of builds that have not run for long.
func forgetCaches(folder string) {
	paths, _ := filepath.Glob(filepath.Join(folder, cachePattern)) // the pattern is well formed
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > cacheKept {
			os.Remove(path)
		}
	}
}

// recall answers for a class that is being defined out of the cache, where the agent does not do that by itself; done is false where it is not there, or some method is not plain
// (any more, or yet) that was taken to be.
func (s *Session) recall(key classKey, class []byte) (done bool, err error) {
	if s.known == nil || s.known.cache == nil || !s.known.asked {
		return false, nil
	}
	started := time.Now()
	e, offset, found := s.known.cache.Find(class)
	if !found {
		return false, nil
	}
	r, err := e.Result()
	if err != nil {
		return false, nil
	}
	plain := s.plain.by(key.loader)
	if slices.ContainsFunc(r.Assumed, func(m instrument.Callee) bool { return !plain(m.Class, m.Method) }) {
		return false, nil
	}
	v := &classVersion{}
	if r.Bytes != nil {
		r.Bytes = bytes.Clone(r.Bytes)
		if s.number(v, r) != nil {
			return false, nil
		}
	}
	s.plain.learn(key.loader, r)
	s.known.use(offset)
	micros := uint32(time.Since(started).Microseconds())
	s.mu.Lock() // as in class
	defer s.mu.Unlock()
	if err := s.conn.Answer(wire.OK, r.Bytes); err != nil {
		return true, err
	}
	s.defineCached(key.loader, e, r, v, micros)
	return true, nil
}

// cached records a class that the agent took out of the cache by itself.
func (s *Session) cached(p *wire.Payload) error {
	loader, offset, base := p.Uint32(), p.Uint64(), p.Uint32()
	if err := p.Err(); err != nil {
		return err
	}
	e, err := s.known.entry(offset)
	if err != nil {
		return err
	}
	r, err := e.Outline()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	v := &classVersion{counters: counterRange{trace.CounterID(base), trace.CounterID(base + r.Counters)}}
	s.defineCached(trace.LoaderID(loader), e, r, v, 0)
	return nil
}

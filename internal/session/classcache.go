package session

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"mallard/internal/classcache"
	"mallard/internal/instrument"
	"mallard/internal/payload"
	"mallard/internal/wire"
)

// Limits of a session's use of the class cache.
const (
	maxFresh     = 64 << 20            // bytes of classes that the next cache is to get
	worthSaving  = 50                  // a cache is written anew for one new class in so many
	lease        = 1 << 15             // counter numbers that the agent may give to classes out of the cache
	cacheKept    = 30 * 24 * time.Hour // after its last use
	cacheFolder  = "classes"
	cachePattern = "*.cache"
)

// knownClasses is one session's view of the class cache: what earlier runs left, and what this one adds.
type knownClasses struct {
	log    *slog.Logger
	path   string            // of the next one
	cache  *classcache.Cache // nil without
	used   []bool            // by entry
	fresh  classcache.Builder
	memory int // bytes that fresh holds
}

// openClasses finds the cache for classes that are instrumented like this. Without a place for one it is nil.
func openClasses(o Options, log *slog.Logger) *knownClasses {
	if o.NoCache {
		return nil
	}
	k := &knownClasses{log: log}
	program, err := classcache.Program()
	if err == nil {
		k.path, err = payload.Folder(cacheFolder)
	}
	if err != nil {
		log.Debug("no class cache", "error", err)
		return nil
	}
	k.path = filepath.Join(k.path, program+"-"+o.Placement.String()+".cache")
	if k.cache, err = classcache.Open(k.path); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			log.Debug("class cache not used", "error", err)
		}
		return k
	}
	k.used = make([]bool, k.cache.Len())
	now := time.Now()
	os.Chtimes(k.path, now, now) // or it is forgotten earlier
	return k
}

// address tells the agent where the cache is; nil without one.
func (k *knownClasses) address() []byte {
	if k == nil || k.cache == nil {
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

// entry gives a class that the agent found in the cache; false if there is none like it.
func (k *knownClasses) entry(number uint32) (e classcache.Entry, ok bool) {
	if k == nil || uint64(number) >= uint64(len(k.used)) {
		return e, false
	}
	k.used[number] = true
	return k.cache.Entry(int(number)), true
}

// add keeps what was made of a class, which has its counters' numbers from base on.
func (k *knownClasses) add(class []byte, r *instrument.Result, base uint32) {
	if k == nil || k.memory > maxFresh || k.fresh.Has(class) {
		return
	}
	relative := *r
	if r.Bytes != nil {
		relative.Bytes = bytes.Clone(r.Bytes)
		relative.Patch(-base)
	}
	k.memory += len(class) + len(relative.Bytes)
	if err := k.fresh.Add(bytes.Clone(class), &relative); err != nil {
		k.log.Debug("class not cached", "class", r.Name, "error", err)
	}
}

// close writes the next cache if there is enough to add, and ends the use of this one. What others have added meanwhile is kept, and so is as much of
// what this session did not use as there is room for.
func (k *knownClasses) close() {
	if k == nil {
		return
	}
	if n := k.fresh.Len(); n > 0 && n >= len(k.used)/worthSaving {
		if err := k.save(); err != nil {
			k.log.Debug("class cache not written", "error", err)
		}
	}
	if k.cache != nil {
		k.cache.Close()
	}
}

func (k *knownClasses) save() error {
	next := k.fresh
	for n, used := range k.used {
		if used {
			next.Copy(k.cache.Entry(n))
		}
	}
	if others, err := classcache.Open(k.path); err == nil {
		defer others.Close()
		for n := range others.Len() {
			next.Copy(others.Entry(n))
		}
	}
	if err := next.Write(k.path); err != nil {
		return err
	}
	forgetCaches(filepath.Dir(k.path))
	return nil
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

// cached records a class that the agent took out of the cache by itself.
func (s *Session) cached(p *wire.Payload) error {
	loader, number, base := p.Uint32(), p.Uint32(), p.Uint32()
	if err := p.Err(); err != nil {
		return err
	}
	e, ok := s.known.entry(number)
	if !ok {
		return errors.New("there is no such entry")
	}
	r, err := e.Result()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.defineCached(loader, e.Class, r, base)
	return nil
}

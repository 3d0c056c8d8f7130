package classes

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/payload"
	"mallard/internal/placement"
	"mallard/internal/recording"
	"mallard/internal/trace"
)

const loader trace.LoaderID = 7

// jvm is the classes of a JVM that there is not.
type jvm struct {
	*Table
	t    *testing.T
	out  *recording.Recording
	file bytes.Buffer
}

func newJVM(t *testing.T, o Options, cache *Cache) *jvm {
	t.Helper()
	const blocks = 4
	fd, err := unix.MemfdCreate("memory", unix.MFD_CLOEXEC)
	if err == nil {
		err = unix.Ftruncate(fd, abi.BlocksOffset+blocks*abi.SmallBlockBytes)
	}
	if err != nil {
		t.Fatal(err)
	}
	memory, err := counters.OpenMemory(os.NewFile(uintptr(fd), "memory"), blocks, abi.SmallBlockBytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(memory.Close)
	j := &jvm{t: t}
	log := slog.New(slog.DiscardHandler)
	j.out = recording.New(&j.file, time.Now(), log, nil)
	space := counters.NewSpace(abi.SmallBlockBytes / 8)
	j.Table = New(o, memory, space, &counters.Totals{}, cache, j.out, log)
	return j
}

// load has a class defined, or changed, and gives what the JVM gets.
func (j *jvm) load(name string, class []byte, redefined bool) []byte {
	answer := j.Load(Key{loader, name}, class, redefined)
	answer.After()
	return answer.Bytes
}

// end gives all that was recorded.
func (j *jvm) end() (records []trace.Record) {
	j.t.Helper()
	j.out.Finish(true, "")
	if err := j.out.Close(); err != nil {
		j.t.Fatal(err)
	}
	reader, err := trace.NewReader(&j.file)
	for err == nil {
		var r trace.Record
		if r, err = reader.Next(); err == nil {
			records = append(records, r)
		}
	}
	if err != io.EOF {
		j.t.Fatal(err)
	}
	return records
}

// relative gives what the JVM got for a class with the numbers that its counters would have if they were the first
// ones: with a cache some are reserved for the agent.
func (j *jvm) relative(name string, class, answer []byte) []byte {
	j.t.Helper()
	r, err := instrument.Rewrite(class, instrument.Options{Placement: j.options.Placement})
	if err != nil || len(r.Bytes) != len(answer) {
		j.t.Fatalf("%s has %d bytes, want %d (%v)", name, len(answer), len(r.Bytes), err)
	}
	r.Bytes = answer
	versions := j.classes[Key{loader, name}].versions
	return r.Relative(j.numbers(versions[len(versions)-1]))
}

// of picks the records of one kind.
func of[R trace.Record](records []trace.Record) (list []R) {
	for _, r := range records {
		if r, ok := r.(R); ok {
			list = append(list, r)
		}
	}
	return list
}

// counting is a class with allocations, by its name.
func counting(t *testing.T) (string, []byte) {
	t.Helper()
	classes, err := payload.Portable()
	if err != nil {
		t.Fatalf("%v; run make build first", err)
	}
	return "mallard/portable/Recording", classes["Recording"]
}

// TestVersions redefines a class: the same bytes are the version that there is, others are a new one with counters of
// its own, and what is no class stays as it is.
func TestVersions(t *testing.T) {
	name, class := counting(t)
	j := newJVM(t, Options{Placement: placement.Optimal}, nil)
	first := j.load(name, class, false)
	if len(first) <= len(class) {
		t.Fatalf("%d bytes of %d", len(first), len(class))
	}
	second := j.load(name, class, true)
	again := j.load(name, class, true)
	if !bytes.Equal(second, again) {
		t.Error("the same class has two versions when it is redefined")
	}
	if got := j.load("Broken", class[:len(class)/2], false); got != nil {
		t.Errorf("half a class has %d bytes", len(got))
	}
	records := j.end()
	defined := of[*trace.ClassDef](records)
	if len(defined) != 2 || defined[0].Name != name || defined[1].Name != name ||
		defined[1].CounterBase < defined[0].CounterBase+trace.CounterID(defined[0].Counters) {
		t.Errorf("defined %+v", defined)
	}
	if skipped := of[*trace.Skipped](records); len(skipped) != 1 || skipped[0].Name != "Broken" {
		t.Errorf("skipped %+v", skipped)
	}
}

// TestUnloaded has a loader go: its classes are final, their numbers free, and the next loader's classes are new.
func TestUnloaded(t *testing.T) {
	name, class := counting(t)
	j := newJVM(t, Options{Placement: placement.Site}, nil)
	j.load(name, class, false)
	gone := j.Unload([]trace.LoaderID{loader, loader + 1})
	if len(gone.Classes) != 1 || len(gone.Counters) != 1 || gone.Counters[0].Len() == 0 {
		t.Fatalf("gone: %+v", gone)
	}
	if again := j.Unload([]trace.LoaderID{loader}); len(again.Classes) != 0 {
		t.Errorf("gone again: %+v", again)
	}
	j.space.Free(gone.Counters)
	j.load(name, class, false)
	defined := of[*trace.ClassDef](j.end())
	if len(defined) != 2 || defined[0].ID == defined[1].ID || defined[0].CounterBase != defined[1].CounterBase {
		t.Errorf("defined %+v, want the same numbers again", defined)
	}
}

// TestCache keeps a class for the next session, which gets the same of it, and nothing of a cache that is damaged.
func TestCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	name, class := counting(t)
	session := func() (answer []byte, seen *trace.Seen) {
		cache := OpenCache("test", AllLoaders, slog.New(slog.DiscardHandler))
		if cache == nil {
			t.Fatal("no cache")
		}
		j := newJVM(t, Options{Placement: placement.Optimal}, cache)
		for range newClassShare { // or it is not worth a new cache
			answer = j.load(name, class, false)
		}
		cache.Close()
		j.mu.Lock()
		defer j.mu.Unlock()
		j.out.Finish(true, "")
		return j.relative(name, class, answer), &j.seen
	}
	fresh, seen := session()
	if seen.Cached != 0 {
		t.Fatalf("%d classes were in an empty cache", seen.Cached)
	}
	kept, seen := session()
	if seen.Cached != newClassShare || !bytes.Equal(kept, fresh) {
		t.Errorf("%d classes from the cache, equal %v", seen.Cached, bytes.Equal(kept, fresh))
	}
	files, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "mallard", "*", "*.cache"))
	if err != nil || len(files) != 1 {
		t.Fatalf("caches %v, error %v", files, err)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for what, damaged := range map[string][]byte{
		"empty": nil, "short": whole[:len(whole)/2], "zero": make([]byte, len(whole)),
		"header": slices.Concat([]byte{^whole[0]}, whole[1:]),
	} {
		if err := os.WriteFile(files[0], damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if answer, _ := session(); !bytes.Equal(answer, fresh) {
			t.Errorf("%s: %d bytes, want %d", what, len(answer), len(fresh))
		}
	}
}

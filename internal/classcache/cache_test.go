package classcache

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mallard/internal/abi"
	"mallard/internal/classfile/corpus"
	"mallard/internal/instrument"
)

// someClasses gives a few hundred classes of a JDK, those that are not changed among them.
func someClasses(t *testing.T) [][]byte {
	t.Helper()
	images := corpus.JDKs()
	if len(images) == 0 {
		t.Fatal("no JDK with a module image")
	}
	var classes [][]byte
	stop := errors.New("enough")
	err := images[0].Each(func(name string, class []byte) error {
		classes = append(classes, bytes.Clone(class))
		if len(classes) == 500 {
			return stop
		}
		return nil
	})
	if err != nil && !errors.Is(err, stop) {
		t.Fatal(err)
	}
	return classes
}

func written(t *testing.T, classes [][]byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cache")
	b := builder(t, path)
	for i, class := range classes {
		r, err := instrument.Rewrite(class, instrument.Options{})
		if err != nil {
			t.Fatal(err)
		}
		metadata, err := r.Metadata()
		if err != nil {
			t.Fatal(err)
		}
		r.Patch(uint32(i))
		at, err := b.Add(class, r, metadata, instrument.Numbers{Counters: uint32(i)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := b.Read(at, len(class)); err != nil || !bytes.Equal(again, class) {
			t.Fatalf("class %d is read as something else: %v", i, err)
		}
		if !b.Has(class) || b.Len() != i+1 {
			t.Fatalf("class %d of %d is not there", i, b.Len())
		}
	}
	if err := b.Finish(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func builder(t *testing.T, path string) *Builder {
	t.Helper()
	b, err := NewBuilder(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCache finds every class again, with what instrumenting it anew gives, and copies the cache.
func TestCache(t *testing.T) {
	classes := someClasses(t)
	path := written(t, classes)
	for generation := range 2 {
		c, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if c.Len() != len(classes) {
			t.Fatalf("%d entries of %d", c.Len(), len(classes))
		}
		changed := 0
		for i, class := range classes {
			e, _, found := c.Find(class)
			if !found {
				t.Fatalf("class %d is not there", i)
			}
			got, err := e.Result()
			if err != nil {
				t.Fatal(err)
			}
			want, err := instrument.Rewrite(class, instrument.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if want.Bytes != nil {
				changed++
				want.Patch(1000)
				got.Bytes = bytes.Clone(got.Bytes)
				got.Patch(1000)
			}
			if !bytes.Equal(got.Bytes, want.Bytes) || fmt.Sprint(got.Methods) != fmt.Sprint(want.Methods) {
				t.Fatalf("class %d, %s, comes back as another", i, want.Name)
			}
			if _, _, found := c.Find(class[:len(class)-1]); found {
				t.Fatalf("part of class %d is there", i)
			}
		}
		if changed == 0 || changed == len(classes) {
			t.Fatalf("%d of %d classes changed", changed, len(classes))
		}
		if generation == 0 {
			copied := filepath.Join(t.TempDir(), "copy")
			b := builder(t, copied)
			for e := range c.All {
				for range 2 { // the second is there
					if err := b.Copy(e); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := b.Finish(copied); err != nil {
				t.Fatal(err)
			}
			path = copied
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEmpty(t *testing.T) {
	c, err := Open(written(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, _, found := c.Find([]byte("class")); found || c.Len() != 0 {
		t.Errorf("found %v in %d entries", found, c.Len())
	}
}

// TestDiscard leaves no file.
func TestDiscard(t *testing.T) {
	folder := t.TempDir()
	builder(t, filepath.Join(folder, "cache")).Discard()
	if files, err := os.ReadDir(folder); err != nil || len(files) > 0 {
		t.Errorf("left %v (%v)", files, err)
	}
}

// TestDamage opens files that are no caches, or not whole, and uses what is whole of them.
func TestDamage(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	classes := someClasses(t)[:20]
	whole, err := os.ReadFile(written(t, classes))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "damaged")
	open := func(b []byte) (*Cache, error) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return Open(path)
	}
	for n := 0; n < len(whole); n += 97 {
		if c, err := open(whole[:n]); !errors.Is(err, ErrInvalid) || c != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	for n := 0; n < len(whole); n += 1 + n/100 {
		flipped := bytes.Clone(whole)
		flipped[n] ^= 1 << (n % 8)
		c, err := open(flipped)
		if n < abi.CacheHeaderBytes {
			if !errors.Is(err, ErrInvalid) {
				t.Fatalf("flipped at %d: %v", n, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("flipped at %d: %v", n, err)
		}
		missing := 0
		for _, class := range classes {
			e, _, found := c.Find(class)
			if !found {
				missing++
				continue
			}
			if !bytes.Equal(e.Class, class) {
				t.Fatalf("flipped at %d: another class", n)
			}
			if r, err := instrument.Rewrite(class, instrument.Options{}); err != nil ||
				!bytes.Equal(r.Bytes, e.Rewritten) {
				t.Fatalf("flipped at %d: %s is another (%v)", n, r.Name, err)
			}
		}
		if slots := len(whole) - abi.CacheSlot*int(c.slots); missing > 1 && n < slots {
			t.Fatalf("flipped at %d: %d classes missing", n, missing)
		}
		c.Close()
	}
}

// TestAbandoned removes what a killed recorder was writing, and nothing that is being written.
func TestAbandoned(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "cache")
	written, abandoned, young := builder(t, path), builder(t, path), builder(t, path)
	abandoned.file.Close() // as the system does with what was killed
	young.file.Close()
	then := time.Now().Add(-time.Hour)
	for _, b := range []*Builder{written, abandoned} {
		if err := os.Chtimes(b.file.Name(), then, then); err != nil {
			t.Fatal(err)
		}
	}
	defer builder(t, path).Discard()
	for b, want := range map[*Builder]bool{written: true, abandoned: false, young: true} {
		if _, err := os.Stat(b.file.Name()); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(b.file.Name()), err == nil, want)
		}
	}
}

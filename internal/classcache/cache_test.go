package classcache

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"mallard/internal/classfile/corpus"
	"mallard/internal/instrument"
)

// someClasses gives a few hundred classes of a JDK, those that are not changed among them.
func someClasses(t *testing.T) [][]byte {
	t.Helper()
	images := corpus.JDKs()
	if len(images) == 0 {
		t.Skip("no JDK")
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
	var b Builder
	for _, class := range classes {
		r, err := instrument.Rewrite(class, instrument.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Add(class, r); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "cache")
	if err := b.Write(path); err != nil {
		t.Fatal(err)
	}
	return path
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
			e, found := c.Find(class)
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
			if _, found := c.Find(class[:len(class)-1]); found {
				t.Fatalf("part of class %d is there", i)
			}
		}
		if changed == 0 || changed == len(classes) {
			t.Fatalf("%d of %d classes changed", changed, len(classes))
		}
		if generation == 0 {
			var b Builder
			for e := range c.All {
				b.Copy(e)
				b.Copy(e) // is there
			}
			path = filepath.Join(t.TempDir(), "copy")
			if err := b.Write(path); err != nil {
				t.Fatal(err)
			}
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
	if _, found := c.Find([]byte("class")); found || c.Len() != 0 {
		t.Errorf("found %v in %d entries", found, c.Len())
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
		if n < headerSize {
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
			e, found := c.Find(class)
			if !found {
				missing++
				continue
			}
			if !bytes.Equal(e.Class, class) {
				t.Fatalf("flipped at %d: another class", n)
			}
			if r, err := instrument.Rewrite(class, instrument.Options{}); err != nil || !bytes.Equal(r.Bytes, e.Rewritten) {
				t.Fatalf("flipped at %d: %s is another (%v)", n, r.Name, err)
			}
		}
		if damaged := n < headerSize+slotSize*int(c.slots); missing > 1 && !damaged {
			t.Fatalf("flipped at %d: %d classes missing", n, missing)
		}
		c.Close()
	}
}

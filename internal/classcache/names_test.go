package classcache

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mallard/internal/abi"
	"mallard/internal/calltree"
	"mallard/internal/instrument"
)

// someContexts gives a method with contexts, what it is called by, and what its calls say.
func someContexts(name string, says ...string) []calltree.Method {
	m := calltree.Method{Words: abi.NodeSlots + len(says), Name: name, Calls: says}
	for k := range says {
		m.PCs = append(m.PCs, 10*k)
	}
	return []calltree.Method{m}
}

// writtenWithContexts writes a cache of classes whose methods have names.
func writtenWithContexts(t *testing.T, classes [][]byte, methods func(i int) []calltree.Method) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cache")
	b := builder(t, path)
	for i, class := range classes {
		r, err := instrument.Rewrite(class, instrument.Options{Contexts: instrument.Hashed})
		if err != nil {
			t.Fatal(err)
		}
		metadata, err := r.Metadata()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Add(class, r, metadata, instrument.Numbers{}, methods(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Finish(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func opened(t *testing.T, path string) *Cache {
	t.Helper()
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// namesIn gives the names in an entry's rows, of methods and then of calls.
func namesIn(t *testing.T, c *Cache, e Entry) (names []string) {
	t.Helper()
	_, all := c.Names()
	e.Contexts.Rows.Rename(func(number uint32) uint32 {
		switch {
		case number == 0:
			names = append(names, "")
		case number == abi.LambdaName:
			names = append(names, calltree.Lambda)
		default:
			names = append(names, all()[number-abi.FirstName])
		}
		return number
	})
	return names
}

// TestNames: what methods are called by, and calls say, is what it was, also in a cache that has the entries of two
// others, where the names have other numbers.
func TestNames(t *testing.T) {
	classes := someClasses(t)[:40]
	methods := func(i int) []calltree.Method {
		return someContexts(fmt.Sprint("method", i%7), "", calltree.Lambda, fmt.Sprint("method", 39-i), "toString()")
	}
	others := func(i int) []calltree.Method { return methods(39 - i) }
	first, second := opened(t, writtenWithContexts(t, classes[:20], methods)),
		opened(t, writtenWithContexts(t, classes[20:], others))
	path := filepath.Join(t.TempDir(), "both")
	b := builder(t, path)
	for _, c := range []*Cache{first, second} {
		for e := range c.All {
			if err := b.Copy(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := b.Finish(path); err != nil {
		t.Fatal(err)
	}
	both := opened(t, path)
	renamed := 0
	for i, class := range classes {
		e, _, found := both.Find(class)
		if !found {
			t.Fatalf("class %d is not there", i)
		}
		from, want := first, methods(i)[0]
		if i >= 20 {
			from, want = second, others(i - 20)[0]
		}
		before, _, _ := from.Find(class)
		if got := namesIn(t, both, e); !slices.Equal(got, append([]string{want.Name}, want.Calls...)) {
			t.Fatalf("class %d has the names %q", i, got)
		}
		if !bytes.Equal(before.Contexts.Rows.Calls, e.Contexts.Rows.Calls) {
			renamed++
		}
		if !slices.Equal(before.Contexts.Leaves, e.Contexts.Leaves) || !bytes.Equal(before.Rewritten, e.Rewritten) {
			t.Fatalf("class %d comes back as another", i)
		}
	}
	if renamed == 0 {
		t.Error("the names have the same numbers in both caches: nothing is tested")
	}
}

// TestDamagedNames: a cache whose names are not whole is none; nor is one with rows that were changed.
func TestDamagedNames(t *testing.T) {
	classes := someClasses(t)[:5]
	path := writtenWithContexts(t, classes, func(i int) []calltree.Method {
		return someContexts(fmt.Sprint("method", i), "called()")
	})
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	names := bytes.Index(whole, []byte("called()"))
	if names < 0 || bytes.Count(whole, []byte("called()")) != 1 {
		t.Fatal("the names are not there once")
	}
	damaged := func(at int) (*Cache, error) {
		flipped := bytes.Clone(whole)
		flipped[at] ^= 1
		if err := os.WriteFile(path, flipped, 0o600); err != nil {
			t.Fatal(err)
		}
		return Open(path)
	}
	for at := names - 8; at < names+8; at++ {
		if _, err := damaged(at); !errors.Is(err, ErrInvalid) {
			t.Errorf("with another byte in the names: %v", err)
		}
	}
	c := opened(t, writtenWithContexts(t, classes, func(i int) []calltree.Method {
		return someContexts(fmt.Sprint("method", i), "called()")
	}))
	e, offset, found := c.Find(classes[0])
	if !found {
		t.Fatal("the class is not there")
	}
	rows := int(offset) + bytes.Index(whole[offset:], e.Contexts.Rows.Methods)
	for _, at := range []int{rows + abi.MethodName, rows + abi.MethodWords, int(offset) + abi.EntryMethods,
		int(offset) + abi.EntryOverflow, int(offset) + abi.EntryCallsOfMethods} {
		c, err := damaged(at)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, found := c.Find(classes[0]); found {
			t.Errorf("a class is there whose byte %d is another", at-int(offset))
		}
		c.Close()
	}
}

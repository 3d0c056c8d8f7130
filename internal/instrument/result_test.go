package instrument

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
	"mallard/internal/placement"
)

// eachResult rewrites a sample of the newest JDK and gives the results. class must not be changed.
func eachResult(t *testing.T, visit func(name string, class []byte, s placement.Strategy, r *Result)) {
	t.Helper()
	images := corpus.JDKs()
	if len(images) == 0 {
		t.Fatal("no JDK")
	}
	take := func(c *corpusClass) bool {
		return (c.module == "java.base" || c.module == "java.desktop") && corpus.Part(c.name, 10) == 0
	}
	eachClass(t, images[len(images)-1], take, func(c *corpusClass) {
		for _, s := range strategies {
			r, err := Rewrite(c.bytes, Options{Placement: s})
			if err != nil {
				t.Errorf("%s: %v", c, err)
				return
			}
			visit(c.String(), c.bytes, s, r)
		}
	})
}

// TestResultKeepsNothing overwrites the class after it was instrumented: the result stays what it was.
func TestResultKeepsNothing(t *testing.T) {
	eachResult(t, func(name string, class []byte, s placement.Strategy, want *Result) {
		input := bytes.Clone(class)
		got, err := Rewrite(input, Options{Placement: s})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range input {
			input[i] = 0xaa
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the result has changed with the class, or with the second call", name)
		}
	})
}

// TestResultFreesClass: a result that is kept does not keep the class file in memory.
func TestResultFreesClass(t *testing.T) {
	var class []byte
	eachResult(t, func(_ string, b []byte, _ placement.Strategy, r *Result) {
		if class == nil && len(r.Methods) > 3 {
			class = bytes.Clone(b)
		}
	})
	result, err := Rewrite(class, Options{})
	if err != nil {
		t.Fatal(err)
	}
	freed := make(chan bool)
	runtime.SetFinalizer(&class[0], func(*byte) { close(freed) })
	class = nil
	for range 10 {
		runtime.GC()
		select {
		case <-freed:
			runtime.KeepAlive(result)
			return
		case <-time.After(time.Second):
		}
	}
	t.Error("the class is still reachable")
	runtime.KeepAlive(result)
}

// TestNumbers: a class's counters have the numbers from 0 on, each once, and the constants patched are theirs.
func TestNumbers(t *testing.T) {
	const base = 1_000_000_007
	classes := 0
	eachResult(t, func(name string, class []byte, s placement.Strategy, r *Result) {
		if r.Bytes == nil {
			if r.Counters != 0 || len(r.Methods) != 0 {
				t.Errorf("%s: not changed, and %d counters", name, r.Counters)
			}
			return
		}
		classes++
		var numbers []uint32
		for _, m := range r.Methods {
			for _, c := range m.Counters {
				numbers = append(numbers, c.Number)
				if c.Kind != Path && (c.Site < 0 || c.Site >= len(m.Sites)) {
					t.Errorf("%s.%s: counter %d of site %d", name, m.Name, c.Number, c.Site)
				}
			}
		}
		slices.Sort(numbers)
		for i, n := range numbers {
			if uint32(i) != n {
				t.Fatalf("%s: the numbers are %v", name, numbers)
			}
		}
		if len(numbers) != int(r.Counters) {
			t.Errorf("%s: %d counters, Result.Counters %d", name, len(numbers), r.Counters)
		}
		if err := checkPatch(r, base); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
	if classes < 100 {
		t.Errorf("only %d classes", classes)
	}
}

// checkPatch patches r and compares every constant with what it was.
func checkPatch(r *Result, base uint32) error {
	before := bytes.Clone(r.Bytes)
	old, err := classfile.Parse(before)
	if err != nil {
		return err
	}
	r.Patch(base)
	patched, err := classfile.Parse(r.Bytes)
	if err != nil {
		return err
	}
	changed := 0
	for i := classfile.PoolIndex(1); int(i) < old.Pool.Len(); i++ {
		if old.Pool.Tag(i) != classfile.TagInteger {
			continue
		}
		was, err1 := old.Pool.Integer(i)
		is, err2 := patched.Pool.Integer(i)
		if err1 != nil || err2 != nil {
			return fmt.Errorf("constant %d: %w", i, cmp.Or(err1, err2))
		}
		if was == is {
			continue
		}
		changed++
		if uint32(is)-base != uint32(was) || uint32(was) >= r.Counters {
			return fmt.Errorf("constant %d was %d and is %d", i, was, is)
		}
	}
	if changed != len(r.patches.Counters) {
		return fmt.Errorf("%d constants have changed, not %d", changed, len(r.patches.Counters))
	}
	for _, at := range r.patches.Counters {
		copy(r.Bytes[at:at+4], before[at:at+4])
	}
	if !bytes.Equal(r.Bytes, before) {
		return fmt.Errorf("something else than counter numbers has changed")
	}
	return nil
}

package classes

import (
	"os"
	"path/filepath"
	"testing"

	"mallard/internal/instrument"
	"mallard/internal/jvmtest"
	"mallard/internal/trace"
	"mallard/internal/transport"
)

// TestMadeBy asks for the counters of classes whose objects a call makes: each class has its own, for as long as the
// caller's loader lives.
func TestMadeBy(t *testing.T) {
	compiled := jvmtest.JDKs(t)[0].MustJavac(t, nil, filepath.Join("testdata", "Copier.java"))
	file, err := os.ReadFile(filepath.Join(compiled, "Copier.class"))
	if err != nil {
		t.Fatal(err)
	}
	j := newJVM(t, Options{}, nil)
	call := func() trace.CounterID {
		t.Helper()
		j.load("Copier", file, false)
		v := j.classes[Key{loader, "Copier"}].last()
		methods, err := v.Methods()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range methods {
			for _, c := range m.Counters {
				if c.Kind == instrument.Arrays {
					return v.counters.First + trace.CounterID(c.Number)
				}
			}
		}
		t.Fatal("no array is counted")
		return 0
	}
	first := call()
	madeBy := func(counter trace.CounterID, class string) trace.CounterID {
		first, _ := j.MadeBy(counter, class)
		return first
	}
	strings, integers := madeBy(first, "[Ljava/lang/String;"), madeBy(first, "[Ljava/lang/Integer;")
	if strings == first || integers == first || strings == integers {
		t.Errorf("strings are counted at %d, integers at %d, others at %d", strings, integers, first)
	}
	if again := madeBy(first, "[Ljava/lang/String;"); again != strings {
		t.Errorf("strings are counted at %d, and at %d", strings, again)
	}
	if hidden := madeBy(first, "[Ljava/lang/String.0x12;"); hidden != strings {
		t.Errorf("hidden ones are counted at %d, and not at %d", hidden, strings)
	}
	given, ok := j.space.Take(3)
	if !ok {
		t.Fatal("no counters")
	}
	message := &transport.CountersMade{Counter: uint32(first), Name: "[Ljava/lang/Long;", First: uint32(given.First)}
	if err := j.Made(message); err != nil {
		t.Fatal(err)
	}
	if got, n := j.MadeBy(first, "[Ljava/lang/Long;"); got != given.First || n != uint32(given.Len()) {
		t.Errorf("numbers are counted at %d with %d counters, the agent took %v", got, n, given)
	}
	message.Counter = 1 << 17
	if err := j.Made(message); err != nil {
		t.Errorf("counters of a class that nobody knows: %v", err)
	}
	for _, own := range []struct {
		counter trace.CounterID
		class   string
	}{{first, "[Ljava/lang/Object;"}, {first - 1, "[Ljava/lang/String;"}, {1 << 17, "[Ljava/lang/String;"}} {
		if got := madeBy(own.counter, own.class); got != own.counter {
			t.Errorf("%s is counted at %d, and not where it was, at %d", own.class, got, own.counter)
		}
	}
	gone := j.Unload([]trace.LoaderID{loader})
	if len(gone.Classes) != 4 || len(gone.Counters) != 1 {
		t.Errorf("gone are classes %v, with counters %v", gone.Classes, gone.Counters)
	}
	if got := madeBy(first, "[Ljava/lang/String;"); got != first {
		t.Errorf("a class that is gone counts at %d", got)
	}
	j.space.Free(gone.Counters)
	if again := call(); again != first {
		t.Fatalf("a new class counts at %d, the one that is gone counted at %d", again, first)
	}
	if got := madeBy(first, "[Ljava/lang/Integer;"); got == first {
		t.Error("what the new class makes is not message apart")
	}
}

package registry

import (
	"fmt"
	"log/slog"
	"maps"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"mallard/internal/abi"
	"mallard/internal/classes"
	"mallard/internal/counters"
	"mallard/internal/instrument"
	"mallard/internal/observe"
	"mallard/internal/recording"
	"mallard/internal/trace"
	"mallard/internal/transport/events"
)

// arena is room for contexts.
const arena = 128 << 20

// opened gives the observers that flags choose, in a JVM that has none of their memory yet.
func opened(t *testing.T, flags map[string]string) (*observe.Set, []observe.Observer) {
	t.Helper()
	set := New()
	for name, value := range flags {
		if name == "track" {
			if err := set.Track([]string{value}); err != nil {
				t.Fatal(err)
			}
			continue
		}
		found := false
		for _, o := range set.Options() {
			if o.Name == name {
				if err := o.Set(value); err != nil {
					t.Fatal(err)
				}
				found = true
			}
		}
		if !found {
			t.Fatalf("no flag %s", name)
		}
	}
	file, err := unix.MemfdCreate("memory", unix.MFD_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Ftruncate(file, abi.BlocksOffset+abi.SmallBlockBytes+arena); err != nil {
		t.Fatal(err)
	}
	memory, err := counters.OpenMemory(os.NewFile(uintptr(file), "memory"), 1, abi.SmallBlockBytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(memory.Close)
	var none classes.Table
	observers, err := set.Open(&observe.Host{
		Memory: memory, Arena: arena, Classes: func() *classes.Table { return &none },
		Log: slog.New(slog.DiscardHandler), KeepEvents: func(string, recording.Follower) events.Handler { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, o := range observers {
			o.Close()
		}
	})
	return set, observers
}

// TestVariants: classes come out of the class cache only as they would be instrumented: observers with the same variant
// ask for the same code, those with another for other code, and all of one variant for the same code of all loaders.
func TestVariants(t *testing.T) {
	tracks := []map[string]string{{"track": "sites"}, {"track": "contexts"},
		{"track": "contexts", "contexts": "encoded"}, {"track": "contexts", "contexts": "tree"},
		{"track": "constructors"}}
	codes, variants := map[string]string{}, map[string]string{} // of each other
	for _, track := range tracks {
		for _, bytecodes := range []string{"false", "true"} {
			for _, every := range []string{"1s", "100000bc"} {
				flags := map[string]string{"bytecodes": bytecodes, "snapshots": every}
				maps.Copy(flags, track)
				set, observers := opened(t, flags)
				code := func(loader trace.LoaderID) string {
					var o instrument.Options
					for _, observer := range observers {
						observer.Code(loader, &o)
					}
					return fmt.Sprintf("%+v", o)
				}
				jdks, programs := code(0), code(1)
				variant, perLoader := set.Variant()
				if !perLoader && jdks != programs {
					t.Errorf("%v: the JDK's classes are %s, the program's %s", flags, jdks, programs)
				}
				if other, ok := codes[variant]; ok && other != jdks {
					t.Errorf("%v: %q stands for %s and %s", flags, variant, jdks, other)
				}
				if other, ok := variants[jdks]; ok && other != variant {
					t.Errorf("%v: %s is called %q and %q", flags, jdks, variant, other)
				}
				codes[variant], variants[jdks] = jdks, variant
			}
		}
	}
	if len(variants) != 2*len(tracks) {
		t.Errorf("%d variants, want %d: %v", len(variants), 2*len(tracks), variants)
	}
}

// TestAsked: observers that consist of what they ask of others ask for that, and for nothing else.
func TestAsked(t *testing.T) {
	for _, c := range []struct {
		flags map[string]string
		code  instrument.Options
		facts instrument.Facts
		agent uint32
	}{
		{flags: map[string]string{"track": "sites"}},
		{flags: map[string]string{"track": "sites", "bytecodes": "true"}, code: instrument.Options{Bytecodes: true},
			facts: instrument.Facts{Bytecodes: true}},
		{flags: map[string]string{"track": "sites", "jni": "true"}, agent: abi.Natives},
	} {
		_, observers := opened(t, c.flags)
		var code instrument.Options
		var facts instrument.Facts
		var agent uint32
		for _, o := range observers {
			o.Code(1, &code)
			o.Facts(&facts)
			agent |= o.Flags()
		}
		if got, want := fmt.Sprintf("%+v %+v", code, facts), fmt.Sprintf("%+v %+v", c.code, c.facts); got != want ||
			agent&abi.Natives != c.agent {
			t.Errorf("%v: flags %x for the agent, want %x; %s, want %s", c.flags, agent, c.agent, got, want)
		}
	}
	_, observers := opened(t, map[string]string{"track": "constructors"})
	var code instrument.Options
	for _, o := range observers {
		o.Code(1, &code)
	}
	if !code.Constructors || code.Contexts == 0 {
		t.Errorf("constructors are counted with %+v", code)
	}
}

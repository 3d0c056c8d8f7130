package compat_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// unknownHeap is an agent that does not find an entry without which it cannot read the heap, or not as well, and what
// it says of objects then.
type unknownHeap struct {
	withheld  string
	newer     string // what newer JDKs call it
	since     int    // from that one on
	collector string // "": each in turn
	says      string // "": nothing, it reads all in pauses
	sizes     bool   // of instances are known nevertheless
}

const (
	unknownObjects = "this JVM's objects are not as Mallard knows them"
	unknownSpaces  = "this JVM's heap is not as Mallard knows it"
)

var unknownHeaps = []unknownHeap{
	{"Symbol::_body", "", 0, "", unknownObjects, true},
	{"markWord::hash_shift", "", 0, "", unknownObjects, true},
	{"CollectedHeap::_total_collections", "", 0, "", unknownObjects, true},
	{"ThreadLocalAllocBuffer::_top", "", 0, "", unknownObjects, true},
	{"ClassLoaderData::_klasses", "", 0, "", unknownObjects, true},
	{"Klass::_layout_helper", "", 0, "", unknownObjects, false},
	{"ContiguousSpace::_top", "", 0, "Serial", unknownSpaces, true},
	{"MutableSpace::_top", "", 0, "Parallel", unknownSpaces, true},
	{"G1HeapRegionTable::_base", "", 0, "G1", unknownSpaces, true},
	{"HeapRegionType::FreeTag", "G1HeapRegionType::FreeTag", 23, "G1", unknownSpaces, true},
	{"JVMFlag::flags", "", 0, "G1", "this JVM does not say which collector it has", true},
	{"JavaThread::_thread_state", "", 0, "G1", "", true},
}

// TestUnknownHeap has agents that are to record objects and do not find an entry of HotSpot's: the program does what it
// does, the recording says in one line that objects are not recorded, and counts of sites are the oracle's.
func TestUnknownHeap(t *testing.T) {
	t.Parallel()
	collectors := []string{"Serial", "Parallel", "G1"}
	program := slices.DeleteFunc(jvmtest.Programs(t), func(p jvmtest.Program) bool { return p.Name != "ArrayKinds" })[0]
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := program.Command(t, jdk)
		plain, truth := jvmtest.RunPlain(t, jdk, command), jvmtest.RunOracle(t, jdk, command)
		for i, unknown := range unknownHeaps {
			if unknown.newer == "" && !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(unknown.withheld, func(t *testing.T) {
				if unknown.newer != "" && jdk.Feature >= unknown.since {
					unknown.withheld = unknown.newer
				}
				collector := unknown.collector
				if collector == "" {
					collector = collectors[(i+jdk.Feature)%len(collectors)]
				}
				agent := mallardtest.BuildAgent(t, fmt.Sprintf("-DHOTSPOT_WITHHELD=%q", unknown.withheld))
				file := filepath.Join(t.TempDir(), "run.mallard")
				command := command
				command.Options = append(slices.Clone(command.Options), "-XX:+Use"+collector+"GC",
					fmt.Sprintf("-agentpath:%s=quiet,track=sites+objects,file=%s", agent, file))
				mallardtest.CompareOutput(t, plain, jdk.MustRun(t, command))
				events := profile.Events{heap.Observer: nil}
				p := mallardtest.Read(t, file, events)
				unknown.check(t, p)
				unknownJVM{sizes: unknown.sizes}.compare(t, program, p, truth)
				history := heap.NewHistory(events[heap.Observer])
				if (len(history.Pauses) == 0) != (unknown.says != "") {
					t.Errorf("%d pauses were recorded", len(history.Pauses))
				}
				words := []string{mallardtest.Binary(t), "heap", file}
				output := mallardtest.RunWords(t, t.TempDir(), nil, words...)
				if said := output.Stdout + output.Stderr; (output.ExitCode == 0) != (unknown.says == "") ||
					!strings.Contains(said, unknown.says) {
					t.Errorf("mallard heap exits with %d, and says\n%s", output.ExitCode, said)
				}
			})
		}
	})
}

// check looks for the line that says why objects are not recorded, and that no other loss has to do with them.
func (u unknownHeap) check(t *testing.T, p *profile.Profile) {
	t.Helper()
	if !p.Complete {
		t.Errorf("incomplete: %s", p.Reason)
	}
	var said []string
	for _, loss := range p.Losses {
		switch loss.Kind {
		case heap.Observer:
			said = append(said, loss.Detail)
		case "jvm": // what else needs that entry
			if !strings.Contains(loss.Detail, u.withheld) {
				t.Errorf("%s is not in %s", u.withheld, loss.Detail)
			}
		case "sizes":
			if u.sizes {
				t.Errorf("lost: %+v", loss)
			}
		default:
			t.Errorf("lost: %+v", loss)
		}
	}
	if strings.Join(said, "\n") != u.says {
		t.Errorf("says %q, want %q", said, u.says)
	}
}

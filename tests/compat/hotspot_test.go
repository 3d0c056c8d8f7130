package compat_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestHotSpotTable reads the agent's table of HotSpot from made-up descriptions.
func TestHotSpotTable(t *testing.T) {
	t.Parallel()
	agent, test := filepath.Join(jvmtest.MustRoot(t), "agent"), filepath.Join(t.TempDir(), "test")
	words := []string{"-std=c11", "-D_GNU_SOURCE", "-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined",
		"-fno-sanitize-recover=undefined", "-rdynamic", "-o", test,
		filepath.Join(agent, "testdata", "hotspot_table.c"), filepath.Join(agent, "hotspot_table.c"), "-ldl"}
	if out, err := exec.Command("gcc", words...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(test).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// unknownJVM is an agent that knows less of HotSpot than the JVM has, and what it says of that.
type unknownJVM struct {
	name  string
	flag  string // for the compiler
	says  []string
	sizes bool // of instances are known nevertheless
	bytes bool // what the JVM itself says was allocated
}

var unknownJVMs = []unknownJVM{
	{"newer", "-DHOTSPOT_NEWEST=16", []string{"is newer than JDK 16, up to which Mallard knows HotSpot; it does " +
		"without the name of the collector, and archives of classes", "classes that inherit clone",
		"what the JVM makes for its classes", "what the JVM itself says was allocated",
		"causes and kinds of collections", "the JVM's numbers of collections"}, true, false},
	{"classes", `-DHOTSPOT_WITHHELD="Klass::_layout_helper"`,
		[]string{"the sizes of instances (there is no Klass::_layout_helper)"}, false, true},
	{"mirrors", `-DHOTSPOT_WITHHELD="ClassLoaderDataGraph::_head"`,
		[]string{"what the JVM makes for its classes (there is no ClassLoaderDataGraph::_head)"}, true, true},
	{"clone", `-DHOTSPOT_WITHHELD="InstanceKlass"`, []string{"classes that inherit clone (there is no InstanceKlass)"},
		true, true},
	{"threads", `-DHOTSPOT_WITHHELD="ThreadLocalAllocBuffer::_top"`,
		[]string{"what the JVM itself says was allocated (there is no ThreadLocalAllocBuffer::_top)"}, true, false},
	{"flags", `-DHOTSPOT_WITHHELD="JVMFlag::flags"`,
		[]string{"the name of the collector, and archives of classes (there is no JVMFlag::flags)"}, true, true},
}

// TestUnknownJVM has agents count that know HotSpot up to an older JDK, or do not find an entry: programs do what they
// do, counts are those of the oracle, and the recording names what is missing.
func TestUnknownJVM(t *testing.T) {
	t.Parallel()
	// Each of the first is counted by all agents, the others by one that knows an older JDK only.
	programs, more := []string{"Unseen"}, []string{"ArrayKinds", "FourThreads", "Strings", "Thrown",
		"VirtualThreadsAtExit"}
	agents := map[string]string{} // by name
	for _, unknown := range unknownJVMs {
		agents[unknown.name] = mallardtest.BuildAgent(t, unknown.flag)
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, program := range jvmtest.Programs(t) {
			unknowns := unknownJVMs
			if !slices.Contains(programs, program.Name) {
				unknowns = unknowns[:1]
			}
			if !slices.Contains(slices.Concat(programs, more), program.Name) {
				continue
			}
			t.Run(program.Name, func(t *testing.T) {
				command := program.Command(t, jdk)
				plain := jvmtest.RunPlain(t, jdk, command)
				var truth jvmtest.OracleResult
				if program.Deterministic {
					truth = jvmtest.RunOracle(t, jdk, command)
				}
				for _, unknown := range unknowns {
					t.Run(unknown.name, func(t *testing.T) {
						file := filepath.Join(t.TempDir(), "run.mallard")
						command := command
						command.Options = append(slices.Clone(command.Options),
							fmt.Sprintf("-agentpath:%s=quiet,file=%s", agents[unknown.name], file))
						mallardtest.CompareOutput(t, plain, jdk.MustRun(t, command))
						p := mallardtest.Read(t, file)
						unknown.check(t, p)
						if program.Deterministic {
							unknown.compare(t, program, p, truth)
						}
					})
				}
			})
		}
	})
}

// check looks for what the recording says is missing, and that nothing else is.
func (u unknownJVM) check(t *testing.T, p *profile.Profile) {
	if !p.Complete {
		t.Errorf("incomplete: %s", p.Reason)
	}
	if known := p.Reconciliation != nil; known != u.bytes {
		t.Errorf("the JVM's own figure is known: %v", known)
	}
	said := false
	for _, loss := range p.Losses {
		switch {
		case loss.Kind == "jvm" && !said:
			said = true
			for _, words := range u.says {
				if !strings.Contains(loss.Detail, words) {
					t.Errorf("%q is not in %s", words, loss.Detail)
				}
			}
			if loss.Count != uint64(len(u.says)) {
				t.Errorf("%d are missing: %s", loss.Count, loss.Detail)
			}
		case loss.Kind == "sizes" && !u.sizes:
		default:
			t.Errorf("lost: %+v", loss)
		}
	}
	if !said {
		t.Error("the recording does not say that anything is missing")
	}
}

// compare holds counts against the oracle's, to the byte where sizes are known.
func (u unknownJVM) compare(t *testing.T, program jvmtest.Program, p *profile.Profile, truth jvmtest.OracleResult) {
	want, have := mallardtest.OracleSites(program, truth), mallardtest.RecordedSites(program, p, truth)
	wantThrown, haveThrown := mallardtest.OracleThrown(program, truth), mallardtest.RecordedThrown(program, p, truth)
	if !u.sizes {
		for _, sites := range []map[string]jvmtest.Counts{want, have, wantThrown, haveThrown} {
			for key, counts := range sites {
				if counts.Elements == 0 || strings.HasSuffix(key, "by a call") { // which may make instances as well
					counts.Bytes = 0
					sites[key] = counts
				}
			}
		}
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("sites (-oracle +mallard):\n%s", diff)
	}
	if diff := cmp.Diff(wantThrown, haveThrown); diff != "" {
		t.Errorf("exceptions of the JVM's (-oracle +mallard):\n%s", diff)
	}
}

package truth_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/profile/stacktest"
)

// asMade has all be made that the bytecode makes, so that each object that is counted is one that the oracle sees:
// nothing is removed by escape analysis, nor boxes, nor, as there are no allocation buffers, what nobody uses. Chains
// of builders are replaced as always.
var asMade = []string{"-XX:-DoEscapeAnalysis", "-XX:-EliminateAutoBox", "-XX:-UseTLAB"}

// compiledRuns are the ways in which programs run with the compilers on; in the short version the first is, and on one
// JDK the second.
var compiledRuns = []struct {
	name        string
	java, flags []string
}{
	{"C2", onlyC2, nil},
	{"hashed", onlyC2, []string{"--track", "contexts"}},
	{"ducktracks", onlyC2, []string{"--placement", "ducktracks"}},
	{"tiers", earlyTiers, nil},
	{"site", earlyTiers, []string{"--placement", "site"}},
	{"tree", earlyTiers, []string{"--track", "contexts", "--contexts", "tree"}},
	{"encoded", onlyC2, []string{"--track", "contexts", "--contexts", "encoded"}},
	{"C1", []string{"-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=0.05"}, nil},
	{"default", nil, nil},
}

// Compilers that soon compile what runs, while the program waits for them.
var (
	onlyC2     = []string{"-XX:-TieredCompilation", "-XX:CompileThreshold=500", "-Xbatch"}
	earlyTiers = []string{"-XX:CompileThresholdScaling=0.05", "-Xbatch"}
)

// TestCompiledCountsAreTrue runs all test programs with the compilers on, the oracle in the same JVM: it sees each
// object that is put on the heap, whatever code puts it there, and shares no code with Mallard. Compared are all
// threads that start after the VM: by class, all that they make; and by line and class what allocation bytecodes make,
// the JDK's included. In the long version programs run six times over.
func TestCompiledCountsAreTrue(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, run := range compiledRuns {
			if i > 0 && (i > 1 || !jvmtest.IsTurn(t, jdk, i)) && !jvmtest.Long() {
				continue
			}
			t.Run(run.name, func(t *testing.T) {
				command := allPrograms(t, jdk, i)
				command.Options = append(command.Options, run.java...)
				var file string
				command, file = mallardtest.Recorded(t, command, run.flags...)
				output, sites := jvmtest.RunSites(t, jdk, command)
				p, err := profile.Read(file)
				if err != nil {
					t.Fatalf("%v; exit code %d\n%s", err, output.ExitCode, output.Stderr)
				}
				if !p.Complete {
					t.Errorf("not complete: %s", p.Reason)
				}
				if p.Tracked {
					stacktest.CheckCallers(t, p)
				}
				c := compiledCounts{map[string]*made{}, map[place]*made{}}
				c.see(sites)
				c.record(p)
				c.compare(t)
				t.Logf("%.0f s of processor time", output.CPU.Seconds())
			})
		}
	})
}

// allPrograms gives a command that runs all test programs in threads of their own, and the probes, whose loops are hot.
// One that ends the JVM comes last, a different one for each n; what is killed is left out.
func allPrograms(t *testing.T, jdk jvmtest.JDK, n int) jvmtest.Command {
	_, together := jvmtest.Together(t, jdk)
	command := mallardtest.Compiled(t, jdk, "InNewThread")
	command.Classpath = append(command.Classpath, together.Classpath...)
	command.Classpath = append(command.Classpath, probeClasses(t, jdk, []string{"-XDstringConcat=inline"}))
	command.Args = []string{"1", together.Main, "Chains", "Intrinsics"}
	rounds := "-Drounds=2000"
	if jvmtest.Long() {
		command.Args[0], rounds = "6", "-Drounds=20000"
	}
	command.Options = append(slices.Clone(asMade), rounds, "-Dexact=true")
	var ending []string
	for _, program := range jvmtest.Programs(t) {
		if program.Shares() || program.Killed() || program.MinJDK > jdk.Feature {
			continue
		}
		command.Classpath = append(command.Classpath, program.Command(t, jdk).Classpath...)
		if program.Exit > 1 || program.OwnJVM {
			ending = append(ending, program.Name)
		} else {
			command.Args = append(command.Args, program.Name)
		}
	}
	command.Args = append(command.Args, ending[n%len(ending)])
	return command
}

// made is how much of something the oracle has seen, and the recording has. The VM made some of it for itself.
type made struct{ seen, byVM, recorded jvmtest.Counts }

// place is a line that makes objects of a class.
type place struct {
	method string // with its class
	line   int
	class  string
}

func (p place) String() string { return fmt.Sprintf("%s:%d %s", p.method, p.line, p.class) }

type compiledCounts struct {
	classes map[string]*made
	places  map[place]*made // where allocation bytecodes make objects, and nothing else makes them on that line
}

func entry[K comparable](m map[K]*made, key K) *made {
	if m[key] == nil {
		m[key] = &made{}
	}
	return m[key]
}

// see takes what the oracle has seen.
func (c *compiledCounts) see(sites map[jvmtest.Site]jvmtest.Counts) {
	others := map[place]bool{}
	for site, counts := range sites {
		if slices.Contains(untold, site.Class) {
			continue
		}
		at := place{unnumbered(site.Declaring) + "." + site.Method, site.Line, unnumbered(site.Class)}
		if site.Called != "" {
			others[at] = true
			continue
		}
		class := entry(c.classes, unnumbered(site.Class))
		class.seen = class.seen.Plus(counts)
		switch {
		case site.Allocates() && !countedAtCalls(site) && site.Line >= 0:
			line := entry(c.places, at)
			line.seen = line.seen.Plus(counts)
			continue
		case isOfVM(site, counts):
			class.byVM = class.byVM.Plus(counts)
		}
		others[at] = true
	}
	for at := range others {
		delete(c.places, at)
	}
}

// record takes what a recording has of the same threads.
func (c *compiledCounts) record(p *profile.Profile) {
	for sample := range p.Samples(profile.Filter{}) {
		if slices.Contains(older, sample.Thread.Name) {
			continue
		}
		counts, site := mallardtest.Counted(sample.Amount), sample.Site
		if slices.Contains(untold, site.Type) {
			continue
		}
		class := entry(c.classes, unnumbered(site.Type))
		class.recorded = class.recorded.Plus(counts)
		if line := c.places[place{unnumbered(site.Class) + "." + site.Method, int(site.Line),
			unnumbered(site.Type)}]; line != nil {
			line.recorded = line.recorded.Plus(counts)
		}
	}
}

// countedAtCalls tells bytecodes of the JDK that are counted where they are called, as compiled code often does not run
// them.
func countedAtCalls(site jvmtest.Site) bool {
	switch site.Declaring + "." + site.Method {
	case "java.util.Arrays.copyOf", "java.util.Arrays.copyOfRange":
		return site.Class == "java.lang.Object[]"
	case "jdk.internal.misc.Unsafe.allocateUninitializedArray0", "java.math.BigInteger.implMultiplyToLen":
		return true
	}
	return strings.HasPrefix(site.Declaring, "jdk.internal.reflect.Generated")
}

// mostAtOnce is how many objects of a class the VM may make for itself at one bytecode, where it is linked: in many
// classes, if these are loaded again and again.
const mostAtOnce = 100

// isOfVM tells what the VM makes for itself, which has no site: mirrors, and what native methods and linking take.
func isOfVM(site jvmtest.Site, counts jvmtest.Counts) bool {
	lock := site.Class == "int[]" && counts.Elements == 0 && site.Instruction != "newarray int" // of a class
	if lock || site.Class == "java.lang.Class" || strings.HasPrefix(site.Declaring, "java.lang.$Mallard") {
		return true
	}
	if site.BCI < 0 { // native
		return !slices.Contains(makers, site.Declaring+"."+site.Method)
	}
	constant := site.Instruction == "ldc" && (site.Class == "java.lang.String" || site.Class == "byte[]")
	return constant || slices.Contains(linked, site.Class) && counts.Objects <= mostAtOnce
}

// makers are native methods whose callers count what they make.
var makers = []string{"java.lang.Object.clone", "java.lang.reflect.Array.newArray",
	"java.lang.reflect.Array.multiNewArray", "java.lang.Throwable.fillInStackTrace",
	"jdk.internal.misc.Unsafe.allocateInstance", "jdk.internal.reflect.NativeConstructorAccessorImpl.newInstance0",
	"jdk.internal.reflect.DirectConstructorHandleAccessor$NativeAccessor.newInstance0"}

// linked are the classes of what the VM makes when it links what a bytecode names: names that it asks class loaders
// for, resolved references, types, methods and arguments of method handles.
var linked = []string{"java.lang.String", "byte[]", "java.lang.Object[]", "java.lang.Class[]", "java.lang.Integer",
	"java.lang.invoke.MemberName", "java.lang.invoke.ResolvedMethodName", "java.lang.NoSuchMethodError"}

// untold are classes of whose objects JVMTI does not tell, or of some only: not of what JDK 21 makes to hand a virtual
// thread on, while that is unmounted.
var untold = []string{"jdk.internal.vm.StackChunk", "java.util.concurrent.ForkJoinTask$RunnableExecuteAction"}

// older are threads that are there before the oracle looks, and what stands for the VM.
var older = []string{"main", "DestroyJavaVM", "Reference Handler", "Finalizer", "Signal Dispatcher", "(JVM)"}

// unnumbered leaves out what tells hidden classes of one origin apart.
func unnumbered(class string) string {
	if name, _, hidden := strings.Cut(class, "$$Lambda"); hidden {
		return name + "$$Lambda"
	}
	class, _, _ = strings.Cut(class, "/")
	return class
}

// compare holds the recording against the oracle: no class has more, none has less by more than what the VM made, and
// each line has the same.
func (c *compiledCounts) compare(t *testing.T) {
	t.Helper()
	var all made
	for _, name := range slices.Sorted(maps.Keys(c.classes)) {
		m := c.classes[name]
		all.seen, all.byVM = all.seen.Plus(m.seen), all.byVM.Plus(m.byVM)
		all.recorded = all.recorded.Plus(m.recorded)
		objects, bytes := m.seen.Objects-m.recorded.Objects, m.seen.Bytes-m.recorded.Bytes
		if objects < 0 || bytes < 0 || objects > m.byVM.Objects || bytes > m.byVM.Bytes {
			t.Errorf("%s: %d objects of %d bytes are counted, the oracle has seen %d of %d, the VM's own %d of %d",
				name, m.recorded.Objects, m.recorded.Bytes, m.seen.Objects, m.seen.Bytes, m.byVM.Objects, m.byVM.Bytes)
		}
	}
	same := 0
	for at, m := range c.places {
		if m.seen.Objects != m.recorded.Objects || m.seen.Bytes != m.recorded.Bytes {
			t.Errorf("%v: %d objects of %d bytes are counted, the oracle has seen %d of %d", at, m.recorded.Objects,
				m.recorded.Bytes, m.seen.Objects, m.seen.Bytes)
			continue
		}
		same++
	}
	t.Logf("%d objects of %d classes, %d recorded, %d may be the VM's; %d of %d lines are the same", all.seen.Objects,
		len(c.classes), all.recorded.Objects, all.byVM.Objects, same, len(c.places))
}

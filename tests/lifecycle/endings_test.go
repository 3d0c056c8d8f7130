package lifecycle_test

import (
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestEndings ends the program in all ways that a JVM survives long enough for last words: counts are exact, live
// frames or not.
func TestEndings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		exit    int
		markers int64
		arrays  int64 // int[] of the deep stack
	}{
		{"exit", 3, 1, 0},
		{"halt", 3, 1, 0},
		{"hook", 0, 2, 0},
		{"halt in hook", 3, 2, 0},
		{"uncaught", 1, 1, 0},
		{"out of memory", 1, 1, 0},
		{"stack overflow", 1, 1, 0},
		{"deep", 3, 1, 100_001},
		{"uncaught in thread", 0, 1, 11},
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Endings")
				command.Options = []string{"-Xmx64m"}
				command.Args = []string{test.name}
				plain := jvmtest.RunPlain(t, jdk, command)
				command, file := mallardtest.Profiled(t, command, "-q", "--placement", placementOf(test.name))
				output := jdk.MustRun(t, command)
				if output.ExitCode != test.exit || plain.ExitCode != test.exit || output.Stdout != plain.Stdout {
					t.Errorf("%q and exit code %d, without mallard %q and %d, want exit code %d", output.Stdout,
						output.ExitCode, plain.Stdout, plain.ExitCode, test.exit)
				}
				if words := mallardtest.Messages(output.Stderr); len(words) > 0 {
					t.Errorf("said %q", words)
				}
				if p := mallardtest.Read(t, file); !p.Complete {
					t.Errorf("not complete (%s)", p.Reason)
				}
				for allocated, want := range map[string]int64{"Endings$Marker": test.markers, "int[]": test.arrays,
					"long[]": 0} {
					if allocated == "long[]" && test.name == "out of memory" {
						continue // as many as there was room for
					}
					if n := mallardtest.Objects(t, file, "Endings", allocated); n != want {
						t.Errorf("%d of %s, want %d", n, allocated, want)
					}
				}
			})
		}
	})
}

// TestOverflowTrace prints the stack trace of a StackOverflowError, which may have been thrown in Mallard's runtime
// classes: the program's frames are in it, and no others.
func TestOverflowTrace(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "Endings")
		command.Args = []string{"stack overflow"}
		plain := jvmtest.RunPlain(t, jdk, command)
		for _, track := range append(tracks, []string{"--track", "constructors"}, []string{"--bytecodes"}) {
			t.Run(strings.Join(track, " "), func(t *testing.T) {
				output, _ := mallardtest.Record(t, jdk, command, track...)
				mallardtest.CompareOutput(t, plain, output)
			})
		}
	})
}

// placementOf gives one counter per site where an exception crosses paths.
func placementOf(ending string) string {
	switch ending {
	case "uncaught in thread", "stack overflow", "out of memory":
		return "site"
	}
	return "optimal"
}

// TestExitRace exits while threads allocate, with each collector. Whatever they were doing when they were stopped: each
// of them is at most one object ahead, and the JVM ends.
func TestExitRace(t *testing.T) {
	rounds := 1
	if jvmtest.Long() {
		rounds = 40
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "ExitRace")
		for _, collector := range []string{"G1", "Serial", "Parallel", "Z", "Shenandoah"} {
			t.Run(collector, func(t *testing.T) {
				command := command
				command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx256m"}
				if jdk.MustRun(t, jvmtest.Command{Options: append(command.Options, "-version")}).ExitCode != 0 {
					jvmtest.Missing(t, "this JDK does not have that collector")
				}
				command, file := mallardtest.Profiled(t, command, "-q", "--force")
				for range rounds {
					output := jdk.MustRun(t, command)
					if output.Stdout != "exiting\n" || output.ExitCode != 3 || output.Stderr != "" {
						t.Fatalf("%q, exit code %d, stderr:\n%s", output.Stdout, output.ExitCode, output.Stderr)
					}
					if p := mallardtest.Read(t, file); !p.Complete {
						t.Fatalf("not complete (%s)", p.Reason)
					}
					first, second, third := mallardtest.Objects(t, file, "ExitRace", "ExitRace$First"),
						mallardtest.Objects(t, file, "ExitRace", "ExitRace$Second"),
						mallardtest.Objects(t, file, "ExitRace", "ExitRace$Third")
					if first < second || second < third || first > third+4 || third < 4000 {
						t.Fatalf("%d, %d and %d objects made in turn by four threads", first, second, third)
					}
				}
			})
		}
	})
}

// TestThreads counts exactly with many threads, one after another and together. None of them leaves anything in memory.
func TestThreads(t *testing.T) {
	turns := 5000
	if jvmtest.Long() {
		turns = 100_000
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for name, n := range map[string]int{"turns": turns, "together": 2000} {
			t.Run(name, func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, "Threads")
				command.Args = []string{name, strconv.Itoa(n)}
				command, file := mallardtest.Profiled(t, command, "-q")
				output := jdk.MustRun(t, command)
				if output.Stdout != "done\n" || output.ExitCode != 0 || output.Stderr != "" {
					t.Fatalf("%q, exit code %d, stderr:\n%s", output.Stdout, output.ExitCode, output.Stderr)
				}
				if got := mallardtest.Objects(t, file, "Threads", "int[]"); got != int64(10*n) {
					t.Errorf("%d arrays, want %d", got, 10*n)
				}
				renamed := 0
				for _, thread := range mallardtest.Read(t, file).Threads {
					if len(thread.Name) > 8 && thread.Name[:8] == "renamed " {
						renamed++
					}
				}
				if name == "together" && renamed != n {
					t.Errorf("%d threads have their last names, want %d", renamed, n)
				}
			})
		}
	})
}

// TestFewBlocks has fewer blocks than threads, for want of address space: the program runs, and the recording says what
// that means.
func TestFewBlocks(t *testing.T) {
	t.Parallel()
	jdk := jvmtest.JDKs(t)[0]
	command := mallardtest.Compiled(t, jdk, "Threads")
	command.Options = []string{"-Xmx64m"}
	command.Args = []string{"together", "100"}
	command, file := mallardtest.Profiled(t, command, "-q")
	command.Wrap = append(command.Wrap, "sh", "-c", `ulimit -v 6000000; exec "$@"`, "sh")
	output := jdk.MustRun(t, command)
	if output.Stdout != "done\n" || output.ExitCode != 0 {
		t.Fatalf("%q, exit code %d, stderr:\n%s", output.Stdout, output.ExitCode, output.Stderr)
	}
	said := false
	for _, loss := range mallardtest.Read(t, file).Losses {
		said = said || loss.Kind == "counters"
	}
	if !said {
		t.Errorf("losses %v, want one of counters", mallardtest.Read(t, file).Losses)
	}
}

// TestAttachedThreads counts in native threads that attach and detach, under the checks of JNI, and the objects that
// the JVM makes for them: half of them are given a name, and so is the thread that ends the JVM.
func TestAttachedThreads(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		library, err := jdk.Agent(mallardtest.Source(t, "attach.c"))
		if err != nil {
			t.Fatal(err)
		}
		command := mallardtest.Compiled(t, jdk, "Attach")
		command.Options = []string{"-Xcheck:jni", "--enable-native-access=ALL-UNNAMED"}
		command.Args = []string{library}
		plain := jvmtest.RunPlain(t, jdk, command)
		command, file := mallardtest.Profiled(t, command, "-q")
		output := jdk.MustRun(t, command)
		if output.Stdout != plain.Stdout || output.Stderr != plain.Stderr || output.ExitCode != 0 {
			t.Errorf("exit code %d, prints\n%.2000s%.2000s", output.ExitCode, output.Stdout, output.Stderr)
		}
		if n := mallardtest.Objects(t, file, "Attach", "int[]"); n != 800 {
			t.Errorf("%d arrays, want 800", n)
		}
		made := map[string]int64{}
		for _, row := range mallardtest.Read(t, file).Rows(profile.Query{By: profile.BySite}).Rows {
			if row.Site.Class == "java.lang.Thread" && row.Site.Method == "<init>" && row.Site.Line < 0 {
				made[row.Class] += row.Amount.Objects
			}
		}
		want := map[string]int64{"java.lang.Thread": 801, "java.lang.String": 401, "byte[]": 401}
		if !maps.Equal(made, want) {
			t.Errorf("the JVM has made %v for threads, want %v", made, want)
		}
		nobodyShares(t, file)
	})
}

// TestBoundVirtualThreads has virtual threads with a platform thread each, of whose start the JVM does not tell.
func TestBoundVirtualThreads(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		if jdk.Feature < 21 {
			t.Skip("has no virtual threads")
		}
		command := jvmtest.Command{Classpath: []string{jdk.MustJavac(t, nil,
			filepath.Join("..", "..", "testdata", "programs", "VirtualThreads.java"))}, Main: "VirtualThreads",
			Options: []string{"-XX:+UnlockExperimentalVMOptions", "-XX:-VMContinuations"}}
		command, file := mallardtest.Profiled(t, command, "-q")
		jdk.MustRun(t, command)
		for allocated, want := range map[string]int64{"VirtualThreads$Message": 2000, "short[]": 1000, "long[]": 1000,
			"char[]": 250} {
			if n := mallardtest.Objects(t, file, "VirtualThreads", allocated); n != want {
				t.Errorf("%d %s, want %d", n, allocated, want)
			}
		}
		nobodyShares(t, file)
	})
}

// nobodyShares fails where threads counted in the block of those that have none.
func nobodyShares(t *testing.T, file string) {
	t.Helper()
	for _, loss := range mallardtest.Read(t, file).Losses {
		if loss.Kind == "counters" {
			t.Errorf("%s: %s", loss.Kind, loss.Detail)
		}
	}
}

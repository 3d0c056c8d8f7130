package compat_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// An option that JDKs have since this release.
const (
	compactHeaders      = "-XX:+UseCompactObjectHeaders"
	compactHeadersSince = 24
)

// TestObjectLayouts compares with the oracle where options change how large objects are.
func TestObjectLayouts(t *testing.T) {
	t.Parallel()
	layouts := [][]string{
		{"-XX:-UseCompressedOops"},
		{"-XX:-UseCompressedClassPointers"},
		{"-XX:-UseCompressedOops", "-XX:-UseCompressedClassPointers"},
		{"-XX:ObjectAlignmentInBytes=16"},
		{"-XX:+UnlockExperimentalVMOptions", compactHeaders},
		{"-XX:+UseZGC"},
	}
	programs := jvmtest.Programs(t)
	program := programs[slices.IndexFunc(programs, func(p jvmtest.Program) bool { return p.Name == "ArrayKinds" })]
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, options := range layouts {
			t.Run(options[len(options)-1], func(t *testing.T) {
				command := program.Command(t, jdk)
				command.Options = options
				if slices.Contains(options, compactHeaders) && jdk.Feature < compactHeadersSince {
					t.Skipf("compact headers are there since JDK %d", compactHeadersSince)
				}
				if output := jvmtest.RunPlain(t, jdk, command); output.ExitCode != 0 {
					t.Fatalf("the JVM alone: exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
				}
				truth := jvmtest.RunOracle(t, jdk, command)
				want := mallardtest.OracleSites(program, truth)
				_, p := mallardtest.Record(t, jdk, command)
				if diff := cmp.Diff(want, mallardtest.RecordedSites(program, p, truth)); diff != "" {
					t.Errorf("sites (-oracle +mallard):\n%s", diff)
				}
			})
		}
	})
}

// TestJVMOptions runs with options that look closely at what an agent does, or leave it little room: the program prints
// the same.
func TestJVMOptions(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		log := "-Xlog:gc*,class+load:file=" + filepath.Join(t.TempDir(), "log")
		for _, options := range [][]string{{"-Xcheck:jni"}, {"-Xshare:auto"}, {"-Xshare:off"}, {log},
			{"-Djava.security.manager"}, {"-Djava.security.manager=allow"},
			{"-Xmx8m"}, {"-Xmx3m", "-XX:+UseSerialGC"}, {"-Xverify:all"}, {"-XX:+UnlockDiagnosticVMOptions",
				"-XX:+BytecodeVerificationLocal"},
			{"-XX:TieredStopAtLevel=1"}, {"-Xcomp"}, {"-XX:ActiveProcessorCount=1"}} {
			t.Run(options[len(options)-1], func(t *testing.T) {
				if options[0] == "-Xcomp" && !jvmtest.Long() {
					t.Skip("compiles everything; MALLARD_LONG=1 runs it")
				}
				command := mallardtest.Compiled(t, jdk, "Steps")
				command.Options = options
				command.Stdin = "\n"
				plain := jvmtest.RunPlain(t, jdk, command)
				command, file := mallardtest.Profiled(t, command, "-q")
				output := jdk.MustRun(t, command)
				if output.Stdout != plain.Stdout || output.Stderr != plain.Stderr || output.ExitCode != plain.ExitCode {
					t.Fatalf("exit code %d, not %d, prints\n%s%s\nnot\n%s%s", output.ExitCode, plain.ExitCode,
						output.Stdout, output.Stderr, plain.Stdout, plain.Stderr)
				}
				if plain.ExitCode != 7 {
					return // the JVM, or the manager, does not want it
				}
				if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != 1000 {
					t.Errorf("%d arrays, want 1000", n)
				}
			})
		}
	})
}

package truth_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile/stacktest"
)

// seed is where the seeds of random programs begin; 0: they are always the same ones, and new ones in the long test.
var seed = flag.Uint64("seed", 0, "first seed of random programs")

const (
	randomMethods  = 50 // of a program
	randomPrograms = 4  // in a JVM
)

// TestRandomMethods compares what random programs print and allocate with what they do plain, under the oracle: 200
// methods, 10,000 in the long test. Four programs run in a JVM.
func TestRandomMethods(t *testing.T) {
	eachRandom(t, func(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, names []string) {
		plain := jvmtest.RunPlain(t, jdk, command)
		truth := jvmtest.RunOracle(t, jdk, command)
		for _, flags := range mallardtest.Variants {
			output, p := mallardtest.Record(t, jdk, command, flags...)
			if output.Stdout != plain.Stdout || output.ExitCode != plain.ExitCode {
				t.Errorf("%v: exit code %d, not %d, and\n%s%snot\n%s", flags, output.ExitCode, plain.ExitCode,
					output.Stdout, output.Stderr, plain.Stdout)
			}
			for _, name := range names {
				program := jvmtest.Program{Name: name}
				want := mallardtest.OracleSites(program, truth)
				sites := len(want)
				notSkipped(want, p)
				if 20*len(want) < 19*sites {
					t.Errorf("%v: of %d sites %d are in methods that are skipped", flags, sites, sites-len(want))
				}
				if diff := cmp.Diff(want, mallardtest.RecordedSites(program, p, truth)); diff != "" {
					t.Errorf("%v: sites (-oracle +mallard):\n%s", flags, diff)
				}
			}
		}
	})
}

// TestRandomContexts compares the stacks at which random programs allocate with those that the oracle sees in the same
// JVM, compiled: hashed and encoded contexts, and in the long test those of the tree. What they print is as plain.
func TestRandomContexts(t *testing.T) {
	eachRandom(t, func(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, names []string) {
		plain := jvmtest.RunPlain(t, jdk, command)
		takes := func(trace []string) bool {
			for _, name := range names {
				if (jvmtest.Program{Name: name}).Declares(stacktest.ClassOf(trace[0])) {
					return true
				}
			}
			return false
		}
		for i, representation := range []string{"hashed", "encoded", "tree"} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			output, result := stacktest.Run(t, jdk, command, []string{"--contexts", representation}, takes)
			if output.Stdout != plain.Stdout || output.ExitCode != plain.ExitCode {
				t.Errorf("%s: exit code %d, not %d, and\n%s%snot\n%s", representation, output.ExitCode, plain.ExitCode,
					output.Stdout, output.Stderr, plain.Stdout)
			}
			if result.Stacks == 0 {
				t.Errorf("%s: no stack was compared", representation)
			}
		}
	})
}

// eachRandom has a test look at random programs, given a command that runs some in a JVM, and their names.
func eachRandom(t *testing.T,
	test func(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, names []string)) {
	jvms, first := 1, *seed
	if jvmtest.Long() {
		if jvms = 50; first == 0 {
			first = rand.Uint64()
		}
		t.Logf("to see the same programs again: -seed %d", first)
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for jvm := range jvms {
			main := fmt.Sprint("Randoms", jvm)
			t.Run(main, func(t *testing.T) {
				t.Parallel()
				command, names := randomCommand(t, jdk, main, first+uint64(jvm*randomPrograms))
				test(t, jdk, command, names)
			})
		}
	})
}

// randomCommand writes programs that are the same for a seed and a JDK, and a class that runs them.
func randomCommand(t *testing.T, jdk jvmtest.JDK, main string, first uint64) (c jvmtest.Command, names []string) {
	var sources []string
	calls := "class " + main + " {\npublic static void main(String[] args) {\n"
	for i := range uint64(randomPrograms) {
		w := &javaWriter{random: rand.New(rand.NewPCG(first+i, 1)), methods: randomMethods,
			prologues: jdk.Feature >= flexibleConstructors, handlers: jdk.Feature >= handlersInside}
		name := fmt.Sprint("Random", i)
		w.class(name)
		names, sources = append(names, name), append(sources, mallardtest.Written(t, name, w.String()))
		calls += name + ".main(args);\n"
	}
	sources = append(sources, mallardtest.Written(t, main, calls+"}\n}\n"))
	return jvmtest.Command{Classpath: []string{jdk.MustJavac(t, nil, sources...)}, Main: main}, names
}

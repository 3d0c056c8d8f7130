package truth_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestRandomMethods compares what random programs print and allocate with what they do plain, under the oracle: 200
// methods, 10,000 in the long test. Four programs run in a JVM.
func TestRandomMethods(t *testing.T) {
	const methods, programs = 50, 4 // a program, a JVM
	jvms := 1
	if jvmtest.Long() {
		jvms = 50
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for jvm := range jvms {
			main := fmt.Sprint("Randoms", jvm)
			t.Run(main, func(t *testing.T) {
				t.Parallel()
				var names, sources []string
				calls := "class " + main + " {\npublic static void main(String[] args) {\n"
				for seed := jvm * programs; seed < (jvm+1)*programs; seed++ {
					w := &javaWriter{random: rand.New(rand.NewPCG(uint64(seed), 1)), methods: methods,
						prologues: jdk.Feature >= flexibleConstructors}
					name := fmt.Sprint("Random", seed)
					w.class(name)
					names, sources = append(names, name), append(sources, mallardtest.Written(t, name, w.String()))
					calls += "try { " + name + ".main(args); } catch (VerifyError e) { System.out.println(1); }\n"
				}
				sources = append(sources, mallardtest.Written(t, main, calls+"}\n}\n"))
				command := jvmtest.Command{Classpath: []string{jdk.MustJavac(t, nil, sources...)}, Main: main}
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
						// javac 17 compiles some tries inside of switch expressions so that the JVM refuses the class,
						// and makes the error where it is used.
						maps.DeleteFunc(want, func(site string, _ jvmtest.Counts) bool {
							return strings.HasSuffix(site, " java.lang.VerifyError")
						})
						if diff := cmp.Diff(want, mallardtest.RecordedSites(program, p, truth)); diff != "" {
							t.Errorf("%v: sites (-oracle +mallard):\n%s", flags, diff)
						}
					}
				}
			})
		}
	})
}

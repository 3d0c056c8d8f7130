package truth_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestRandomMethods compares what random programs print and allocate with what they do plain, under the oracle: 200
// methods, 10,000 in the long test.
func TestRandomMethods(t *testing.T) {
	const methods = 50 // a program
	programs := 4
	if os.Getenv("MALLARD_LONG") == "1" {
		programs = 200
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for seed := range programs {
			name := fmt.Sprint("Random", seed)
			t.Run(name, func(t *testing.T) {
				w := &javaWriter{random: rand.New(rand.NewPCG(uint64(seed), 1)), methods: methods,
					prologues: jdk.Feature >= flexibleConstructors}
				w.class(name)
				source := filepath.Join(t.TempDir(), name+".java")
				if err := os.WriteFile(source, []byte(w.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				program := jvmtest.Program{Name: name}
				command := jvmtest.Command{Classpath: []string{jdk.MustJavac(t, nil, source)}, Main: name}
				plain := jvmtest.RunPlain(t, jdk, command)
				truth := jvmtest.RunOracle(t, jdk, command)
				want := mallardtest.OracleSites(program, truth)
				// javac 17 compiles some tries inside of switch expressions so that the JVM refuses the class, and
				// makes the error where it is used.
				maps.DeleteFunc(want, func(site string, _ jvmtest.Counts) bool {
					return strings.HasSuffix(site, " java.lang.VerifyError")
				})
				for _, flags := range mallardtest.Variants {
					output, p := mallardtest.Record(t, jdk, command, flags...)
					if output.Stdout != plain.Stdout || output.ExitCode != plain.ExitCode {
						t.Errorf("%v: exit code %d, not %d, and\n%s%snot\n%s", flags, output.ExitCode, plain.ExitCode,
							output.Stdout, output.Stderr, plain.Stdout)
					}
					if diff := cmp.Diff(want, mallardtest.RecordedSites(program, p, truth)); diff != "" {
						t.Errorf("%v: sites (-oracle +mallard):\n%s", flags, diff)
					}
				}
			})
		}
	})
}

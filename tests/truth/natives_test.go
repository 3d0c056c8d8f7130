package truth_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestNatives compares what native methods make with the oracle: with --jni it is counted where they are called.
// Messages of exceptions are left out: the JVM makes them for native code.
func TestNatives(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		library := filepath.Join(t.TempDir(), "libnatives.so")
		include := filepath.Join(jdk.Home, "include")
		if out, err := exec.Command("cc", "-shared", "-fPIC", "-Wall", "-Werror", "-I"+include,
			"-I"+filepath.Join(include, "linux"), "-o", library, mallardtest.Source(t,
				"natives.c")).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		command := jvmtest.Command{Classpath: []string{mallardtest.Compiled(t, jdk, "Natives").Classpath[0]},
			Main: "Natives", Args: []string{library}}
		// Who looks for classes makes more, and so does who loads them.
		made := map[string][]string{"object": {"Natives$Point"}, "array": {"int[]", "double[]", "Natives$Point[]",
			"java.lang.String[]"}, "string": {"java.lang.String", "byte[]"},
			"raise": {"java.lang.NullPointerException", "Natives$Failure"}}
		want := map[string]jvmtest.Counts{}
		for site, counts := range jvmtest.RunOracle(t, jdk, command).Sites {
			if site.Declaring == "Natives" && slices.Contains(made[site.Method], site.Class) {
				want[site.Method+" makes "+site.Class] = want[site.Method+" makes "+site.Class].Plus(counts)
			}
		}
		linked := []string{"Java_Natives_string"} // the JVM has looked for the method by this name, with a string
		if jdk.Feature >= 24 {
			linked = append(linked, "string") // for its warning of native code
		}
		for _, name := range linked {
			const linkedStrings = "string makes java.lang.String"
			want[linkedStrings] = want[linkedStrings].Plus(jvmtest.Counts{Objects: -1, Bytes: -24})
			want["string makes byte[]"] = want["string makes byte[]"].Plus(jvmtest.Counts{Objects: -1,
				Bytes: -int64(16+len(name)+7) / 8 * 8, Elements: -int64(len(name))})
		}
		lines := map[int]string{31: "object", 32: "array", 33: "string", 35: "raise"}
		for _, options := range [][]string{{"-Xint"}, nil, {"-Xcheck:jni"}} {
			command.Options = options
			plain := jvmtest.RunPlain(t, jdk, command) // this library is not as careful as -Xcheck:jni wants
			output, p := mallardtest.Record(t, jdk, command, "--jni")
			if output.Stdout != plain.Stdout {
				t.Errorf("%v: prints\n%s%s\nnot\n%s", options, output.Stdout, output.Stderr, plain.Stdout)
			}
			have := map[string]jvmtest.Counts{}
			for _, site := range p.Sites {
				if method := lines[int(site.Line)]; site.Class == "Natives" &&
					slices.Contains(made[method], site.Type) {
					key := method + " makes " + site.Type
					have[key] = have[key].Plus(mallardtest.Counted(site.Amount))
				}
			}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("%v (-oracle +mallard):\n%s", options, diff)
			}
		}
	})
}

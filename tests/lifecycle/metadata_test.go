package lifecycle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestMetadata: instrumented classes are larger, and none is used out of the JVM's archive. A program whose metadata is
// not collected without Mallard has none collected with it, all the same, and what the user says of it holds.
func TestMetadata(t *testing.T) {
	t.Parallel()
	const threshold = 21 << 20 // a JVM's own, or more
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		var collected [3]bool
		for i, option := range []string{"", "", "-XX:MetaspaceSize=12m"} {
			log := filepath.Join(t.TempDir(), "gc.log")
			command := mallardtest.Compiled(t, jdk, "Compiles")
			command.Options = []string{"-XX:+UseSerialGC", "-Xlog:gc:file=" + log}
			command.Args = []string{"-d", t.TempDir()}
			for _, name := range []string{"Compiles", "Lifetimes", "Single", "Wastes"} {
				command.Args = append(command.Args, mallardtest.Source(t, name+".java"))
			}
			if option != "" {
				command.Options = append(command.Options, option)
			}
			if i > 0 {
				command, _ = mallardtest.Profiled(t, command, "-q", "--track", "sites,objects")
			}
			output := jdk.MustRun(t, command)
			var failed, committed, from int64
			_, err := fmt.Sscanf(output.Stdout, "%d %d %d\n", &failed, &committed, &from)
			if err != nil || failed != 0 {
				t.Fatalf("%v\n%s%s", err, output.Stdout, output.Stderr)
			}
			b, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			collected[i] = strings.Contains(string(b), "Metadata GC Threshold")
			t.Logf("%d bytes of metadata, collected from %d bytes on: %t", committed, from, collected[i])
			if i == 1 && committed < threshold {
				t.Errorf("%d bytes of metadata would not have been collected anyway", committed)
			}
		}
		if collected != [3]bool{false, false, true} {
			t.Errorf("metadata was collected without Mallard, with it, and from 12 MB on: %v", collected)
		}
	})
}

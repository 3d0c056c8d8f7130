package contexts_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/budget"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/payload"
)

// junit are the jars of JUnit 5, as Debian has them.
func junit(t *testing.T) (jars []string) {
	t.Helper()
	for _, name := range []string{"junit-jupiter-api", "junit-jupiter-engine", "junit-platform-commons",
		"junit-platform-engine", "junit-platform-launcher", "junit-platform-console-standalone", "opentest4j-1.2.0",
		"apiguardian-api"} {
		jar := filepath.Join("/usr/share/java", name+".jar")
		if _, err := os.Stat(jar); err != nil {
			jvmtest.Missing(t, "%v: apt-get install junit5", err)
		}
		jars = append(jars, jar)
	}
	return jars
}

// TestAllocates: each invocation of a test is held against its budget, to the byte, and is not harmed; without Mallard
// budgets do nothing.
func TestAllocates(t *testing.T) {
	jars := junit(t)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		api, err := payload.API()
		if err != nil {
			t.Fatal(err)
		}
		jars := append([]string{api}, jars...)
		classes := jdk.MustJavac(t, []string{"-cp", strings.Join(jars, ":")}, mallardtest.Source(t, "Budgeted.java"))
		command := jvmtest.Command{Classpath: append([]string{classes}, jars...), Options: jvmtest.ShortRun(),
			Main: "org.junit.platform.console.ConsoleLauncher",
			Args: []string{"-c", "Budgeted", "--details=none", "--disable-banner"}}
		if plain := jdk.MustRun(t, command); plain.ExitCode != 0 {
			t.Fatalf("without Mallard: exit code %d\n%s%s", plain.ExitCode, plain.Stdout, plain.Stderr)
		}
		output, p := mallardtest.Record(t, jdk, command, "--track", "contexts")
		if output.ExitCode != 0 {
			t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
		}
		var got []string
		for _, rule := range budget.Annotated(p) {
			switch r := budget.Check(p, &rule, nil); r.Status {
			case budget.Over:
				got = append(got, r.Text())
			case budget.Unknown:
				got = append(got, rule.About()+": "+r.Reason)
			default:
				got = append(got, rule.About()+": "+rule.Limit.Text(r.Value))
			}
		}
		slices.Sort(got)
		want := []string{
			"10.2 kB in test Budgeted.over is 160 bytes (2 %) over the budget of 10 kB; " +
				"most by Budgeted.make(Budgeted.java:56) (10.2 kB)",
			"2 objects in test Budgeted$Inner.inner are 1 object (100 %) over the budget of 1 object; " +
				"most by Budgeted.make(Budgeted.java:56) (2 objects)",
			"21 objects in test Budgeted.repeated #2 are 1 object (5 %) over the budget of 20 objects; " +
				"most by Budgeted.make(Budgeted.java:56) (21 objects)",
			"in test Budgeted.nothing: 0 objects",
			"in test Budgeted.repeated #3: 20 objects",
			"in test Budgeted.repeated: 20 objects",
			"in test Budgeted.unreadable: not a limit, such as 1 MB, 200 bytes or 1000 objects",
			"in test Budgeted.within: 10.2 kB",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

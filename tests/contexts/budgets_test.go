package contexts_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"mallard/internal/budget"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/payload"
	"mallard/internal/profile"
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

// budgeted gives the command that has JUnit run a class of tests with budgets.
func budgeted(t *testing.T, jdk jvmtest.JDK, class string) jvmtest.Command {
	t.Helper()
	api, err := payload.API()
	if err != nil {
		t.Fatal(err)
	}
	jars := append([]string{api}, junit(t)...)
	classes := jdk.MustJavac(t, []string{"-cp", strings.Join(jars, ":")}, mallardtest.Source(t, class+".java"))
	return jvmtest.Command{Classpath: append([]string{classes}, jars...), Options: jvmtest.ShortRun(),
		Main: "org.junit.platform.console.ConsoleLauncher",
		Args: []string{"-c", class, "--details=tree", "--disable-banner", "--disable-ansi-colors"}}
}

// assertions are what tests failed with, as JUnit says.
func assertions(output string) (list []string) {
	for _, line := range strings.Split(output, "\n") {
		if _, said, is := strings.Cut(line, "=> java.lang.AssertionError: "); is {
			list = append(list, said)
		}
	}
	slices.Sort(list)
	return list
}

// TestAllocates: each invocation of a test is held against its budget, to the byte, by JUnit as by "mallard check", and
// is not harmed; without Mallard budgets do nothing.
func TestAllocates(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := budgeted(t, jdk, "Budgeted")
		if plain := jdk.MustRun(t, command); plain.ExitCode != 0 {
			t.Fatalf("without Mallard: exit code %d\n%s%s", plain.ExitCode, plain.Stdout, plain.Stderr)
		}
		for n, representation := range []string{"hashed", "tree", "encoded"} {
			if !jvmtest.IsTurn(t, jdk, n) {
				continue
			}
			t.Run(representation, func(t *testing.T) {
				command, file := mallardtest.Recorded(t, command, "--track", "contexts", "--contexts", representation)
				output := jdk.MustRun(t, command)
				p := mallardtest.Read(t, file)
				checkBudgets(t, p)
				checkFailures(t, p, file, output)
				checkTail(t, p, file)
			})
		}
	})
}

// varying are tests that allocate more or less with the JDK.
var varying = []string{"Budgeted.mixed", "Budgeted.aborted"}

// checkBudgets wants the program's budgets to have come out as it says.
func checkBudgets(t *testing.T, p *profile.Profile) {
	t.Helper()
	var got []string
	for _, rule := range budget.Annotated(p) {
		switch r := budget.Check(p, &rule, nil); {
		case slices.Contains(varying, rule.Test):
			if r.Status != budget.Over {
				t.Errorf("%s: %s", rule.Test, r.Status)
			}
		case r.Status == budget.Over:
			text, line, _ := strings.Cut(r.Text(), ":") // it may change
			_, of, _ := strings.Cut(line, ")")
			got = append(got, text+of)
		case r.Status == budget.Unknown:
			got = append(got, rule.About()+": "+r.Reason)
		default:
			got = append(got, rule.About()+": "+rule.Limit.Text(r.Value))
		}
	}
	slices.Sort(got)
	want := []string{
		"10.2 kB in test Budgeted.almost is 1 byte (0 %) over the budget of 10.2 kB; " +
			"most by Budgeted.make(Budgeted.java (10.2 kB)",
		"10.2 kB in test Budgeted.over is 160 bytes (2 %) over the budget of 10 kB; " +
			"most by Budgeted.make(Budgeted.java (10.2 kB)",
		"2 objects in test Budgeted$Inner.inner are 1 object (100 %) over the budget of 1 object; " +
			"most by Budgeted.make(Budgeted.java (2 objects)",
		"2 objects in test Budgeted.cold are 1 object (100 %) over the budget of 1 object; " +
			"most by Budgeted.make(Budgeted.java (2 objects)",
		"21 objects in test Budgeted.repeated #2 are 1 object (5 %) over the budget of 20 objects; " +
			"most by Budgeted.make(Budgeted.java (21 objects)",
		"in test Budgeted.nothing: 0 objects",
		"in test Budgeted.repeated #3: 20 objects",
		"in test Budgeted.repeated: 20 objects",
		"in test Budgeted.twice #2: 3 objects",
		"in test Budgeted.twice: 3 objects",
		"in test Budgeted.unreadable: not a limit, such as 1 MB, 200 bytes or 1000 objects",
		"in test Budgeted.warm #3: 1 object",
		"in test Budgeted.warm #4: 1 object",
		"in test Budgeted.within: 10.2 kB",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// checkFailures wants those tests to fail that "mallard check" says are over their budgets, and no others, with the
// same figures, and with a command that shows them.
func checkFailures(t *testing.T, p *profile.Profile, file string, output jvmtest.Output) {
	t.Helper()
	const shows = "; for where, run: "
	var want []string
	for _, rule := range budget.Annotated(p) {
		r := budget.Check(p, &rule, nil)
		switch text, _, _ := strings.Cut(r.Text(), "; most by "); {
		case rule.Test == "Budgeted.aborted":
		case r.Status == budget.Over:
			want = append(want, text)
		case r.Status == budget.Unknown:
			want = append(want, "the budget "+rule.About()+" is "+r.Reason)
		}
	}
	slices.Sort(want)
	var got []string
	for _, said := range assertions(output.Stdout) {
		text, command, commands := strings.Cut(said, shows)
		got = append(got, text)
		if strings.Contains(text, "Budgeted.almost") && commands {
			checkCommand(t, command, file)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || output.ExitCode != 1 {
		t.Errorf("exit code %d, -want +got:\n%s\n%s%s", output.ExitCode, diff, output.Stdout, output.Stderr)
	}
}

// checkCommand runs what JUnit shows: it names the recording, and prints the same figure.
func checkCommand(t *testing.T, command, file string) {
	t.Helper()
	env := []string{"PATH=" + filepath.Dir(mallardtest.Binary(t)) + ":" + os.Getenv("PATH")}
	report := mallardtest.RunWords(t, t.TempDir(), env, "sh", "-c", command)
	if !strings.HasSuffix(command, " "+file) || report.ExitCode != 0 ||
		!strings.Contains(report.Stdout, ": 10 objects, 10,160 bytes") ||
		!strings.Contains(report.Stdout, "Budgeted.almost(Budgeted.java:") {
		t.Errorf("%s: exit code %d\n%s%s", command, report.ExitCode, report.Stdout, report.Stderr)
	}
}

// checkTail wants the sums that JUnit is told to be those of the profile, to the byte.
func checkTail(t *testing.T, p *profile.Profile, file string) {
	t.Helper()
	opened, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	tail := profile.NewTail(opened)
	if err := tail.Read(); err != nil {
		t.Fatal(err)
	}
	for _, rule := range budget.Annotated(p) {
		for _, under := range []string{rule.Filter.Under, "", "Budgeted.make"} {
			filter := profile.Filter{Under: under, Transaction: rule.Filter.Transaction}
			want := p.Rows(profile.Query{By: profile.BySite, Filter: filter}).Selected
			if got := tail.InTransaction(filter); got != want {
				t.Errorf("%+v: %+v, want %+v", filter, got, want)
			}
		}
	}
}

// TestAllocatesWithoutRecorder stops mallard, or kills it, while a test runs: tests are not held against their budgets
// from there on, and wait for a moment at most.
func TestAllocatesWithoutRecorder(t *testing.T) {
	const within = 300 * time.Millisecond
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for n, how := range []syscall.Signal{unix.SIGSTOP, unix.SIGKILL} {
			if !jvmtest.IsTurn(t, jdk, n) {
				continue
			}
			t.Run(unix.SignalName(how), func(t *testing.T) {
				command, _ := mallardtest.Profiled(t, budgeted(t, jdk, "BudgetedLate"), "-q", "--track", "contexts",
					"--answer-within", within.String(), "--exit-within", "1s")
				p := mallardtest.Spawn(t, jdk, command)
				await(t, p, "waits")
				if how == unix.SIGSTOP {
					p.Stop()
				} else {
					p.Signal(how)
				}
				p.Write("\n")
				text := await(t, p, " tests failed ")
				if how == unix.SIGSTOP {
					p.Continue()
				}
				p.End()
				if failed := assertions(text); len(failed) > 0 || !strings.Contains(text, " 5 tests successful") {
					t.Errorf("%q\n%s", failed, text)
				}
			})
		}
	})
}

// await reads lines until one has a text, and gives them.
func await(t *testing.T, p *mallardtest.Process, text string) (lines string) {
	t.Helper()
	for empty := 0; empty < 10; { // several are at the end
		line := p.Line()
		lines += line + "\n"
		if strings.Contains(line, text) {
			return lines
		}
		if empty++; line != "" {
			empty = 0
		}
	}
	t.Fatalf("no line has %q:\n%s%s", text, lines, p.Stderr.String())
	return ""
}

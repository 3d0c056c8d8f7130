package session_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/payload"
	"mallard/internal/placement"
	"mallard/internal/portable"
	"mallard/internal/wire"
)

// TestPortableTransactions has the programs of TestTransactions and TestEnteredTransactions record themselves, verified in full, and compares with their books.
func TestPortableTransactions(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		times := 300
		if long() {
			times = 100_000
		}
		for _, program := range []string{"Transacts", "Intercepts"} {
			command := instrumentedWithAPI(t, compiledWithAPI(t, jdk, program, itoa(times), "return"))
			for _, options := range [][]string{nil, {"-Xint"}, {"-XX:TieredStopAtLevel=1"}} {
				t.Run(fmt.Sprint(program, options), func(t *testing.T) {
					file := filepath.Join(t.TempDir(), "run.mallard")
					alone := command
					alone.Options = append([]string{"-Xss16m", "-Xverify:all", "-XX:-PrintWarnings", "-Dmallard.file=" + file}, options...)
					made := map[string]int64{}
					for line := range strings.Lines(jdk.MustRun(t, alone).Stdout) {
						if name, n, ok := bookOf(line); ok {
							made[name] = n
						}
					}
					if len(made) < 10 {
						t.Fatalf("made %v", made)
					}
					if diff := cmp.Diff(made, madeIn(ask(t, file, program+"$Marker", "transaction"))); diff != "" {
						t.Errorf("what was made in each transaction: -want +got:\n%s", diff)
					}
				})
			}
		}
	})
}

// TestPortableNamedTransactions has more names than there is room for, in a program with the class in it that it calls; with sites it has none.
func TestPortableNamedTransactions(t *testing.T) {
	const names = wire.MostTransactions + 10
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		plain := withAPIInside(t, compiledWithAPI(t, jdk, "Named", itoa(names)))
		for _, contexts := range []bool{false, true} {
			file := filepath.Join(t.TempDir(), "run.mallard")
			command := plain
			command.Classpath = []string{instrument(t, plain.Classpath[0], portable.Options{Placement: placement.Site, Contexts: contexts})}
			command.Options = []string{"-Dmallard.file=" + file}
			jdk.MustRun(t, command)
			if !contexts {
				if rows := ask(t, file, "Named$Marker", "class").Rows; len(rows) != 1 || rows[0].Objects != 2*names+1 {
					t.Errorf("%+v", rows)
				}
				continue
			}
			report := ask(t, file, "Named$Marker", "transaction")
			want := map[string]int64{"": 1, "[other]": 2 * (names - wire.MostTransactions)}
			for i := range wire.MostTransactions {
				want[fmt.Sprint("name ", i)] = 2
			}
			if diff := cmp.Diff(want, madeIn(report)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			losses := 0
			for _, l := range report.Losses {
				if l.Kind == "transactions" {
					losses++
				}
			}
			if losses != 1 {
				t.Errorf("losses %+v", report.Losses)
			}
		}
	})
}

// instrumentedWithAPI has a program record itself with contexts.
func instrumentedWithAPI(t *testing.T, command jvmtest.Command) jvmtest.Command {
	t.Helper()
	command.Classpath = append([]string{instrument(t, command.Classpath[0], portable.Options{Placement: placement.Site, Contexts: true})}, command.Classpath[1:]...)
	return command
}

// withAPIInside puts a program and the class of the jar for programs into one folder.
func withAPIInside(t *testing.T, command jvmtest.Command) jvmtest.Command {
	t.Helper()
	folder := t.TempDir()
	api, err := payload.API()
	if err != nil {
		t.Fatal(err)
	}
	jar, err := zip.OpenReader(api)
	if err != nil {
		t.Fatal(err)
	}
	defer jar.Close()
	for _, err := range []error{os.CopyFS(folder, jar), os.CopyFS(folder, os.DirFS(command.Classpath[0]))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	command.Classpath = []string{folder}
	return command
}

// madeIn gives the objects that a report has for each transaction.
func madeIn(report transactionReport) map[string]int64 {
	rows := map[string]int64{}
	for _, row := range report.Rows {
		rows[row.Transaction] = row.Objects
	}
	return rows
}

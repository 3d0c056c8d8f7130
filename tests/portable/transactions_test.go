package portable_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/abi"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/payload"
	"mallard/internal/placement"
	"mallard/internal/portable"
)

// TestPortableTransactions has the programs of TestTransactions and TestEnteredTransactions record themselves, verified
// in full, and compares with their ledgers. Of stacks only the programs' own frames count.
func TestPortableTransactions(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		times := 300
		if jvmtest.Long() {
			times = 100_000
		}
		for program, losses := range map[string]string{"Transacts": "", "Intercepts": "transactions"} {
			command := instrumentedWithAPI(t, mallardtest.Keeper(t, jdk, program, strconv.Itoa(times), "return"))
			for _, options := range [][]string{nil, {"-Xint"}, {"-XX:TieredStopAtLevel=1"}} {
				t.Run(fmt.Sprint(program, options), func(t *testing.T) {
					file := filepath.Join(t.TempDir(), "run.mallard")
					alone := command
					alone.Options = append([]string{"-Xss16m", "-Xverify:all", "-XX:-PrintWarnings", "-Dmallard.file=" +
						file}, options...)
					asked, made := mallardtest.ReadLedger(ownFrames(jdk.MustRun(t, alone).Stdout, program))
					stacks := mallardtest.StacksOf(t, asked)
					if len(stacks) < 70 || len(made) < 10 {
						t.Fatalf("%d contexts, made %v", len(stacks), made)
					}
					stacks.CompareDecoded(t, file)
					report := mallardtest.Ask(t, file, "Ledger$Marker", "transaction")
					report.CompareLosses(t, losses)
					if diff := cmp.Diff(made, report.Made()); diff != "" {
						t.Errorf("what was made in each transaction: -want +got:\n%s", diff)
					}
				})
			}
		}
	})
}

// TestPortableCurrentContext is TestCurrentContext for a program that records itself.
func TestPortableCurrentContext(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := instrumentedWithAPI(t, mallardtest.Keeper(t, jdk, "Asks", "20000"))
		file := filepath.Join(t.TempDir(), "run.mallard")
		command.Options = []string{"-Dmallard.file=" + file}
		asked, _ := mallardtest.ReadLedger(ownFrames(jdk.MustRun(t, command).Stdout, "Asks"))
		want := mallardtest.StacksOf(t, asked)
		if len(want) < 500 { // threads share them
			t.Fatalf("%d contexts", len(want))
		}
		want.CompareDecoded(t, file)
	})
}

// TestPortableNamedTransactions has more names than there is room for, in a program with the class in it that it calls;
// with sites it has none.
func TestPortableNamedTransactions(t *testing.T) {
	const names = abi.MaxTransactions + 10
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		plain := withAPIInside(t, mallardtest.CompiledWithAPI(t, jdk, "Named", strconv.Itoa(names)))
		for _, contexts := range []bool{false, true} {
			file := filepath.Join(t.TempDir(), "run.mallard")
			command := plain
			command.Classpath = []string{mallardtest.Instrument(t, plain.Classpath[0],
				portable.Options{Placement: placement.Site, Contexts: contexts})}
			command.Options = []string{"-Dmallard.file=" + file}
			if out := jdk.MustRun(t, command).Stdout; out != fmt.Sprintln(contexts) {
				t.Errorf("contexts %v: %s", contexts, out)
			}
			if !contexts {
				if rows := mallardtest.Ask(t, file, "Named$Marker", "class").Rows; len(rows) != 1 ||
					rows[0].Objects != 2*names+1 {
					t.Errorf("%+v", rows)
				}
				continue
			}
			report := mallardtest.Ask(t, file, "Named$Marker", "transaction")
			want := map[string]int64{"": 1, "[other]": 2 * (names - abi.MaxTransactions)}
			for i := range abi.MaxTransactions {
				want[fmt.Sprint("name ", i)] = 2
			}
			if diff := cmp.Diff(want, report.Made()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			report.CompareLosses(t, "transactions")
		}
	})
}

// instrumentedWithAPI has a program record itself with contexts, whose classes are in folders.
func instrumentedWithAPI(t *testing.T, command jvmtest.Command) jvmtest.Command {
	t.Helper()
	folder := t.TempDir()
	classpath := []string{""}
	for _, path := range command.Classpath {
		if strings.HasSuffix(path, ".jar") {
			classpath = append(classpath, path)
		} else if err := os.CopyFS(folder, os.DirFS(path)); err != nil {
			t.Fatal(err)
		}
	}
	classpath[0] = mallardtest.Instrument(t, folder, portable.Options{Placement: placement.Site, Contexts: true})
	command.Classpath = classpath
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

// ownFrames leaves a program's own frames in the stacks that it prints, and those of transactions.
func ownFrames(out, program string) string {
	var b strings.Builder
	for line := range strings.Lines(out) {
		id, stack, found := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		b.WriteString(id)
		if found && id == "made" {
			b.WriteString(" " + stack)
		} else if found {
			between := " "
			for frame := range strings.SplitSeq(stack, ";") {
				if strings.HasPrefix(frame, program) || strings.HasPrefix(frame, "Ledger") ||
					strings.HasPrefix(frame, "[") {
					b.WriteString(between + frame)
					between = ";"
				}
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

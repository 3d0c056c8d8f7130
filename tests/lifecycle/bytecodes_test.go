package lifecycle_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// A step is what a program did from one snapshot to the next.
type step struct {
	From, To int64 // bytecodes
	Amount   profile.Amount
	Rows     map[string]profile.Amount // by site and type
}

func siteName(row profile.Row) string {
	return fmt.Sprintf("%s.%s:%d %s", row.Site.Class, row.Site.Method, row.Site.BCI, row.Class)
}

// recordSteps runs the program, which prints what it prints without, and gives what it did in a thread, "" for all,
// snapshot by snapshot.
func recordSteps(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, plain jvmtest.Output, thread string,
	flags ...string) (*profile.Profile, []step) {
	t.Helper()
	command, file := mallardtest.Profiled(t, command, append(flags, "-q")...)
	output := jdk.MustRun(t, command)
	if output.Stdout != plain.Stdout || output.Stderr != plain.Stderr || output.ExitCode != plain.ExitCode {
		t.Fatalf("exits with %d and prints\n%s%s, without snapshots %d and\n%s%s", output.ExitCode, output.Stdout,
			output.Stderr, plain.ExitCode, plain.Stdout, plain.Stderr)
	}
	p := mallardtest.Read(t, file)
	if !p.Complete {
		t.Error(p.Reason)
	}
	recording, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	q := profile.TimeQuery{EveryBytecodes: 1, Parts: true,
		Query: profile.Query{Filter: profile.Filter{Method: "Stepped*", Thread: thread}}}
	timeline, err := p.OverTime(recording, q)
	if err != nil {
		t.Fatal(err)
	}
	var list []step
	for _, i := range timeline.Intervals {
		s := step{From: i.FromBytecodes, To: i.ToBytecodes, Amount: i.Amount, Rows: map[string]profile.Amount{}}
		for k, row := range timeline.Rows {
			if amount := i.Parts[k]; amount != (profile.Amount{}) {
				s.Rows[siteName(row)] = amount
			}
		}
		list = append(list, s)
	}
	return p, list
}

// TestSteps: a program of one thread has the same snapshots in each run, at the same bytecodes and with the same
// counts; all together are what a run without has; and what the thread says it has executed is what the counters say.
func TestSteps(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.CompiledWithAPI(t, jdk, "Stepped")
		total := map[string]profile.Amount{}
		plain, p := mallardtest.Record(t, jdk, command, "--bytecodes")
		for _, row := range p.Rows(profile.Query{Filter: profile.Filter{Method: "Stepped*", Thread: "main"}}).Rows {
			total[siteName(row)] = row.Amount
		}
		for i, test := range []struct {
			track string
			every int64
		}{{"sites", 50_000}, {"sites", 777_777}, {"contexts", 200_000}} {
			t.Run(fmt.Sprint(test.track, " ", test.every), func(t *testing.T) {
				var first []step
				runs := 1
				if jvmtest.IsTurn(t, jdk, i) { // and another one takes the same snapshots
					runs = 2
				}
				for run := range runs {
					p, list := recordSteps(t, jdk, command, plain, "main", "--track", test.track, "--snapshots",
						fmt.Sprintf("%dbc", test.every))
					if n := p.ProgramBytecodes/test.every + 1; int64(len(list)) != n {
						t.Errorf("%d intervals in %d bytecodes, want %d", len(list), p.ProgramBytecodes, n)
					}
					sum := map[string]profile.Amount{}
					for i, s := range list {
						if from := test.every * int64(i); s.From < from || s.From > from+1000 {
							t.Errorf("snapshot %d is at %d", i, s.From)
						}
						if n := s.To - s.From; n != s.Amount.Bytecodes && i < len(list)-1 {
							t.Errorf("from %d to %d: %d bytecodes, %d counted", s.From, s.To, n, s.Amount.Bytecodes)
						}
						for row, amount := range s.Rows {
							amount.Add(sum[row])
							sum[row] = amount
						}
					}
					if diff := cmp.Diff(total, sum); diff != "" {
						t.Errorf("counts (-without snapshots +with):\n%s", diff)
					}
					if run == 0 {
						first = list
					} else if diff := cmp.Diff(first, list); diff != "" {
						t.Errorf("snapshots (-first run +second):\n%s", diff)
					}
				}
			})
		}
	})
}

// TestStepsOfThreads: each thread has its own.
func TestStepsOfThreads(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		const threads, every = 4, 200_000
		command := mallardtest.CompiledWithAPI(t, jdk, "Stepped", fmt.Sprint(threads))
		p, list := recordSteps(t, jdk, command, jdk.MustRun(t, command), "", "--snapshots", fmt.Sprintf("%dbc", every))
		// Each thread, and main, has executed some when it ends that make no snapshot any more; and nothing is executed
		// between snapshots for which threads wait at the same time.
		if n := p.ProgramBytecodes / every; int64(len(list)) < (n-threads-1)/threads || int64(len(list)) > n+1 {
			t.Errorf("%d intervals in %d bytecodes", len(list), p.ProgramBytecodes)
		}
	})
}

// TestOnStep: a class of the user's chooses after how many bytecodes it is called again, and the program waits for it.
func TestOnStep(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		want := jdk.MustRun(t, mallardtest.CompiledWithAPI(t, jdk, "Stepped"))
		want.Stdout = strings.Replace(want.Stdout, "[]", "[1, 1, 1, 1, 1, 1]", 1)
		_, list := recordSteps(t, jdk, mallardtest.CompiledWithAPI(t, jdk, "Stepped"), want, "main", "--snapshots",
			"100000bc", "--on-snapshot", "Stepped")
		at := int64(100_000)
		for i, next := range []int64{50_000, 300_000, 50_000, 300_000, 50_000, 50_000, 50_000} {
			if near := list[i].To - at; near < 0 || near > 1000 {
				t.Errorf("snapshot %d is at %d, want %d", i, list[i].To, at)
			}
			at += next
		}
		if !jvmtest.Long() {
			return
		}
		command, file := mallardtest.Profiled(t, mallardtest.CompiledWithAPI(t, jdk, "Stepped", "locked"), "-q",
			"--snapshots", "100000bc", "--on-snapshot", "Stepped")
		if output := jdk.MustRun(t, command); !strings.HasPrefix(output.Stdout, "checksum ") || output.Stderr != "" ||
			output.ExitCode != 0 {
			t.Errorf("prints\n%s%s", output.Stdout, output.Stderr)
		}
		if p := mallardtest.Read(t, file); len(p.Losses) == 0 || p.Losses[len(p.Losses)-1].Kind != "on-snapshot" {
			t.Errorf("losses %v", p.Losses)
		}
	})
}

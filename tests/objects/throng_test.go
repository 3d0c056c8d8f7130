package objects_test

import (
	"fmt"
	"strconv"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestThrong has thousands of threads that are alive all the time, each of which has a buffer to allocate in: births
// are exact, what each thread keeps is there, and eden is read while the program runs, with all of these threads. Where
// a busy machine has no time for that the program runs for longer.
func TestThrong(t *testing.T) {
	const rounds, runs = 2, 4
	threads := 2200
	if jvmtest.Long() {
		threads = 10_000
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		t.Run("platform", func(t *testing.T) {
			for run, garbage := 1, 320*threads; ; run, garbage = run+1, garbage*2 {
				early := testThrong(t, jdk, "platform", threads, rounds, garbage)
				if early > 0 || t.Failed() {
					return
				}
				if run == runs {
					t.Fatal("nothing was read early while all threads were there")
				}
			}
		})
		t.Run("virtual", func(t *testing.T) {
			if jdk.Feature < 21 {
				t.Skip("there are no virtual threads")
			}
			testThrong(t, jdk, "virtual", 5000, rounds, 1_600_000)
		})
	})
}

// testThrong gives how many bytes were read early before collections that came when all threads were there.
func testThrong(t *testing.T, jdk jvmtest.JDK, kind string, threads, rounds, garbage int) (early int64) {
	t.Helper()
	command := mallardtest.Compiled(t, jdk, "Throng")
	command.Options = []string{"-XX:+UseG1GC", "-Xmx1g", fmt.Sprintf("-Xmn%dm", threads/44),
		"-XX:-DoEscapeAnalysis"}
	command.Args = []string{kind, strconv.Itoa(threads), strconv.Itoa(rounds), strconv.Itoa(garbage)}
	history, p, output := recordedBoth(t, jdk, command)
	if output.ExitCode != 0 || output.Stdout != fmt.Sprintln(threads, "threads") {
		t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
	}
	if len(p.Losses) > 0 {
		t.Errorf("losses %+v", p.Losses)
	}
	for _, v := range history.Check(jdk.Feature).Violations {
		t.Errorf("pause %d: %s", v.Pause, v.What)
	}
	all, each := born(t, history), int64(threads*rounds)
	for class, n := range map[string]int64{"Kept": each, "Passing": 2 * each, "Garbage": int64(rounds * garbage)} {
		if got := all["Throng$"+class].Objects; got != n {
			t.Errorf("%s: %d were born, want %d", class, got, n)
		}
	}
	eden := int64(0)
	for i, pause := range history.Pauses {
		kept := held(history, i)["Throng$Kept"].Objects
		if i == len(history.Pauses)-1 && kept != each {
			t.Errorf("%d are kept, want %d", kept, each)
		}
		if kept >= int64(threads) && !pause.Ended {
			early += pause.Early
			eden += pause.Used[heap.Eden]
		}
	}
	t.Logf("%d of %d MB were read early, in %d pauses in all", early>>20, eden>>20, len(history.Pauses))
	return early
}

package objects_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// TestKilledInPause kills mallard, or the JVM, while the JVM is in a pause. Where mallard was killed the program goes
// on and ends as it does without. The recording says that it ended early and what it lacks, has what was read of the
// pauses before, and adds up.
func TestKilledInPause(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, collector := range []string{"Serial", "G1"} {
			for k, killed := range []string{"mallard", "program"} {
				if !jvmtest.IsTurn(t, jdk, i+k) {
					continue
				}
				var flags []string
				if jvmtest.Long() && collector == "Serial" { // to check each object of each pause takes long
					flags = []string{"--each-object"}
				}
				t.Run(collector+" "+killed, func(t *testing.T) {
					testKilledInPause(t, jdk, collector, killed == "mallard", flags)
				})
			}
		}
	})
}

func testKilledInPause(t *testing.T, jdk jvmtest.JDK, collector string, mallard bool, flags []string) {
	t.Helper()
	const enough = 6 // pauses
	command := mallardtest.Compiled(t, jdk, "Stalled")
	command.Options = []string{"-Xmx64m", "-XX:+Use" + collector + "GC"}
	command, file := mallardtest.Profiled(t, command, append([]string{"-q", "--track", "sites,objects"}, flags...)...)
	// A shell between them says how the program ended, for mallard may not.
	command.Wrap = append(slices.Clone(command.Wrap), "sh", "-c", `"$@"; echo exit $?`, "sh")
	process := mallardtest.Spawn(t, jdk, command)
	pid, err := strconv.Atoi(process.Line())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Kill(pid, unix.SIGKILL) }) // it may stand still
	mallardtest.WaitUntil(t, file, func() bool {
		events := profile.Events{heap.Observer: nil}
		mallardtest.Read(t, file, events)
		return len(heap.NewHistory(events[heap.Observer]).Pauses) >= enough
	})
	stopInPause(t, pid)
	want := "exit 137\n"
	if mallard {
		process.Signal(syscall.SIGKILL)
		if err := unix.Waitid(unix.P_PID, process.Cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
			t.Fatal(err)
		}
		if err := unix.Kill(pid, unix.SIGCONT); err != nil {
			t.Fatal(err)
		}
		process.Write("\n\n")
		want = "sum 44999850000\nsum 44999850000\nexit 7\n"
	} else if err := unix.Kill(pid, unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	output, _ := process.End()
	if output != want {
		t.Errorf("the program ends with %q, want %q", output, want)
	}
	events := profile.Events{heap.Observer: nil}
	p := mallardtest.Read(t, file, events)
	if p.Complete || mallard != (p.Reason == "") {
		t.Errorf("complete: %v (%s)", p.Complete, p.Reason)
	}
	history := heap.NewHistory(events[heap.Observer])
	checkHeap(t, jdk, history)
	last := len(history.Pauses) - 1
	if got := held(history, last)["Stalled$Node"].Objects; got != 300_000 {
		t.Errorf("%d nodes are held", got)
	}
	says := map[string]string{"info": "\nComplete    no: ", "heap --check": "\nResult      ok\n",
		"heap": "; what came later was not recorded\n", "heap --collections": " full "}
	for question, what := range says {
		words := append([]string{mallardtest.Binary(t)}, strings.Fields(question)...)
		answer := mallardtest.RunWords(t, t.TempDir(), nil, append(words, file)...)
		if answer.ExitCode != 0 || answer.Stderr != "" || !strings.Contains(answer.Stdout, what) {
			t.Errorf("%s exits with %d, and does not say %q:\n%s%s", question, answer.ExitCode, what, answer.Stdout,
				answer.Stderr)
		}
	}
	t.Logf("%d pauses, of the last one the end is known: %v; %s", len(history.Pauses), history.Pauses[last].Finish > 0,
		p.Reason)
}

// stopInPause stops a JVM at a moment when it says that it is collecting.
func stopInPause(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(jvmtest.DefaultTimeout / 3); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if collectionCause(t, pid) == noCause { // or it would be stopped most of the time, and not get on
			continue
		}
		if err := unix.Kill(pid, unix.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		for !isStopped(t, pid) && time.Now().Before(end) {
			time.Sleep(time.Millisecond)
		}
		if collectionCause(t, pid) != noCause {
			return
		}
		if err := unix.Kill(pid, unix.SIGCONT); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the JVM is never in a pause")
}

// isStopped reports whether all threads of a process stand still.
func isStopped(t *testing.T, pid int) bool {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil || len(tasks) == 0 {
		t.Fatalf("process %d is gone: %v", pid, err)
	}
	for _, task := range tasks {
		stat, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has ended
		}
		if state := stat[bytes.LastIndexByte(stat, ')')+1:]; !bytes.HasPrefix(state, []byte(" T")) {
			return false
		}
	}
	return true
}

// noCause is what a JVM says that does not collect.
const noCause = "No GC"

// collectionCause is why a JVM is collecting at the moment, by its performance data (perfMemory.hpp: an entry is its
// length, where its name is, the length of what it has, four bytes, where that is).
func collectionCause(t *testing.T, pid int) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.TempDir(), "hsperfdata_*", strconv.Itoa(pid)))
	if err != nil || len(files) != 1 {
		t.Fatalf("performance data of process %d: %q, %v", pid, files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	const header = 20
	at := bytes.Index(data, []byte("sun.gc.cause\x00")) - header
	if at < 0 || binary.NativeEndian.Uint32(data[at+4:]) != header {
		t.Fatal("performance data have no cause")
	}
	text := data[at+int(binary.NativeEndian.Uint32(data[at+16:])):]
	return string(text[:bytes.IndexByte(text, 0)])
}

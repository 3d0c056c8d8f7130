package lifecycle_test

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestTop: what a running program allocates is seen while it runs, found by its process, and all of it at its end.
func TestTop(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"), "-q")
		p := mallardtest.Spawn(t, jdk, command)
		p.Step()
		mallardtest.WaitUntil(t, file, func() bool { return mallardtest.Objects(t, file, "Steps", "int[]") > 0 })
		pid := strconv.Itoa(p.Child())
		top := func(name string) string {
			out, err := exec.Command(mallardtest.Binary(t), "top", "--window", "1m", "--method", "Steps.*", name).
				CombinedOutput()
			if err != nil {
				t.Fatalf("top %s: %v\n%s", name, err, out)
			}
			return string(out)
		}
		running := top(pid)
		for _, part := range []string{"Program     Steps", "Now ", " objects/s", "int[]", "Steps.work(Steps.java:"} {
			if !strings.Contains(running, part) {
				t.Errorf("no %q while it runs:\n%s", part, running)
			}
		}
		for _, question := range [][]string{{"report", pid, "--class", "int[]"}, {"source", pid, "Steps.work"},
			{"diff", pid, "--", pid}, {"info", pid}} {
			out, err := exec.Command(mallardtest.Binary(t), question...).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "Steps") {
				t.Errorf("%v while it runs: %v\n%s", question, err, out)
			}
		}
		p.End()
		if ended := top(file); !strings.Contains(ended, "int[]") {
			t.Errorf("at the end:\n%s", ended)
		}
		if out, err := exec.Command(mallardtest.Binary(t), "top", pid).CombinedOutput(); err == nil {
			t.Errorf("of a process that has ended:\n%s", out)
		}
	})
}

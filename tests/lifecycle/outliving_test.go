package lifecycle_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestOutlivingJVM has a command that leaves a JVM behind: it is recorded to its end, and mallard ends with the
// command's exit code then.
func TestOutlivingJVM(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		p, file, _ := leaveBehind(t, jdk)
		p.Step()
		if output, exit := p.End(); output != "sum 14000\n" || exit != 5 {
			t.Errorf("%q, exit code %d", output, exit)
		}
		if !mallardtest.Read(t, file).Complete || mallardtest.Objects(t, file, "Steps", "int[]") != 2000 {
			t.Errorf("complete: %v, %d arrays, want 2000", mallardtest.Read(t, file).Complete,
				mallardtest.Objects(t, file, "Steps", "int[]"))
		}
	})
}

// TestOutlivingCut has the user end the recording of such a JVM, which runs on.
func TestOutlivingCut(t *testing.T) {
	t.Parallel()
	p, file, said := leaveBehind(t, jvmtest.JDKs(t)[0])
	p.Signal(syscall.SIGINT)
	mallardtest.WaitUntil(t, file, func() bool {
		return strings.Contains(mallardtest.Read(t, file).Reason, "the JVM ran on")
	})
	p.Step()
	if output, exit := p.End(); output != "sum 14000\n" || exit != 5 {
		t.Errorf("%q, exit code %d", output, exit)
	}
	if !strings.Contains(words(t, said), "its recording ends here") {
		t.Errorf("said %q", words(t, said))
	}
	if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != 1000 {
		t.Errorf("%d arrays, want 1000", n)
	}
}

// leaveBehind starts a shell under mallard that starts a JVM and ends, and lets the JVM make a step before and after
// mallard says that it is waiting. It gives the recording's file and that of what is said.
func leaveBehind(t *testing.T, jdk jvmtest.JDK) (p *mallardtest.Process, file, said string) {
	t.Helper()
	command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"))
	command.Wrap = append(command.Wrap, "sh", "-c", `exec 3<&0; "$@" <&3 & exit 5`, "sh")
	said = filepath.Join(t.TempDir(), "stderr")
	if err := os.WriteFile(said, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	command.Wrap = append([]string{"sh", "-c", `exec "$@" 2>` + said, "sh"}, command.Wrap...)
	p = mallardtest.Spawn(t, jdk, command)
	p.Step()
	mallardtest.WaitUntil(t, said, func() bool { return strings.Contains(words(t, said), "recording until it ends") })
	return p, file, said
}

func words(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

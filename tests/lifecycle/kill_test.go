package lifecycle_test

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestKilledJVM kills the JVM between two steps: its counters outlive it, so nothing is lost but the correction by live
// frames, and no frame that allocates is live.
func TestKilledJVM(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"))
		p := mallardtest.Spawn(t, jdk, command)
		for range 3 {
			p.Step()
		}
		if err := unix.Kill(p.Child(), unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if _, exit := p.Wait(); exit != 128+9 {
			t.Errorf("exit code %d, want %d", exit, 128+9)
		}
		recording := mallardtest.Read(t, file)
		if recording.Complete || !strings.Contains(recording.Reason, "killed") {
			t.Errorf("complete: %v (%s)", recording.Complete, recording.Reason)
		}
		if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != 3000 {
			t.Errorf("%d arrays, want 3000", n)
		}
	})
}

// TestKilledMallard kills mallard: the program goes on to its own end, and the recording has what the last second
// before held.
func TestKilledMallard(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"))
		// A shell between them says how the program ended, for mallard cannot any more.
		command.Wrap = append(command.Wrap, "sh", "-c", `"$@"; echo exit $?`, "sh")
		p := mallardtest.Spawn(t, jdk, command)
		for range 3 {
			p.Step()
		}
		mallardtest.WaitUntil(t, file, func() bool { return mallardtest.Objects(t, file, "Steps", "int[]") == 3000 })
		p.Signal(syscall.SIGKILL)
		if err := unix.Waitid(unix.P_PID, p.Cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			p.Step()
		}
		if output, _ := p.End(); output != "sum 42000\nexit 7\n" {
			t.Errorf("the program ends with %q", output)
		}
		if words := mallardtest.Messages(p.Stderr.String()); len(words) > 1 {
			t.Errorf("said %q", words)
		}
		recording := mallardtest.Read(t, file)
		if recording.Complete {
			t.Error("the recording says that it is complete")
		}
		if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != 3000 {
			t.Errorf("%d arrays, want 3000", n)
		}
	})
}

// TestSignals sends mallard what a user sends to end a program.
func TestSignals(t *testing.T) {
	jdk := jvmtest.JDKs(t)[0]
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(unix.SignalName(s), func(t *testing.T) {
			handled := make(chan os.Signal, 1)
			signal.Notify(handled, s) // or programs that the test starts would ignore what it ignores, as under nohup
			defer signal.Stop(handled)
			command, file := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"))
			p := mallardtest.Spawn(t, jdk, command)
			p.Step()
			p.Signal(s)
			if _, exit := p.Wait(); exit != 128+int(s) {
				t.Errorf("exit code %d, want %d", exit, 128+int(s))
			}
			if recording := mallardtest.Read(t, file); !recording.Complete {
				t.Errorf("not complete (%s)", recording.Reason)
			}
		})
	}
}

// TestIgnoredSignal has mallard started as by nohup: the program ignores the signal as it would without mallard.
func TestIgnoredSignal(t *testing.T) {
	jdk := jvmtest.JDKs(t)[0]
	command, _ := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"))
	command.Wrap = append([]string{"sh", "-c", `trap "" HUP; exec "$@"`, "sh"}, command.Wrap...)
	p := mallardtest.Spawn(t, jdk, command)
	p.Step()
	p.Signal(syscall.SIGHUP)
	if err := unix.Kill(p.Child(), unix.SIGHUP); err != nil {
		t.Fatal(err)
	}
	p.Step()
	if output, exit := p.End(); output != "sum 14000\n" || exit != 7 {
		t.Errorf("%q, exit code %d", output, exit)
	}
}

// TestInterruptFromTerminal presses Ctrl-C on a terminal that mallard and the program share: the program counts one
// interrupt.
func TestInterruptFromTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.mallard")
	script := `n=0; trap 'n=$((n+1))' INT; echo ready
while [ $n = 0 ]; do read -r line; done
read -r line; echo interrupts $n`
	terminal, cmd := onTerminal(t, mallardtest.Binary(t), "run", "-q", "-o", file, "--", "bash", "-c", script)
	defer terminal.Close()
	expect(t, terminal, "ready")
	if _, err := terminal.WriteString("\x03"); err != nil { // the line discipline makes it a signal
		t.Fatal(err)
	}
	expect(t, terminal, "^C")
	if _, err := terminal.WriteString("\n\n\n"); err != nil {
		t.Fatal(err)
	}
	expect(t, terminal, "interrupts 1")
	cmd.Wait()
}

package lifecycle_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestAgentAlone starts the agent where nobody listens: it starts a recorder, whose recording is whole when the program
// has ended.
func TestAgentAlone(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		file := filepath.Join(t.TempDir(), "a b.mallard")
		command := mallardtest.Compiled(t, jdk, "Steps")
		command.Options = []string{"-agentpath:" + mallardtest.Library(t) + "=placement=site,track=sites,file=" + file}
		command.Stdin = "\n\n"
		output := jdk.MustRun(t, command)
		p := mallardtest.Read(t, file)
		if output.Stdout != "step 1\nstep 2\nsum 14000\n" || output.ExitCode != 7 {
			t.Errorf("%q, exit code %d", output.Stdout, output.ExitCode)
		}
		if want := "mallard: wrote " + file + "\n"; output.Stderr != want {
			t.Errorf("stderr %q, want %q", output.Stderr, want)
		}
		if !p.Complete || p.Process.Placement != "site" {
			t.Errorf("complete: %v (%s), placement %s", p.Complete, p.Reason, p.Process.Placement)
		}
		if n := mallardtest.Objects(t, file, "Steps", "int[]"); n != 2000 {
			t.Errorf("%d arrays, want 2000", n)
		}
	})
}

// TestAgentsOptions has the agent refuse what it cannot do; the program runs on.
func TestAgentsOptions(t *testing.T) {
	t.Parallel()
	jdk := jvmtest.JDKs(t)[0]
	folder := t.TempDir()
	old := filepath.Join(folder, "old.mallard")
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ options, want string }{
		{"=colour=blue", "unknown option: colour=blue"},
		{"=track=dreams", "is not one of sites"},
		{"=placement=nowhere", "is not one of optimal, ducktracks, site"},
		{"=file=" + old, "option force"},
		{"=file=" + folder + "/missing/a.mallard", "no such file"},
		{"=socket=/nobody/listens", "could not be reached"},
		{"=force,quiet,file=" + old, ""},
	} {
		command := mallardtest.Compiled(t, jdk, "Steps")
		command.Dir = folder
		command.Options = []string{"-agentpath:" + mallardtest.Library(t) + test.options}
		output := jdk.MustRun(t, command)
		if output.Stdout != "sum 0\n" || output.ExitCode != 7 {
			t.Errorf("%s: %q, exit code %d", test.options, output.Stdout, output.ExitCode)
		}
		words := mallardtest.Messages(output.Stderr)
		if test.want == "" && output.Stderr != "" || test.want != "" &&
			(len(words) != 1 || !strings.Contains(words[0], test.want)) {
			t.Errorf("%s: said %q, want %q", test.options, output.Stderr, test.want)
		}
	}
}

// TestAgentsRecorder looks at the recorder that the agent started: it is nobody's child, in a session of its own,
// without the program's files, and Ctrl-C on the program's terminal does not reach it.
func TestAgentsRecorder(t *testing.T) {
	t.Parallel()
	jdk := jvmtest.JDKs(t)[0]
	file := filepath.Join(t.TempDir(), "run.mallard")
	command := mallardtest.Compiled(t, jdk, "Steps")
	command.Options = []string{"-agentpath:" + mallardtest.Library(t) + "=file=" + file}
	p := mallardtest.Spawn(t, jdk, command)
	p.Step()
	if children, err := filepath.Glob("/proc/" + strconv.Itoa(p.Cmd.Process.Pid) + "/task/*/children"); err == nil {
		for _, path := range children {
			if list, err := os.ReadFile(path); err == nil && len(list) > 0 {
				t.Errorf("the program has a child: %s", list)
			}
		}
	}
	recorder := mallardtest.WriterOf(t, file)
	if session, err := unix.Getsid(recorder); err != nil || session == mustSession(t, p.Cmd.Process.Pid) {
		t.Errorf("the recorder is in the program's session (%v)", err)
	}
	for fd, want := range map[string]string{"0": "/dev/null", "1": "/dev/null", "2": "/dev/null"} {
		if got, err := os.Readlink("/proc/" + strconv.Itoa(recorder) + "/fd/" + fd); err != nil || got != want {
			t.Errorf("the recorder's descriptor %s is %s (%v)", fd, got, err)
		}
	}
	p.Step()
	if output, exit := p.End(); output != "sum 14000\n" || exit != 7 {
		t.Errorf("%q, exit code %d", output, exit)
	}
	if !mallardtest.Read(t, file).Complete {
		t.Error("not complete")
	}
}

func mustSession(t *testing.T, pid int) int {
	t.Helper()
	session, err := unix.Getsid(pid)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

package lifecycle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// spawned starts a program without mallard, which takes a step for each line it is given, and has taken one.
func spawned(t *testing.T, jdk jvmtest.JDK, options ...string) (p *mallardtest.Process, pid string) {
	t.Helper()
	command := mallardtest.Compiled(t, jdk, "Steps")
	command.Options = options
	p = mallardtest.Spawn(t, jdk, command)
	p.Step()
	return p, strconv.Itoa(p.Cmd.Process.Pid)
}

// TestAttach attaches to a program three times, by process id and by name, and leaves it each time. What is allocated
// in between is counted, to the object, and nothing else.
func TestAttach(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		p, pid := spawned(t, jdk, "-Xcheck:jni")
		for n := range 3 {
			attached := mallardtest.Attach(t, pid)
			for range n + 1 {
				p.Step()
			}
			said := attached.Detach(t, pid)
			p.Step()
			if n := mallardtest.Objects(t, attached.File, "Steps", "int[]") - 1000*int64(n+1); n != 0 {
				t.Errorf("%d arrays too many", n)
			}
			profile := mallardtest.Read(t, attached.File)
			if !profile.Complete || profile.Reason != "Mallard was detached, and the JVM ran on" {
				t.Errorf("complete %v: %s", profile.Complete, profile.Reason)
			}
			for _, loss := range profile.Losses {
				if loss.Kind != "attached" {
					t.Errorf("loss %+v", loss)
				}
			}
			if !strings.Contains(said, "runs on as it was before") {
				t.Errorf("it says\n%s", said)
			}
		}
		if output, exit := p.End(); exit != 7 || output != "sum 70000\n" {
			t.Errorf("exit code %d, output %q", exit, output)
		}
		for line := range strings.Lines(p.Stderr.String()) {
			if !strings.HasPrefix(line, "WARNING: ") { // JEP 451
				t.Errorf("standard error: %s", line)
			}
		}
	})
}

// TestHiddenClassesAreLeft: a hidden class that was defined meanwhile counts for ever, since no class like it can be
// changed. Threads that run it later, and have asked for large stacks, whose sizes are where blocks were, do no harm.
func TestHiddenClassesAreLeft(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		p := mallardtest.Spawn(t, jdk, mallardtest.Compiled(t, jdk, "Sized"))
		p.Step()
		pid := strconv.Itoa(p.Cmd.Process.Pid)
		for n := range 2 {
			attached := mallardtest.Attach(t, pid)
			p.Step()
			attached.Detach(t, pid)
			var made int64
			for _, site := range mallardtest.Read(t, attached.File).Sites {
				if strings.HasPrefix(site.Class, "Sized") && site.Type == "java.lang.Object" {
					made += site.Amount.Objects
				}
			}
			if n == 0 && made != 1000 {
				t.Errorf("%d objects", made)
			}
			p.Step()
		}
		if _, exit := p.End(); exit != 0 {
			t.Errorf("exit code %d\n%s", exit, p.Stderr.String())
		}
	})
}

// TestClassesAreLeftWhileTheyAreLoaded leaves a program that loads classes all the time: all are as they were, those
// too that were on their way, and threads whose stacks' sizes are where blocks were use them.
func TestClassesAreLeftWhileTheyAreLoaded(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		p := mallardtest.Spawn(t, jdk, mallardtest.Compiled(t, jdk, "Arrives"))
		if line := p.Line(); line != "loading" {
			t.Fatalf("it says %q", line)
		}
		pid := strconv.Itoa(p.Cmd.Process.Pid)
		attached := mallardtest.Attach(t, pid)
		p.Write("\n")
		if line := p.Line(); line != "nameless" {
			t.Fatalf("it says %q\n%s", line, p.Stderr.String())
		}
		attached.Detach(t, pid)
		p.Write("\n")
		if line := p.Line(); line != "loaded" {
			t.Fatalf("it says %q\n%s", line, p.Stderr.String())
		}
		const runs = "LArrives$Made;.run()V "
		lengths := map[string]int{}
		for _, line := range codeLengths(t, jdk, pid) {
			if length, ok := strings.CutPrefix(line, runs); ok {
				lengths[length]++
			}
		}
		if len(lengths) != 1 {
			t.Errorf("so many classes have code of so many bytes: %v", lengths)
		}
		p.Write("\n")
		if line := p.Line(); line != "ran" {
			t.Errorf("it says %q", line)
		}
		if _, exit := p.End(); exit != 0 {
			t.Errorf("exit code %d\n%s", exit, p.Stderr.String())
		}
	})
}

// TestAttachUntilTheEnd: the JVM ends while it is recorded.
func TestAttachUntilTheEnd(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		p, pid := spawned(t, jdk)
		attached := mallardtest.Attach(t, pid)
		p.Step()
		if _, exit := p.End(); exit != 7 {
			t.Errorf("exit code %d", exit)
		}
		if said, exit := attached.Wait(t); exit != 0 || !strings.Contains(said, "wrote ") {
			t.Errorf("exit code %d\n%s", exit, said)
		}
		if profile := mallardtest.Read(t, attached.File); !profile.Complete || profile.Reason != "the JVM ended" {
			t.Errorf("complete %v: %s", profile.Complete, profile.Reason)
		}
		if n := mallardtest.Objects(t, attached.File, "Steps", "int[]"); n != 1000 {
			t.Errorf("%d arrays", n)
		}
	})
}

// TestAttachedRecorderIsKilled: the program runs on, as it was before, and what was counted is in the recording.
func TestAttachedRecorderIsKilled(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		p, pid := spawned(t, jdk)
		before := lengths(t, jdk, pid)
		attached := mallardtest.Attach(t, pid)
		p.Step()
		mallardtest.WaitUntil(t, attached.File, func() bool {
			return mallardtest.Objects(t, attached.File, "Steps", "int[]") == 1000
		})
		if err := attached.Process.Signal(syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		attached.Wait(t)
		var differ string
		for end := time.Now().Add(time.Minute); time.Now().Before(end); {
			if differ = cmp.Diff(before, common(lengths(t, jdk, pid), before)); differ == "" {
				break
			}
		}
		if differ != "" {
			t.Errorf("methods (-before +now):\n%s", differ)
		}
		p.Step()
		again := exec.Command(mallardtest.Binary(t), "attach", pid, "-o", attached.File+"2")
		if out, err := again.CombinedOutput(); err == nil || !strings.Contains(string(out), "recorded already") {
			t.Errorf("attaching again: %v\n%s", err, out)
		}
		if output, exit := p.End(); exit != 7 || output != "sum 21000\n" {
			t.Errorf("exit code %d, output %q", exit, output)
		}
	})
}

// TestNothingIsLeft attaches to a program that tells all that reflection does of classes of many kinds: it tells the
// same before, meanwhile and afterwards. The code of each method is as long as it was before.
func TestNothingIsLeft(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := jdk.MustJavac(t, []string{"-nowarn", "-parameters"}, mallardtest.Source(t, "Reflected.java"))
		p := mallardtest.Spawn(t, jdk, jvmtest.Command{Classpath: []string{classes}, Main: "Reflected"})
		pid := strconv.Itoa(p.Cmd.Process.Pid)
		before := printed(p)
		if len(before) < 100 {
			t.Fatalf("it tells %q\n%s", before, p.Stderr.String())
		}
		code := lengths(t, jdk, pid)
		attached := mallardtest.Attach(t, pid)
		p.Write("again\n")
		if diff := cmp.Diff(before, printed(p)); diff != "" {
			t.Errorf("attached (-before +now):\n%s", diff)
		}
		if now := common(lengths(t, jdk, pid), code); cmp.Equal(code, now) {
			t.Error("no method has changed")
		}
		attached.Detach(t, pid)
		p.Write("again\n")
		if diff := cmp.Diff(before, printed(p)); diff != "" {
			t.Errorf("detached (-before +now):\n%s", diff)
		}
		if diff := cmp.Diff(code, common(lengths(t, jdk, pid), code)); diff != "" {
			t.Errorf("methods (-before +now):\n%s", diff)
		}
		p.Write("end\n")
		if _, exit := p.End(); exit != 0 {
			t.Errorf("exit code %d\n%s", exit, p.Stderr.String())
		}
	})
}

// printed reads what the program Reflected tells.
func printed(p *mallardtest.Process) (lines []string) {
	for line := p.Line(); line != "told" && line != ""; line = p.Line() {
		lines = append(lines, line)
	}
	return lines
}

// codeLengths asks the JVM, by another agent, how long the code of each method is: a line for each.
func codeLengths(t *testing.T, jdk jvmtest.JDK, pid string) []string {
	t.Helper()
	library, err := jdk.Agent(mallardtest.Source(t, "agents", "lengths.c"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "lengths")
	out, err := exec.Command(jdk.Tool("jcmd"), pid, "JVMTI.agent_load", library, file).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "return code: 0") {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}

// lengths gives how long the code of each method is.
func lengths(t *testing.T, jdk jvmtest.JDK, pid string) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, line := range codeLengths(t, jdk, pid) {
		method, length, _ := strings.Cut(line, " ")
		if !strings.Contains(method, "Lambda") { // whose classes share names
			list[method] = length
		}
	}
	return list
}

// common leaves out what was not there before.
func common(list, before map[string]string) map[string]string {
	out := map[string]string{}
	for method, length := range list {
		if _, ok := before[method]; ok {
			out[method] = length
		}
	}
	return out
}

// TestAttachRefused: what cannot be attached to is not harmed.
func TestAttachRefused(t *testing.T) {
	jdk := jvmtest.JDKs(t)[0]
	attach := func(t *testing.T, want, target string, flags ...string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "none.mallard")
		out, err := exec.Command(mallardtest.Binary(t), append([]string{"attach", target, "-o", file}, flags...)...).
			CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%v: %s", err, out)
		}
		if _, err := os.Stat(file); err == nil {
			t.Error("there is a recording")
		}
	}
	t.Run("no process", func(t *testing.T) { attach(t, "there is no process 2147483646", "2147483646") })
	t.Run("no JVM", func(t *testing.T) {
		sleep := exec.Command("sleep", "100")
		if err := sleep.Start(); err != nil {
			t.Fatal(err)
		}
		pid := strconv.Itoa(sleep.Process.Pid)
		attach(t, "ignores SIGQUIT", pid)
		if err := sleep.Process.Kill(); err != nil {
			t.Errorf("it did not live: %v", err)
		}
		sleep.Wait()
	})
	t.Run("no such name", func(t *testing.T) { attach(t, "no JVM runs no.such.Main", "no.such.Main") })
	t.Run("recorded", func(t *testing.T) {
		command, _ := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Steps"), "-q")
		p := mallardtest.Spawn(t, jdk, command)
		p.Step()
		attach(t, "is recorded already", strconv.Itoa(p.Child()))
		if output, exit := p.End(); exit != 7 || output != "sum 7000\n" {
			t.Errorf("exit code %d, output %q", exit, output)
		}
	})
	t.Run("attached", func(t *testing.T) {
		p, pid := spawned(t, jdk)
		attached := mallardtest.Attach(t, pid)
		attach(t, "another mallard is attached", pid)
		attached.Detach(t, pid)
		if out, err := exec.Command(mallardtest.Binary(t), "detach", pid).CombinedOutput(); err == nil ||
			!strings.Contains(string(out), "records process "+pid) {
			t.Errorf("detach: %v\n%s", err, out)
		}
		p.End()
	})
	t.Run("disallowed", func(t *testing.T) {
		jdks := jvmtest.JDKs(t)
		newest := jdks[len(jdks)-1]
		p, pid := spawned(t, newest, "-XX:-EnableDynamicAgentLoading")
		attach(t, "Dynamic agent loading is not enabled", pid)
		if output, exit := p.End(); exit != 7 || output != "sum 7000\n" {
			t.Errorf("exit code %d, output %q", exit, output)
		}
	})
}

package compat_test

import (
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// debugged makes a JVM wait for a debugger at a port of its own choosing, without saying so.
const debugged = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0"

// TestDebugger has a debugger's agent beside ours, which alone may stop threads: before ours, behind it, and with ours
// in the environment. Counts are the oracle's to the last frame of threads that stand still when the VM ends.
func TestDebugger(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, program := range jvmtest.Programs(t) {
			if !slices.Contains([]string{"ExitMidPath", "DaemonAtExit", "VirtualThreads"}, program.Name) ||
				jdk.Feature < program.MinJDK {
				continue
			}
			t.Run(program.Name, func(t *testing.T) {
				t.Parallel()
				command := program.Command(t, jdk)
				plain := jvmtest.RunPlain(t, jdk, command)
				truth := jvmtest.RunOracle(t, jdk, command)
				want := mallardtest.OracleSites(program, truth)
				check := func(t *testing.T, output jvmtest.Output, p *profile.Profile) {
					t.Helper()
					mallardtest.CompareOutput(t, plain, output)
					if diff := cmp.Diff(want, mallardtest.RecordedSites(program, p, truth)); diff != "" ||
						len(p.Losses) > 0 || !p.Complete {
						t.Errorf("complete %v, losses %v, sites (-oracle +mallard):\n%s", p.Complete, p.Losses, diff)
					}
				}
				for _, first := range []string{"debugger", "ours"} {
					t.Run(first+" first", func(t *testing.T) {
						file := filepath.Join(t.TempDir(), "run.mallard")
						command := command
						command.Options = []string{debugged, "-agentpath:" + mallardtest.Library(t) + "=quiet,file=" +
							file}
						if first == "ours" {
							slices.Reverse(command.Options)
						}
						output := jdk.MustRun(t, command)
						check(t, output, mallardtest.Read(t, file))
					})
				}
				for _, track := range []string{"sites", "contexts"} {
					t.Run(track+" under run", func(t *testing.T) {
						command := command
						command.Options = []string{debugged}
						output, p := mallardtest.Record(t, jdk, command, "--track", track)
						check(t, output, p)
					})
				}
			})
		}
	})
}

// TestDebuggerWhileRunning ends a program under a debugger's agent while a thread of it goes on: what is not sure is
// said, and what is sure is right. On a busy machine the thread may not come to run while it is looked at: then there
// is nothing to say, and another run has to show it.
func TestDebuggerWhileRunning(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "Spins")
		command.Options = []string{debugged}
		for range 20 {
			output, p := mallardtest.Record(t, jdk, command)
			if output.ExitCode != 0 || output.Stdout != "spun\n" || !p.Complete {
				t.Fatalf("exit code %d, prints %q and %q; complete %v", output.ExitCode, output.Stdout, output.Stderr,
					p.Complete)
			}
			for _, site := range p.Sites {
				if site.Class == "Spins" && site.Type == "long[]" && site.Amount.Objects != 1000 {
					t.Errorf("%d arrays, want 1000", site.Amount.Objects)
				}
			}
			if len(p.Losses) > 1 || len(p.Losses) == 1 && p.Losses[0].Kind != "live-frames" {
				t.Fatalf("losses %v", p.Losses)
			}
			if len(p.Losses) == 1 {
				return
			}
		}
		t.Error("20 runs, and never did the thread run on")
	})
}

// say is what a conversation has next, once something has been said.
type say struct{ after, next string }

// converse talks with a command, and gives all that it said.
func converse(t *testing.T, command *exec.Cmd, words []say) string {
	t.Helper()
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	part := make([]byte, 4096)
	for _, w := range words {
		for !strings.Contains(said.String(), w.after) {
			n, err := out.Read(part)
			said.Write(part[:n])
			if err != nil {
				t.Fatalf("waiting for %q: %v\n%s", w.after, err, &said)
			}
		}
		if _, err := io.WriteString(in, w.next); err != nil {
			t.Fatalf("%v\n%s", err, &said)
		}
	}
	in.Close()
	rest, err := io.ReadAll(out)
	said.Write(rest)
	if err := errors.Join(err, command.Wait()); err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	return said.String()
}

// TestDebugging debugs a program: jdb starts it under mallard, stops it in a method, looks at its threads and lets it
// go.
func TestDebugging(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		if _, err := exec.LookPath(jdk.Tool("jdb")); err != nil {
			jvmtest.Missing(t, "no jdb: %v", err)
		}
		for _, program := range jvmtest.Programs(t) {
			if program.Name != "Recursion" {
				continue
			}
			command := program.Command(t, jdk)
			truth := jvmtest.RunOracle(t, jdk, command)
			folder := t.TempDir()
			jdb := exec.CommandContext(t.Context(), mallardtest.Binary(t), "run", "-q", "-o",
				filepath.Join(folder, "run-%p.mallard"), "--", "env", jdk.Tool("jdb"), "-classpath",
				strings.Join(command.Classpath, ":"), command.Main)
			out := converse(t, jdb, []say{
				{"", "stop in " + program.Name + ".main\nrun\n"}, {"Breakpoint hit", "threads\n"},
				{"Signal Dispatcher", "cont\n"}, {"The application exited", ""}})
			files, err := filepath.Glob(filepath.Join(folder, "*"))
			if err != nil || len(files) == 0 {
				t.Fatalf("recordings %v (%v); jdb said\n%s", files, err, out)
			}
			want, found := mallardtest.OracleSites(program, truth), false
			for _, file := range files {
				p := mallardtest.Read(t, file)
				if sites := mallardtest.RecordedSites(program, p, truth); len(sites) > 0 {
					found = true
					if diff := cmp.Diff(want, sites); diff != "" {
						t.Errorf("sites (-oracle +mallard):\n%s", diff)
					}
				}
			}
			if !found {
				t.Errorf("the program was not recorded; jdb said\n%s", out)
			}
		}
	})
}

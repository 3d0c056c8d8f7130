package lifecycle_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// closings are streams that a program is started without.
var closings = []string{"0<&-", "1>&-", "2>&-", "0<&- 1>&-", "0<&- 1>&- 2>&-"}

// TestClosedStreams starts the agent in a JVM without some of its streams, whose numbers what is opened next gets. What
// the program reads and prints there is what it is without Mallard, and the recording is whole. The JVM opens no
// archive of classes where Mallard is, so it does not without.
func TestClosedStreams(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, closing := range closings {
			if !jvmtest.IsTurn(t, jdk, i) && closing != closings[len(closings)-1] {
				continue
			}
			command := mallardtest.Compiled(t, jdk, "Closed")
			command.Wrap = []string{"sh", "-c", `exec "$@" ` + closing, "sh"}
			command.Options = append(jvmtest.ShortRun(), "-Xshare:off")
			want := runClosed(t, jdk, command)
			file := filepath.Join(t.TempDir(), "run.mallard")
			command.Options = append(command.Options, "-agentpath:"+mallardtest.Library(t)+
				"=answer-within=1m,exit-within=1m,file="+file)
			if diff := cmp.Diff(want, runClosed(t, jdk, command)); diff != "" {
				t.Errorf("%s: what was read, printed, and is in files (-without +with Mallard):\n%s", closing, diff)
			}
			if n := mallardtest.Objects(t, file, "Closed", "int[]"); n != 3 || !mallardtest.Read(t, file).Complete {
				t.Errorf("%s: %d arrays, complete %v: %s", closing, n, mallardtest.Read(t, file).Complete,
					mallardtest.Read(t, file).Reason)
			}
		}
	})
}

// runClosed runs the program Closed, and gives all files that it leaves, by their names.
func runClosed(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command) map[string]string {
	t.Helper()
	folder := t.TempDir()
	command.Args = []string{folder}
	if output := jdk.MustRun(t, command); output.ExitCode != 0 {
		t.Errorf("%v: exit code %d", command.Wrap, output.ExitCode)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[entry.Name()] = string(text)
	}
	return all
}

// TestSeizedDescriptors runs a program that puts sockets of its own in the place of Mallard's: no byte of Mallard's
// comes there, and nobody waits.
func TestSeizedDescriptors(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		library, err := jdk.Agent(mallardtest.Source(t, "seizes.c"))
		if err != nil {
			t.Fatal(err)
		}
		command := mallardtest.Compiled(t, jdk, "Seizes")
		command.Args = []string{library}
		command.Options = jvmtest.ShortRun()
		for i, flags := range [][]string{{"--track", "sites"}, {"--track", "contexts"}} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			recorded, _ := mallardtest.Recorded(t, command, flags...)
			output := jdk.MustRun(t, recorded)
			if want := "0 bytes meanwhile\n0 bytes at the end, 0 shut down\n"; output.Stdout != want ||
				output.ExitCode != 0 {
				t.Errorf("%v: exit code %d, prints\n%s%s", flags, output.ExitCode, output.Stdout, output.Stderr)
			}
		}
	})
}

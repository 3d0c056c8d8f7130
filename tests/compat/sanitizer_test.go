package compat_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestSanitizers runs programs with an agent compiled with the address and undefined-behaviour sanitizers.
func TestSanitizers(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		agent, preload := sanitizedAgent(t, jdk)
		attach, err := jdk.Agent(mallardtest.Source(t, "attach.c"))
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range [][]string{{"Steps"}, {"Threads", "turns", "200"}, {"Threads", "together", "100"}, {"Endings", "deep"}, {"ExitRace"}, {"Attach", attach}} {
			t.Run(strings.Join(words[:min(2, len(words))], " "), func(t *testing.T) {
				command := mallardtest.Compiled(t, jdk, words[0])
				command.Args = words[1:]
				command.Options = []string{"-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"}
				plain := jdk.MustRun(t, command)
				file := filepath.Join(t.TempDir(), "run.mallard")
				command.Options = append(command.Options, "-agentpath:"+agent+"=quiet,file="+file)
				// The JVM handles faults itself, and its own leaks are not ours.
				command.Env = []string{"LD_PRELOAD=" + preload, "ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:detect_leaks=0:detect_stack_use_after_return=0"}
				output := jdk.MustRun(t, command)
				if output.ExitCode != plain.ExitCode || output.Stdout != plain.Stdout || output.Stderr != plain.Stderr {
					t.Errorf("exit code %d, prints\n%.1000s%.5000s", output.ExitCode, output.Stdout, output.Stderr)
				}
				if !mallardtest.Read(t, file).Complete {
					t.Error("not complete")
				}
			})
		}
	})
}

// sanitizedAgent compiles the agent with the sanitizers, and names the libraries that the program needs for them.
func sanitizedAgent(t *testing.T, jdk jvmtest.JDK) (library, preload string) {
	t.Helper()
	for _, name := range []string{"libasan.so", "libubsan.so"} {
		path, err := exec.Command("gcc", "-print-file-name="+name).Output()
		if err != nil {
			t.Fatal(err)
		}
		preload += strings.TrimSpace(string(path)) + " "
	}
	library = mallardtest.BuildAgent(t, jdk, "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
	return library, strings.TrimSpace(preload)
}

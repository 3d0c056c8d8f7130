package lifecycle_test

import (
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

func TestOnSnapshot(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.CompiledWithAPI(t, jdk, "Watch")
		loader := []string{"-Djava.system.class.loader=Unwatched$Loader"}
		for _, test := range []struct {
			name, class, main string
			options, flags    []string
			stdout, stderr    string
		}{
			{"until it has enough", "Watch", "Watch", nil, nil, "checksum true true mallard\n", ""},
			{"contexts, bytecodes", "Watch", "Watch", nil, []string{"--track", "contexts", "--bytecodes"},
				"checksum true true mallard\n", ""},
			{"throws", "Watch", "Watch", []string{"-Dthrows=true"}, nil, "checksum true true mallard\n",
				"mallard: Watch is not called at snapshots any more: java.lang.IllegalStateException: seen enough\n"},
			{"no such class", "Nobody", "Unwatched", loader, nil, "checksum\n",
				"mallard: Nobody is not called at snapshots any more: java.lang.ClassNotFoundException: Nobody"},
			// which says more in newer JDKs
			{"no such constructor", "Broken", "Unwatched", loader, nil, "checksum\n",
				"mallard: Broken is not called at snapshots any more: java.lang.NoSuchMethodError: "},
		} {
			t.Run(test.name, func(t *testing.T) {
				command.Options, command.Main = test.options, test.main
				output, p := mallardtest.Record(t, jdk, command, append(test.flags, "--snapshots", "5ms",
					"--on-snapshot", test.class)...)
				if output.ExitCode != 0 || output.Stdout != test.stdout {
					t.Errorf("the program exits with %d and prints\n%s%s", output.ExitCode, output.Stdout,
						output.Stderr)
				}
				if test.main == "Watch" && output.Stderr != test.stderr ||
					!strings.HasPrefix(output.Stderr, test.stderr) {
					t.Errorf("stderr is %q, want %q", output.Stderr, test.stderr)
				}
				reported := len(p.Losses) > 0 && p.Losses[0].Kind == "on-snapshot"
				if reported != (output.Stderr != "") {
					t.Errorf("stderr %q, losses %v", output.Stderr, p.Losses)
				}
				if !p.Complete {
					t.Error(p.Reason)
				}
			})
		}
	})
}

package lifecycle_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestProcessNamespaces has JVMs that are all process 1 of their own namespace, as in containers: each has a recording,
// under its number as the recorder sees it, with its own command line.
func TestProcessNamespaces(t *testing.T) {
	t.Parallel()
	if err := exec.Command("unshare", "--fork", "--pid", "true").Run(); err != nil {
		jvmtest.Missing(t, "unshare: %v", err)
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		folder := t.TempDir()
		classes := mallardtest.Compiled(t, jdk, "Steps").Classpath[0]
		words := []string{mallardtest.Binary(t), "run", "-q", "-o", filepath.Join(folder, "%p.mallard"), "--",
			"sh", "-c", `for i in 1 2 3; do unshare --fork --pid "$@"; done`, "sh", jdk.Tool("java"), "-cp", classes,
			"Steps"}
		if output := mallardtest.RunWords(t, folder, nil, words...); output.ExitCode != 7 {
			t.Errorf("exit code %d: %s", output.ExitCode, output.Stderr)
		}
		files, _ := filepath.Glob(filepath.Join(folder, "*.mallard"))
		if len(files) != 3 {
			t.Errorf("recorded: %q", files)
		}
		for _, file := range files {
			p := mallardtest.Read(t, file)
			if !p.Complete || len(p.Losses) > 0 || !slices.Contains(p.Process.Command, "Steps") {
				t.Errorf("%s: complete: %v, losses %v, command %q", file, p.Complete, p.Losses, p.Process.Command)
			}
		}
	})
}

package mallardtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"mallard/internal/jvmtest"
)

// BuildAgent compiles the agent with flags of the test's own, puts mallard beside it, and gives the library's path. It
// is used with -agentpath, on any JDK: like the one that users get, it is compiled with the headers of the oldest.
func BuildAgent(t *testing.T, flags ...string) string {
	t.Helper()
	jdk := jvmtest.JDKs(t)[0]
	folder := t.TempDir()
	header, err := exec.Command("go", "run", "mallard/internal/abi/gen", "header").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "abi.h"), header, 0o600); err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob(filepath.Join(jvmtest.MustRoot(t), "agent", "*.c"))
	if err != nil {
		t.Fatal(err)
	}
	library := filepath.Join(folder, "libmallard.so")
	include := filepath.Join(jdk.Home, "include")
	words := slices.Concat([]string{"-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Werror",
		"-fvisibility=hidden", "-fPIC", "-shared",
		"-I" + folder, "-I" + filepath.Join(jvmtest.MustRoot(t), "agent"), "-I" + include, "-I" +
			filepath.Join(include, "linux"), "-o", library}, flags, sources, []string{"-ldl", "-lpthread"})
	if out, err := exec.Command("gcc", words...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.Symlink(Binary(t), filepath.Join(folder, "mallard")); err != nil {
		t.Fatal(err)
	}
	return library
}

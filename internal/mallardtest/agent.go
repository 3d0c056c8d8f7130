package mallardtest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mallard/internal/jvmtest"
)

// BuildAgent compiles the agent with flags of the test's own, puts mallard beside it, and gives the library's path. It
// is used with -agentpath, on any JDK: like the one that users get, it is compiled with the headers of the oldest.
func BuildAgent(t *testing.T, flags ...string) string {
	t.Helper()
	root, include := jvmtest.MustRoot(t), filepath.Join(jvmtest.JDKs(t)[0].Home, "include")
	sources, err := filepath.Glob(filepath.Join(root, "agent", "*.[ch]"))
	if err != nil {
		t.Fatal(err)
	}
	options := slices.Concat([]string{"-O1", "-fvisibility=hidden", "-fPIC", "-shared", "-I" + include, "-I" +
		filepath.Join(include, "linux")}, flags)
	built, err := jvmtest.Executable(options, append(sources, filepath.Join(root, "build", "abi.h"))...)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	library := filepath.Join(folder, "libmallard.so")
	if err := os.Symlink(built, library); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(Binary(t), filepath.Join(folder, "mallard")); err != nil {
		t.Fatal(err)
	}
	return library
}

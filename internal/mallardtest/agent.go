package mallardtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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

// SanitizedAgent is BuildAgent with the address and undefined-behaviour sanitizers, and gives the environment that a
// program needs for them.
func SanitizedAgent(t *testing.T) (library string, environment []string) {
	t.Helper()
	var preload []string
	for _, name := range []string{"libasan.so", "libubsan.so"} {
		path, err := exec.Command("gcc", "-print-file-name="+name).Output()
		if err != nil {
			t.Fatal(err)
		}
		preload = append(preload, strings.TrimSpace(string(path)))
	}
	// The JVM handles faults itself, and its own leaks are not ours.
	environment = []string{"LD_PRELOAD=" + strings.Join(preload, " "),
		"ASAN_OPTIONS=handle_segv=0:handle_sigbus=0:handle_sigfpe=0:detect_leaks=0:detect_stack_use_after_return=0"}
	return BuildAgent(t, "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"), environment
}

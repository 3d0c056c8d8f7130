package mallardtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

// table is the agent's only file that depends on what HotSpot describes of itself.
const table = "hotspot_table.c"

// BuildAgent compiles the agent, its table of HotSpot with flags of the test's own, puts mallard beside it, and gives
// the library's path. It is used with -agentpath, on any JDK: like the one that users get, it is compiled with the
// headers of the oldest.
func BuildAgent(t *testing.T, flags ...string) string {
	t.Helper()
	sources := agentSources(t)
	isTable := func(path string) bool { return filepath.Base(path) == table }
	// What does not depend on the flags is compiled once.
	others := compiled(t, []string{"-r"}, slices.DeleteFunc(slices.Clone(sources), isTable)...)
	isOther := func(path string) bool { return filepath.Ext(path) == ".c" && !isTable(path) }
	return beside(t, compiled(t, append([]string{"-shared"}, flags...),
		append(slices.DeleteFunc(sources, isOther), others)...))
}

// agentSources are all files that the agent is made of.
func agentSources(t *testing.T) []string {
	t.Helper()
	root := jvmtest.MustRoot(t)
	sources, err := filepath.Glob(filepath.Join(root, "agent", "*.[ch]"))
	if err != nil {
		t.Fatal(err)
	}
	return append(sources, filepath.Join(root, "build", "abi.h"))
}

// compiled gives what the compiler makes of files, the agent's or compiled ones.
func compiled(t *testing.T, flags []string, files ...string) string {
	t.Helper()
	include := filepath.Join(jvmtest.JDKs(t)[0].Home, "include")
	options := slices.Concat([]string{"-O1", "-fvisibility=hidden", "-fPIC", "-I" + include, "-I" +
		filepath.Join(include, "linux")}, flags)
	built, err := jvmtest.Executable(options, files...)
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// beside puts a library and mallard into one folder.
func beside(t *testing.T, built string) (library string) {
	t.Helper()
	folder := t.TempDir()
	library = filepath.Join(folder, "libmallard.so")
	if err := os.Symlink(built, library); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(Binary(t), filepath.Join(folder, "mallard")); err != nil {
		t.Fatal(err)
	}
	return library
}

// SanitizedAgent is such an agent with the address and undefined-behaviour sanitizers in all of it, and gives the
// environment that a program needs for them.
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
	flags := []string{"-shared", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"}
	library = beside(t, compiled(t, flags, agentSources(t)...))
	// The recorder, which the agent starts, may have the race detector: that goes with no other sanitizer.
	recorder := filepath.Join(filepath.Dir(library), "mallard")
	script := fmt.Sprintf("#!/bin/sh\nunset LD_PRELOAD\nexec '%s' \"$@\"\n", Binary(t))
	if err := errors.Join(os.Remove(recorder), os.WriteFile(recorder, []byte(script), 0o700)); err != nil {
		t.Fatal(err)
	}
	return library, environment
}

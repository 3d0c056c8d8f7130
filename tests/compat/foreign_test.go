package compat_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// foreignLauncher stands for a launcher whose JVM cannot load the agent: it asks for a dynamic linker of musl's, by
// name, and prints what it was given.
const foreignLauncher = `#include <stdio.h>
#include <stdlib.h>
const char needed[] = "libjli.so";
int main(int n, char **words) {
    const char *options = getenv("JAVA_TOOL_OPTIONS");
    for (int i = 1; i < n; i++) printf("%s ", words[i]);
    printf("%s\n", options ? options : "nothing");
    return 7;
}
`

// TestForeignJVM starts a JVM that cannot load the agent, by a shim and directly: it runs without.
func TestForeignJVM(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "jdk")
	for _, folder := range []string{"bin", "lib"} {
		if err := os.MkdirAll(filepath.Join(home, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	linker, err := filepath.Glob("/lib64/ld-linux-*.so.*")
	if err != nil || len(linker) == 0 {
		jvmtest.Missing(t, "no dynamic linker of glibc's here")
	}
	musl := filepath.Join(home, "lib", "ld-musl-x.so.1")
	source, java := filepath.Join(home, "java.c"), filepath.Join(home, "bin", "java")
	for _, err := range []error{os.Symlink(linker[0], musl), os.WriteFile(source, []byte(foreignLauncher), 0o600),
		os.WriteFile(filepath.Join(home, "lib", "libjli.so"), nil, 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("cc", "-o", java, source, "-Wl,--dynamic-linker="+musl).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, command := range map[string][]string{"directly": {java, "a", "b"},
		"by a shim": {"sh", "-c", "$JAVA_HOME/bin/java a b"}} {
		words := append([]string{mallardtest.Binary(t), "run", "-q", "--"}, command...)
		output := mallardtest.RunWords(t, home, []string{"JAVA_HOME=" + home}, words...)
		said := mallardtest.Messages(output.Stderr)
		if output.ExitCode != 7 || output.Stdout != "a b nothing\n" || len(said) == 0 ||
			!strings.Contains(said[0], "uses musl") {
			t.Errorf("%s: exit code %d, %q, said %q", name, output.ExitCode, output.Stdout, said)
		}
	}
}

// loader stands for a JVM that uses musl: it loads an agent as a JVM does, and starts it.
const loader = `#include <dlfcn.h>
#include <stdio.h>
int main(int n, char **words) {
    void *library = dlopen(words[1], RTLD_LAZY);
    int (*start)(void *, char *, void *) = 0;
    if (library) start = (int (*)(void *, char *, void *))dlsym(library, "Agent_OnLoad");
    if (!start) return printf("%s\n", dlerror()), 1;
    return start(0, words[2], 0);
}
`

// TestMusl has a process that uses musl load the agent, as a JVM does that JAVA_TOOL_OPTIONS reaches: it steps aside.
func TestMusl(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("musl-gcc"); err != nil {
		jvmtest.Missing(t, "no musl-gcc (package musl-tools)")
	}
	folder := t.TempDir()
	source, program := filepath.Join(folder, "loader.c"), filepath.Join(folder, "loader")
	if err := os.WriteFile(source, []byte(loader), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("musl-gcc", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program, mallardtest.Library(t), "socket=/nowhere").CombinedOutput()
	if said := mallardtest.Messages(string(out)); err != nil || len(said) != 1 ||
		!strings.Contains(said[0], "glibc; the program runs on without Mallard") {
		t.Errorf("%v: %s", err, out)
	}
}

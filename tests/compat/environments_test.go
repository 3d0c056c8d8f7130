package compat_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestSecurityManager runs under a security manager that allows the program what it does and Mallard's runtime class
// nothing.
func TestSecurityManager(t *testing.T) {
	t.Parallel()
	jdk := jvmtest.JDKs(t)[0]
	if jdk.Feature >= 24 {
		jvmtest.Missing(t, "no JDK with a security manager (JEP 486)")
	}
	policy := filepath.Join(t.TempDir(), "policy")
	if err := os.WriteFile(policy, []byte(`grant { permission java.lang.RuntimePermission "exitVM.7"; };`),
		0o600); err != nil {
		t.Fatal(err)
	}
	command := mallardtest.Compiled(t, jdk, "Steps")
	command.Options = []string{"-Djava.security.manager", "-Djava.security.policy==" + policy}
	command.Stdin = "\n"
	sameAsPlain(t, jdk, command, "Steps", 1000)
}

// TestImage runs programs on images that jlink made: with the fewest modules, and with the program inside and a script
// that starts it.
func TestImage(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		mods := compiledModules(t, jdk)
		for i, image := range []struct {
			name    string
			options []string
			command []string // in the image's bin
			class   string
		}{
			{"java.base", []string{"--add-modules", "java.base"}, []string{"java", "-p", mods, "-m", "app/app.Main"},
				"app.Main"},
			{"launcher", []string{"-p", mods, "--add-modules", "app", "--launcher", "app=app/app.Main"},
				[]string{"app"}, "app.Main"},
		} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(image.name, func(t *testing.T) {
				folder := filepath.Join(t.TempDir(), "image")
				options := slices.Concat(image.options, []string{"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC",
					"--output", folder, "--strip-debug", "--no-man-pages", "--no-header-files"})
				if out, err := exec.Command(jdk.Tool("jlink"), options...).CombinedOutput(); err != nil {
					if strings.Contains(string(out), "jmods") {
						jvmtest.Missing(t, "this JDK cannot link images: %s", out)
					}
					t.Fatalf("%v\n%s", err, out)
				}
				command := append([]string{filepath.Join(folder, "bin", image.command[0])}, image.command[1:]...)
				plain := mallardtest.RunWords(t, folder, nil, command...)
				file := filepath.Join(t.TempDir(), "run.mallard")
				output := mallardtest.RunWords(t, folder, nil,
					append([]string{mallardtest.Binary(t), "run", "-q", "-o", file, "--"}, command...)...)
				if output.Stdout != plain.Stdout || output.ExitCode != plain.ExitCode ||
					plain.Stdout != "made 500 100\n" || strings.Join(programsLines(output.Stderr), "") != plain.Stderr {
					t.Errorf("exit code %d, prints\n%s%s\nnot\n%s%s", output.ExitCode, output.Stdout, output.Stderr,
						plain.Stdout, plain.Stderr)
				}
				if n := mallardtest.Objects(t, file, image.class, "int[]"); n != 500 {
					t.Errorf("%d arrays, want 500", n)
				}
			})
		}
	})
}

// TestModules runs a program of modules, strictly encapsulated, with a class of its own and one of java.base patched or
// not.
func TestModules(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		mods := compiledModules(t, jdk)
		sources := mallardtest.Source(t, "modules", "patches")
		base := jdk.MustJavac(t, []string{"--patch-module", "java.base=" + filepath.Join(sources, "java.base")},
			filepath.Join(sources, "java.base", "java", "util", "Patched.java"))
		own := jdk.MustJavac(t, []string{"-p", mods, "--patch-module", "app=" + filepath.Join(sources, "app")},
			filepath.Join(sources, "app", "app", "Work.java"))
		for _, patch := range []struct {
			name    string
			options []string
			made    int64
			class   string // where
		}{
			{"plain", nil, 500, "app.Main"},
			{"own class patched", []string{"--patch-module", "app=" + own}, 700, "app.Work"},
			{"java.base patched", []string{"--patch-module", "java.base=" + base}, 900, "java.util.Patched"},
		} {
			t.Run(patch.name, func(t *testing.T) {
				command := jvmtest.Command{Options: append(patch.options, "-p", mods, "-m"), Main: "app/app.Main"}
				sameAsPlain(t, jdk, command, patch.class, patch.made)
			})
		}
	})
}

// compiledModules gives a module path with the modules of testdata/modules.
func compiledModules(t *testing.T, jdk jvmtest.JDK) string {
	t.Helper()
	var sources []string
	for _, pattern := range []string{"app/*.java", "app/app/*.java", "lib/*.java", "lib/lib/*.java",
		"lib/lib/internal/*.java"} {
		found, err := filepath.Glob(mallardtest.Source(t, "modules", filepath.FromSlash(pattern)))
		if err != nil || len(found) == 0 {
			t.Fatalf("no sources %s (%v)", pattern, err)
		}
		sources = append(sources, found...)
	}
	return jdk.MustJavac(t, []string{"--module-source-path", mallardtest.Source(t, "modules")}, sources...)
}

// sameAsPlain runs a command with and without Mallard, which must not make a difference, and looks for int[] that a
// class makes.
func sameAsPlain(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command, class string, made int64) {
	t.Helper()
	plain := jvmtest.RunPlain(t, jdk, command)
	command, file := mallardtest.Profiled(t, command, "-q")
	output := jdk.MustRun(t, command)
	if output.Stdout != plain.Stdout || output.Stderr != plain.Stderr || output.ExitCode != plain.ExitCode {
		t.Fatalf("exit code %d, not %d, prints\n%s%s\nnot\n%s%s", output.ExitCode, plain.ExitCode, output.Stdout,
			output.Stderr, plain.Stdout, plain.Stderr)
	}
	p := mallardtest.Read(t, file)
	if n := mallardtest.Objects(t, file, class, "int[]"); n != made || !p.Complete || len(p.Losses) > 0 {
		t.Errorf("%d arrays, want %d; complete: %v, losses %v; the program says\n%s%s", n, made, p.Complete, p.Losses,
			output.Stdout, output.Stderr)
	}
}

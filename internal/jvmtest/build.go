package jvmtest

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Root returns the top folder of the repository: the nearest one above the working directory that has a go.mod.
func Root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", errors.New("jvmtest: the working directory is outside of the repository")
		}
		folder = parent
	}
}

// MustRoot is Root for tests.
func MustRoot(tb testing.TB) string {
	tb.Helper()
	root, err := Root()
	if err != nil {
		tb.Fatal(err)
	}
	return root
}

// Javac compiles Java sources and returns the folder of the classes. Options go to javac as they are, for instance
// "--release", "11". The folder is shared and not to be written to: equal sources, options and JDK give the same one.
func (j JDK) Javac(options []string, sources ...string) (classes string, err error) {
	return kept("classes", j.compilation(options, sources), func(out string) error {
		return j.javac(out, options, sources)
	})
}

// MustJavac is Javac for tests.
func (j JDK) MustJavac(tb testing.TB, options []string, sources ...string) string {
	tb.Helper()
	classes, err := j.Javac(options, sources...)
	if err != nil {
		tb.Fatal(err)
	}
	return classes
}

// MustJavacEach compiles sources with one javac and returns a folder that has a folder for each, by the name of its
// main class, with that and the classes nested in it.
func (j JDK) MustJavacEach(tb testing.TB, options []string, sources ...string) string {
	tb.Helper()
	folder, err := kept("programs", j.compilation(options, sources), func(out string) error {
		if err := j.javac(out, options, sources); err != nil {
			return err
		}
		classes, err := filepath.Glob(filepath.Join(out, "*.class"))
		for _, class := range classes {
			main, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(class), ".class"), "$")
			err = errors.Join(err, os.MkdirAll(filepath.Join(out, main), 0o755),
				os.Rename(class, filepath.Join(out, main, filepath.Base(class))))
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return folder
}

// compilation is what javac's output depends on.
func (j JDK) compilation(options, sources []string) *ingredients {
	key := newIngredients()
	key.jdk(j)
	key.words(javacOptions...)
	key.words(options...)
	key.sources(sources)
	return key
}

// javacOptions run the compiler as a short program runs best: what C2 would make of it takes longer than it saves.
var javacOptions = []string{"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-nowarn", "-encoding", "UTF-8"}

func (j JDK) javac(out string, options, sources []string) error {
	return compile(exec.Command(j.Tool("javac"), slices.Concat(javacOptions, []string{"-d", out}, options, sources)...))
}

// AgentJar makes the jar that names a Java agent; the agent itself is on the class path. The jar is shared, as Javac's
// folder is.
func AgentJar(tb testing.TB, class string) string {
	tb.Helper()
	const name = "agent.jar"
	manifest := fmt.Sprintf("Manifest-Version: 1.0\nPremain-Class: %s\nCan-Redefine-Classes: true\n"+
		"Can-Retransform-Classes: true\n", class)
	key := newIngredients()
	key.words("agent jar", manifest)
	folder, err := kept("jar", key, func(out string) error {
		var text bytes.Buffer
		jar := zip.NewWriter(&text)
		file, err := jar.Create("META-INF/MANIFEST.MF")
		if err == nil {
			_, err = io.WriteString(file, manifest)
		}
		if err := errors.Join(err, jar.Close()); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(out, name), text.Bytes(), 0o644)
	})
	if err != nil {
		tb.Fatal(err)
	}
	return filepath.Join(folder, name)
}

// Agent compiles the C sources of a native agent against the JDK's headers and returns the path of the library. Headers
// (.h) among the sources are those that the others include, from any folder. The library is shared, as Javac's folder
// is.
func (j JDK) Agent(sources ...string) (library string, err error) {
	const name = "libagent.so"
	key := j.compilation([]string{"gcc"}, sources)
	folder, err := kept("agent", key, func(out string) error {
		include := filepath.Join(j.Home, "include")
		args := []string{"-std=c11", "-D_DEFAULT_SOURCE", "-O2", "-g", "-Wall", "-Wextra", "-Werror",
			"-fvisibility=hidden",
			"-shared", "-fPIC", "-pthread", "-I" + include, "-I" +
				filepath.Join(include, "linux"), "-o", filepath.Join(out, name)}
		for _, source := range sources {
			if filepath.Ext(source) == ".c" {
				args = append(args, source)
			} else {
				args = append(args, "-I"+filepath.Dir(source))
			}
		}
		return compile(exec.Command("gcc", args...))
	})
	return filepath.Join(folder, name), err
}

// Executable compiles C sources to a program, with further options of the compiler, and returns its path. Headers (.h)
// among the sources are those that the others include, from any folder. The program is shared, as Javac's folder is.
func Executable(options []string, sources ...string) (program string, err error) {
	const name = "program"
	key := newIngredients()
	key.words("gcc")
	key.words(options...)
	key.sources(sources)
	folder, err := kept("program", key, func(out string) error {
		args := append([]string{"-std=c11", "-D_GNU_SOURCE", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-pthread",
			"-o", filepath.Join(out, name)}, options...)
		for _, source := range sources {
			if filepath.Ext(source) == ".h" {
				args = append(args, "-I"+filepath.Dir(source))
			} else {
				args = append(args, source)
			}
		}
		return compile(exec.Command("gcc", args...))
	})
	return filepath.Join(folder, name), err
}

// compile runs a compiler.
func compile(command *exec.Cmd) error {
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("jvmtest: %s: %w\n%s", strings.Join(command.Args, " "), err, output)
	}
	return nil
}

package jvmtest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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
	return built("classes", append([]string{"javac", j.Home, j.Version}, options...), sources, func(out string) *exec.Cmd {
		args := append([]string{"-nowarn", "-encoding", "UTF-8", "-d", out}, options...)
		return exec.Command(j.Tool("javac"), append(args, sources...)...)
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

// Agent compiles the C sources of a native agent against the JDK's headers and returns the path of the library. Headers (.h) among the sources are
// those that the others include. The library is shared, as Javac's folder is.
func (j JDK) Agent(sources ...string) (library string, err error) {
	const name = "libagent.so"
	folder, err := built("agent", []string{"gcc", j.Home, j.Version}, sources, func(out string) *exec.Cmd {
		include := filepath.Join(j.Home, "include")
		args := []string{"-std=c11", "-D_DEFAULT_SOURCE", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-fvisibility=hidden",
			"-shared", "-fPIC", "-pthread", "-I" + include, "-I" + filepath.Join(include, "linux"), "-o", filepath.Join(out, name)}
		for _, source := range sources {
			if filepath.Ext(source) == ".c" {
				args = append(args, source)
			}
		}
		return exec.Command("gcc", args...)
	})
	return filepath.Join(folder, name), err
}

// Executable compiles C sources to a program, with further options of the compiler, and returns its path. Headers (.h)
// among the sources are those that the others include, from any folder. The program is shared, as Javac's folder is.
func Executable(options []string, sources ...string) (program string, err error) {
	const name = "program"
	folder, err := built("program", append([]string{"gcc"}, options...), sources, func(out string) *exec.Cmd {
		args := append([]string{"-std=c11", "-D_GNU_SOURCE", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-pthread",
			"-o", filepath.Join(out, name)}, options...)
		for _, source := range sources {
			if filepath.Ext(source) == ".h" {
				args = append(args, "-I"+filepath.Dir(source))
			} else {
				args = append(args, source)
			}
		}
		return exec.Command("gcc", args...)
	})
	return filepath.Join(folder, name), err
}

// built returns the folder that a compiler made of the sources, running it only if no earlier run, also of another process, did.
// Results live in the user's cache folder under a hash of everything they depend on; concurrent builds of one result are
// harmless, since each works in a folder of its own and the first to finish is kept.
func built(kind string, settings, sources []string, compiler func(out string) *exec.Cmd) (string, error) {
	hash := sha256.New()
	for _, setting := range settings {
		fmt.Fprintf(hash, "%s\x00", strconv.Quote(setting))
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(hash, "%s\x00%d\x00%s", filepath.Base(source), len(text), text)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "mallard", "jvmtest")
	result := filepath.Join(cache, kind+"-"+hex.EncodeToString(hash.Sum(nil)[:16]))
	if _, err := os.Stat(result); err == nil {
		return result, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(cache, "work-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	command := compiler(work)
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("jvmtest: %s %s: %w\n%s", filepath.Base(command.Path), strings.Join(sources, " "), err, output)
	}
	if err := os.Chmod(work, 0o755); err != nil {
		return "", err
	}
	if err := os.Rename(work, result); err != nil {
		if _, lost := os.Stat(result); lost != nil {
			return "", err
		}
	}
	return result, nil
}

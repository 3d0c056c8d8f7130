// Package payload holds what the binary carries for the JVM: the agent's library, the runtime classes, and the classes
// of programs that record themselves. It unpacks the library, for a JVM can load one only from a file.
package payload

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed files
var files embed.FS

const (
	libraryName    = "libmallard.so"
	launcherName   = "launcher"
	runtimePrefix  = "runtime-"
	portablePrefix = "portable-"
	apiName        = "mallard-api.jar"
)

// errNotBuilt is what a binary made without the Makefile answers.
var errNotBuilt = errors.New("this mallard was built without its agent; build it with make build")

// Runtime gives the runtime classes as compiled (see instrument.Runtime), by their names in internal form.
func Runtime() (map[string][]byte, error) { return classes(runtimePrefix, "java/lang/") }

// Portable gives the classes that programs carry which record themselves, as compiled, by their names without the
// package.
func Portable() (map[string][]byte, error) { return classes(portablePrefix, "") }

func classes(prefix, pack string) (map[string][]byte, error) {
	entries, err := files.ReadDir("files")
	if err != nil {
		return nil, err
	}
	classes := map[string][]byte{}
	for _, e := range entries {
		name, ok := strings.CutPrefix(strings.TrimSuffix(e.Name(), ".class"), prefix)
		if !ok {
			continue
		}
		if classes[pack+name], err = files.ReadFile("files/" + e.Name()); err != nil {
			return nil, err
		}
	}
	if len(classes) == 0 {
		return nil, errNotBuilt
	}
	return classes, nil
}

// Agent gives the path of the agent's library, unpacked into a folder that nobody else can write to and that everybody
// can read, where one can be had: a command may start a JVM as another user, which does not start without the library.
// The folder is named after the contents, so that several versions live side by side; beside the library is a link to
// this binary, which the agent starts where no recorder is waiting, and the program that the kernel starts for a shim
// (package shim).
func Agent() (string, error) {
	library, err := files.ReadFile("files/" + libraryName)
	launcher, missing := files.ReadFile("files/" + launcherName)
	if err = errors.Join(err, missing); errors.Is(err, fs.ErrNotExist) {
		return "", errNotBuilt
	}
	if err != nil {
		return "", err
	}
	binary, err := os.Executable()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(slices.Concat([]byte(binary+"\x00"), library, launcher))
	candidates := append(openFolders(), privateFolders()...)
	folder, err := filledFolder(candidates, hex.EncodeToString(sum[:8]), func(folder string) error {
		return errors.Join(place(folder, libraryName, library), place(folder, launcherName, launcher),
			placeBinary(folder, binary))
	})
	return filepath.Join(folder, libraryName), err
}

// place puts a file into a folder, for everybody to run.
func place(folder, name string, text []byte) error {
	path := filepath.Join(folder, name)
	if have, err := os.ReadFile(path); err == nil && string(have) == string(text) && ownedAlone(path) {
		return nil
	}
	return Install(path, func(temporary string) error {
		// whatever umask says
		return errors.Join(os.WriteFile(temporary, text, 0o700), os.Chmod(temporary, openMode))
	})
}

// placeBinary puts this binary into a folder: by a link, or where that leads some users to what they cannot run, as a
// second name of the file or a copy.
func placeBinary(folder, binary string) error {
	beside := filepath.Join(folder, "mallard")
	if OpenToAll(folder, 0o005) == nil && OpenToAll(binary, 0o005) != nil {
		return duplicate(binary, beside)
	}
	if to, err := os.Readlink(beside); err == nil && to == binary {
		return nil
	}
	return Install(beside, func(temporary string) error { return os.Symlink(binary, temporary) })
}

// duplicate has a program of this user's under a second path, where everybody can run it.
func duplicate(program, path string) error {
	info, err := os.Stat(program)
	if err != nil {
		return err
	}
	have, err := os.Lstat(path)
	if err == nil && (os.SameFile(have, info) || ownedAlone(path) && have.Mode().Perm() == openMode &&
		have.Size() == info.Size() && have.ModTime().Equal(info.ModTime())) {
		return nil
	}
	return Install(path, func(temporary string) error {
		if program, err := filepath.EvalSymlinks(program); err == nil && info.Mode().Perm() == openMode &&
			os.Link(program, temporary) == nil {
			return nil
		}
		text, err := os.ReadFile(program)
		if err != nil {
			return err
		}
		return errors.Join(os.WriteFile(temporary, text, 0o700), os.Chmod(temporary, openMode),
			os.Chtimes(temporary, info.ModTime(), info.ModTime()))
	})
}

// API gives the path of the jar with what programs may know of Mallard (package mallard), unpacked like the agent.
func API() (string, error) {
	jar, err := files.ReadFile("files/" + apiName)
	if errors.Is(err, fs.ErrNotExist) {
		return "", errNotBuilt
	}
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(jar)
	folder, err := filledFolder(privateFolders(), hex.EncodeToString(sum[:8]), func(folder string) error {
		path := filepath.Join(folder, apiName)
		if have, err := os.ReadFile(path); err == nil && string(have) == string(jar) {
			return nil
		}
		return Install(path, func(temporary string) error { return os.WriteFile(temporary, jar, 0o600) })
	})
	return filepath.Join(folder, apiName), err
}

// Install makes a file in a folder of its own and moves it into place, so that a JVM that starts meanwhile sees the old
// or the new one.
func Install(path string, make func(temporary string) error) error {
	folder, err := os.MkdirTemp(filepath.Dir(path), "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	temporary := filepath.Join(folder, filepath.Base(path))
	if err := make(temporary); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// Launcher is where, beside the agent's library, the program is that the kernel starts for a shim.
func Launcher(library string) string { return filepath.Join(filepath.Dir(library), launcherName) }

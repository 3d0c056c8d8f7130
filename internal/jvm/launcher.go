package jvm

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// Launcher is a native program in the bin folder of a JDK, or of an image that jlink made, that starts a JVM: java,
// which takes the JVM's options as they are, or javac, jshell and others, which take them behind -J.
type Launcher struct {
	Path string // without links
}

// FindLauncher gives the launcher that a command is: a path, or a name to be found on the PATH.
func FindLauncher(command string) (Launcher, bool) {
	path, err := exec.LookPath(command)
	if err != nil {
		return Launcher{}, false
	}
	if path, err = filepath.EvalSymlinks(path); err != nil || !usesLauncherLibrary(path) {
		return Launcher{}, false
	}
	l := Launcher{path}
	_, err = os.Stat(filepath.Join(l.Home(), "lib", launcherLibrary))
	return l, err == nil
}

// Home is the folder of the JDK.
func (l Launcher) Home() string { return filepath.Dir(filepath.Dir(l.Path)) }

// Name is what the launcher is called in the JDK's bin.
func (l Launcher) Name() string { return filepath.Base(l.Path) }

// isJava reports whether the JVM's options come as they are.
func (l Launcher) isJava() bool { return l.Name() == "java" }

// options gives options of the JVM's as words for the launcher, in the same memory.
func (l Launcher) options(words []string) []string {
	if !l.isJava() {
		for i := range words {
			words[i] = "-J" + words[i]
		}
	}
	return words
}

// launcherLibrary reads a launcher's arguments; all of a JDK's launchers are linked with it.
const launcherLibrary = "libjli.so"

// usesLauncherLibrary reports whether a file is an ELF program that names the library. A script around one is none, and
// neither is another native program that a JDK has.
func usesLauncherLibrary(path string) bool {
	const most = 1 << 20 // launchers have some 14 KB
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	program, err := io.ReadAll(io.LimitReader(f, most))
	return err == nil && bytes.HasPrefix(program, []byte("\x7fELF")) &&
		bytes.Contains(program, []byte(launcherLibrary))
}

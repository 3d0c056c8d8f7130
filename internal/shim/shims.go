// Package shim puts stand-ins for JDKs' launchers on a command's PATH and into its JAVA_HOME. A shim starts the
// launcher with Mallard's agent as an argument, of which the JVM says nothing. Of options in JAVA_TOOL_OPTIONS it says
// that it has them ("Picked up ...").
//
//	FOLDER/HASH/java-17-openjdk/bin/java   a shim; what else the JDK has is linked: lib, conf, release, ...
//	FOLDER/path-HASH/java                  a link to it, where PATH leads to that JDK's java
//
// Links that are followed from there, as scripts do that look for a JDK, end at a folder that has all that a JDK has.
package shim

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"mallard/internal/jvm"
	"mallard/internal/payload"
)

// Shims makes shims. They stay where they are, for processes that outlive mallard.
type Shims struct {
	Folder string // where they are kept: nobody else may write there
	// what the kernel starts for a shim (launcher/launcher.c), and what that starts: mallard; no white space in paths
	Launcher, Binary string
}

// Into gives an environment in which the launchers on the PATH, and the JDKs and launchers that variables name, are
// shims.
func (s Shims) Into(environment []string) ([]string, error) {
	// the kernel reads no more of a script's first line (execve(2))
	if line := s.firstLine(); len(line) > 254 || strings.Count(line, " ") != 1 {
		return environment, fmt.Errorf("no program of scripts can be %s; set XDG_CACHE_HOME to a short path without "+
			"blanks", s.Binary)
	}
	for _, program := range []string{s.Launcher, s.Binary} {
		if err := payload.OpenToAll(program, 0o005); err != nil && os.Geteuid() == 0 {
			return environment, fmt.Errorf("other users cannot run %s: %w", program, err)
		}
	}
	changed := environment
	homes := map[string]bool{}
	for _, v := range environment {
		name, value, _ := strings.Cut(v, "=")
		if !namesJDK(name) || !filepath.IsAbs(value) {
			continue
		}
		if l, ok := jvm.FindLauncher(filepath.Join(value, "bin", "java")); ok && isHome(value, l) {
			home, err := s.jdk(l.Home())
			if err != nil {
				return environment, err
			}
			homes[l.Home()] = true
			changed = jvm.WithVariable(changed, name, home)
		} else if l, ok := jvm.FindLauncher(value); ok {
			shim, err := s.shim(l)
			if err != nil {
				return environment, err
			}
			changed = jvm.WithVariable(changed, name, shim)
		}
	}
	for _, name := range []string{"java", "javac"} {
		if l, ok := jvm.FindLauncher(name); ok {
			homes[l.Home()] = true
		}
	}
	if jvm.Variable(environment, "PATH") == "" { // what is looked for instead is not known
		return changed, nil
	}
	folder, err := s.path(homes)
	if err != nil || folder == "" {
		return changed, err
	}
	return jvm.WithVariable(changed, "PATH", folder+string(filepath.ListSeparator)+jvm.Variable(environment, "PATH")),
		nil
}

// namesJDK reports whether a variable is one for JDKs, or for programs of one: JAVA_HOME, JDK_HOME, JRE_HOME, JAVACMD.
func namesJDK(variable string) bool {
	return slices.ContainsFunc([]string{"JAVA", "JDK", "JRE"}, func(word string) bool {
		return strings.Contains(variable, word)
	})
}

// isHome reports whether a folder is a launcher's JDK.
func isHome(folder string, l jvm.Launcher) bool {
	path, err := filepath.EvalSymlinks(folder)
	return err == nil && path == l.Home()
}

// path makes the folder for the PATH: a link for each launcher that a name leads to. Names that the JDKs have and that
// are nothing, or something else, stay so. It is "" where none is a launcher.
func (s Shims) path(homes map[string]bool) (string, error) {
	links := map[string]string{}
	for home := range homes {
		entries, err := os.ReadDir(filepath.Join(home, "bin"))
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			path, err := exec.LookPath(e.Name())
			if l, ok := jvm.FindLauncher(path); err == nil && ok && filepath.IsAbs(path) {
				if links[e.Name()], err = s.shim(l); err != nil {
					return "", err
				}
			}
		}
	}
	if len(links) == 0 {
		return "", nil
	}
	var all []string
	for name, to := range links {
		all = append(all, name+"\x00"+to)
	}
	slices.Sort(all)
	folder := filepath.Join(s.Folder, "path-"+hash(strings.Join(all, "\x00")))
	for name, to := range links {
		if err := link(to, filepath.Join(folder, name)); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// shim makes a launcher's JDK and gives the path of its shim.
func (s Shims) shim(l jvm.Launcher) (string, error) {
	home, err := s.jdk(l.Home())
	return filepath.Join(home, "bin", l.Name()), err
}

// jdk makes the folder that stands for a JDK.
func (s Shims) jdk(home string) (string, error) {
	folder := filepath.Join(s.Folder, hash(home), filepath.Base(home))
	entries, err := os.ReadDir(home)
	if err != nil {
		return "", err
	}
	bin, err := os.ReadDir(filepath.Join(home, "bin"))
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if e.Name() != "bin" {
			err = errors.Join(err, link(filepath.Join(home, e.Name()), filepath.Join(folder, e.Name())))
		}
	}
	for _, e := range bin {
		program, stand := filepath.Join(home, "bin", e.Name()), filepath.Join(folder, "bin", e.Name())
		if l, ok := jvm.FindLauncher(program); ok {
			err = errors.Join(err, write(s.firstLine()+"\n"+l.Path+"\n", stand))
		} else {
			err = errors.Join(err, link(program, stand))
		}
	}
	return folder, err
}

// firstLine is what a shim begins with. The kernel starts the launcher with the path of mallard, that of the shim, and
// the arguments.
func (s Shims) firstLine() string { return "#!" + s.Launcher + " " + s.Binary }

// Command is the word for mallard that calls [Start]; the launcher has it, too.
const Command = "shim"

// hash names what is made of a text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// link makes a link, unless it is there.
func link(to, path string) error {
	if have, err := os.Readlink(path); err == nil && have == to {
		return nil
	}
	return install(path, func(temporary string) error { return os.Symlink(to, temporary) })
}

// write makes a program, unless it is there.
func write(text, path string) error {
	if have, err := os.ReadFile(path); err == nil && string(have) == text {
		return nil
	}
	return install(path, func(temporary string) error {
		return errors.Join(os.WriteFile(temporary, []byte(text), 0o700), os.Chmod(temporary, 0o755))
	})
}

// install makes a file in a folder that everybody may read who gets that far.
func install(path string, make func(temporary string) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return payload.Install(path, make)
}

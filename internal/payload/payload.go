// Package payload holds what the binary carries for the JVM: the agent's library, the runtime classes, and the classes
// of programs that record themselves. It unpacks the library, for a JVM can load one only from a file.
package payload

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

//go:embed files
var files embed.FS

const (
	libraryName    = "libmallard.so"
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

// Agent gives the path of the agent's library, unpacked into a folder of the user's cache that nobody else can write
// to. Root's is one that everybody can read: a command of root's may start a JVM as another user, and that does not
// start without the library. The folder is named after the contents, so that several versions live side by side; beside
// the library is a link to this binary, which the agent starts where no recorder is waiting.
func Agent() (string, error) {
	library, err := files.ReadFile("files/" + libraryName)
	if errors.Is(err, fs.ErrNotExist) {
		return "", errNotBuilt
	}
	if err != nil {
		return "", err
	}
	binary, err := os.Executable()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(append([]byte(binary+"\x00"), library...))
	bases := privateBases()
	if os.Geteuid() == 0 && os.Getenv("XDG_CACHE_HOME") == "" {
		bases = append([]base{{"/var/cache/mallard", 0o755}}, bases...)
	}
	folder, err := filledFolder(bases, hex.EncodeToString(sum[:8]), func(folder string) error {
		return unpackAgent(folder, library, binary)
	})
	return filepath.Join(folder, libraryName), err
}

// unpackAgent puts the library into a folder, and a link to this binary.
func unpackAgent(folder string, library []byte, binary string) error {
	path := filepath.Join(folder, libraryName)
	if have, err := os.ReadFile(path); err != nil || string(have) != string(library) {
		if err := Install(path, func(temporary string) error {
			// whatever umask says
			return errors.Join(os.WriteFile(temporary, library, 0o700), os.Chmod(temporary, 0o755))
		}); err != nil {
			return err
		}
	}
	link := filepath.Join(folder, "mallard")
	if to, err := os.Readlink(link); err == nil && to == binary {
		return nil
	}
	return Install(link, func(temporary string) error { return os.Symlink(binary, temporary) })
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
	folder, err := filledFolder(privateBases(), hex.EncodeToString(sum[:8]), func(folder string) error {
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

// Folder gives a folder of the user's cache that nobody else can enter, for files that may be made again.
func Folder(name string) (string, error) {
	return filledFolder(privateBases(), name, func(string) error { return nil })
}

// base is a folder for folders of ours, and who may enter them.
type base struct {
	path string
	mode fs.FileMode
}

// privateBases are those of the user's alone: below the cache, and where that cannot be had, or is full, or no program
// may run from it, or somebody else owns it (under sudo), below the temporary folder.
func privateBases() (bases []base) {
	if cache, err := os.UserCacheDir(); err == nil {
		bases = append(bases, base{filepath.Join(cache, "mallard"), 0o700})
	}
	return append(bases, base{filepath.Join(os.TempDir(), fmt.Sprintf("mallard-%d", os.Getuid())), 0o700})
}

// filledFolder gives a folder in the first base where it can be had, and filled.
func filledFolder(bases []base, name string, fill func(folder string) error) (folder string, err error) {
	for _, b := range bases {
		if folder, err = b.claim(name); err == nil {
			err = fill(folder)
		}
		if err == nil {
			return folder, nil
		}
	}
	return "", err
}

// claim makes sure that the base and the folder of a name in it are the user's, to which nobody else can write.
func (b base) claim(name string) (string, error) {
	folder := filepath.Join(b.path, name)
	if err := os.MkdirAll(filepath.Dir(b.path), 0o700); err != nil {
		return "", err
	}
	if err := trustedAncestors(b.path); err != nil {
		return "", err
	}
	for _, f := range []string{b.path, folder} {
		if err := os.Mkdir(f, b.mode); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		info, err := os.Lstat(f)
		if err != nil {
			return "", err
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || !ok || int(stat.Uid) != os.Getuid() {
			return "", fmt.Errorf("%s belongs to somebody else; remove it, or set XDG_CACHE_HOME", f)
		}
		if info.Mode().Perm() != b.mode {
			if err := os.Chmod(f, b.mode); err != nil {
				return "", err
			}
		}
	}
	var system unix.Statfs_t
	if err := unix.Statfs(folder, &system); err == nil && system.Flags&unix.ST_NOEXEC != 0 {
		return "", fmt.Errorf("no program may run from %s; set XDG_CACHE_HOME", folder)
	}
	return folder, nil
}

// overflowUser owns, in a user namespace, what belongs to users that it does not have, root among them
// (user_namespaces(7)).
const overflowUser = 65534

// inNamespace reports whether not all users are there.
func inNamespace() bool {
	all, err := os.ReadFile("/proc/self/uid_map")
	return err == nil && !slices.Equal(strings.Fields(string(all)), []string{"0", "0", "4294967295"})
}

// trustedAncestors reports, as an error, a folder above path in which somebody else could put something of theirs in
// the place of what is there: one that belongs to neither the user nor root (as the user's cache does under sudo -E),
// or that others may write to and that is not sticky (inode(7)).
func trustedAncestors(path string) error {
	path, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return err
	}
	for {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		switch {
		case !ok || stat.Uid != 0 && int(stat.Uid) != os.Geteuid() && !(stat.Uid == overflowUser && inNamespace()):
			return fmt.Errorf("%s belongs to somebody else; set XDG_CACHE_HOME to a folder of your own", path)
		case info.Mode()&os.ModeSticky != 0:
		case info.Mode().Perm()&0o002 != 0, info.Mode().Perm()&0o020 != 0 && int(stat.Gid) != os.Getegid():
			return fmt.Errorf("others can write to %s; set XDG_CACHE_HOME to a folder of your own", path)
		}
		if path == "/" {
			return nil
		}
		path = filepath.Dir(path)
	}
}

package payload

import (
	"crypto/rand"
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

// A candidate is where a folder of ours can be: below a base, which is the user's and which others can pass and not
// list.
type candidate struct {
	base   func() (string, error)
	mode   fs.FileMode // of the folder
	secret bool        // nobody else learns the folder's name from a listing
}

const (
	baseMode    = 0o711
	privateMode = 0o700
	openMode    = 0o755 // others read what is there
)

// Folder gives a folder of the user's cache that nobody else can enter, for files that may be made again.
func Folder(name string) (string, error) {
	return filledFolder(privateFolders(), name, func(string) error { return nil })
}

// privateFolders are for folders of the user's alone: below the cache, and where that cannot be had, or is full, or no
// program may run from it, or somebody else owns it (under sudo), below the temporary folder.
func privateFolders() []candidate {
	return []candidate{{base: cacheBase, mode: privateMode},
		{base: func() (string, error) { return TemporaryBase(os.TempDir()) }, mode: privateMode}}
}

// openFolders are for folders that everybody can read. What is removed from a temporary folder somebody else might make
// again, for a process that still knows the name: so the name is known to such alone.
func openFolders() (open []candidate) {
	if os.Geteuid() == 0 && os.Getenv("XDG_CACHE_HOME") == "" {
		open = append(open, candidate{base: func() (string, error) { return ownBase("/var/cache/mallard") },
			mode: openMode})
	}
	open = append(open, candidate{base: func() (string, error) { return passable(cacheBase()) }, mode: openMode})
	for _, parent := range []string{os.TempDir(), "/tmp"} {
		open = append(open, candidate{base: func() (string, error) { return passable(TemporaryBase(parent)) },
			mode: openMode, secret: true})
	}
	return open
}

func cacheBase() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return ownBase(filepath.Join(cache, "mallard"))
}

// TemporaryBase gives a folder of this user's in a folder for temporary files, such as sockets. Others can pass it, and
// cannot list it. Where another user has taken its name, it has another one.
func TemporaryBase(parent string) (string, error) {
	path := filepath.Join(parent, fmt.Sprintf("mallard-%d", os.Geteuid()))
	base, first := ownBase(path)
	if first == nil {
		return base, nil
	}
	others, _ := filepath.Glob(path + "-*") // the pattern is well formed, or nothing matches
	for _, other := range others {
		if _, err := own(other); err == nil {
			return ownBase(other)
		}
	}
	if err := trustedAncestors(path); err != nil {
		return "", err
	}
	other, err := os.MkdirTemp(parent, filepath.Base(path)+"-")
	if err != nil {
		return "", first
	}
	return ownBase(other)
}

// ownBase makes a base.
func ownBase(path string) (string, error) {
	if err := os.MkdirAll(filepath.Dir(path), privateMode); err != nil {
		return "", err
	}
	if err := trustedAncestors(path); err != nil {
		return "", err
	}
	return path, ownFolder(path, baseMode)
}

// passable reports, as an error, that some users cannot get to a base.
func passable(path string, err error) (string, error) {
	if err == nil {
		err = OpenToAll(path, 0o001)
	}
	return path, err
}

// OpenToAll reports, as an error, that a file lacks a permission for all users, or that there are users who cannot get
// there.
func OpenToAll(path string, need fs.FileMode) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	for ; ; need = 0o001 {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if info.Mode().Perm()&need != need {
			return fmt.Errorf("%s has mode %v", path, info.Mode())
		}
		if path == "/" {
			return nil
		}
		path = filepath.Dir(path)
	}
}

// filledFolder gives a folder in the first candidate where it can be had, and filled.
func filledFolder(candidates []candidate, name string, fill func(folder string) error) (folder string, err error) {
	for _, p := range candidates {
		if folder, err = p.claim(name); err == nil {
			err = fill(folder)
		}
		if err == nil {
			return folder, nil
		}
	}
	return "", err
}

// claim makes sure that there is a folder of a name, the user's, to which nobody else can write.
func (c candidate) claim(name string) (string, error) {
	base, err := c.base()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(base, name)
	if c.secret {
		if folder, err = secretFolder(folder); err != nil {
			return "", err
		}
	}
	if err := ownFolder(folder, c.mode); err != nil {
		return "", err
	}
	var system unix.Statfs_t
	if err := unix.Statfs(folder, &system); err == nil && system.Flags&unix.ST_NOEXEC != 0 {
		return "", fmt.Errorf("no program may run from %s; set XDG_CACHE_HOME", folder)
	}
	return folder, nil
}

// secretFolder gives the folder whose name begins so and goes on with what nobody can guess.
func secretFolder(path string) (string, error) {
	there, _ := filepath.Glob(path + "-*")
	for _, folder := range there {
		if _, err := own(folder); err == nil {
			return folder, nil
		}
	}
	folder := path + "-" + strings.ToLower(rand.Text())
	return folder, os.Mkdir(folder, privateMode)
}

// ownFolder makes a folder of the user's, unless it is there.
func ownFolder(path string, mode fs.FileMode) error {
	if err := os.Mkdir(path, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := own(path)
	if err == nil && info.Mode().Perm() != mode {
		err = os.Chmod(path, mode)
	}
	return err
}

// own looks at a folder, which is an error if it is none, or another user's.
func own(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() || owner(info) != os.Geteuid() {
		return nil, fmt.Errorf("%s belongs to somebody else; remove it, or set XDG_CACHE_HOME", path)
	}
	return info, nil
}

// ownedAlone reports whether a file is the user's, and nobody else may write to it.
func ownedAlone(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o022 == 0 && owner(info) == os.Geteuid()
}

// owner gives a file's user, -1 if the system does not say.
func owner(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -1
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

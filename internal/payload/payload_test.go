package payload

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mallard/internal/jvmtest"
)

// unpack gives the library's path in a cache of the test's own. A binary made without the Makefile has no library: the
// test fails.
func unpack(t *testing.T, cache string) string {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", cache)
	library, err := Agent()
	if errors.Is(err, errNotBuilt) {
		t.Fatal("run make build first")
	}
	if err != nil {
		t.Fatal(err)
	}
	return library
}

func TestAgent(t *testing.T) {
	cache := passableFolder(t)
	library := unpack(t, cache)
	if !strings.HasPrefix(library, cache+"/") {
		t.Errorf("unpacked to %s, not below the cache", library)
	}
	for path, want := range map[string]os.FileMode{filepath.Dir(library): 0o755 | os.ModeDir, library: 0o755} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s: mode %v, want %v", path, info.Mode(), want)
		}
	}
	if err := isBinary(filepath.Join(filepath.Dir(library), "mallard")); err != nil {
		t.Error(err)
	}
	if again := unpack(t, cache); again != library {
		t.Errorf("unpacked again to %s, not %s", again, library)
	}
}

// passableFolder is one that every user can get to.
func passableFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "mallard-test-")
	if err == nil {
		err = os.Chmod(folder, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// isBinary reports, as an error, that a path does not lead to this program, or that some users cannot run it.
func isBinary(path string) error {
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	want, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, want) {
		return fmt.Errorf("%s is something else (%w)", path, err)
	}
	return OpenToAll(path, 0o005)
}

// TestAgentRepairs finds a library that was changed and a folder that others can write to.
func TestAgentRepairs(t *testing.T) {
	cache := passableFolder(t)
	library := unpack(t, cache)
	want, err := os.ReadFile(library)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(library)
	for _, spoil := range []func() error{
		func() error { return os.Chmod(library, 0o777) },
		func() error { // it has the bytes, and its owner may change them
			if err := os.Chown(library, 12345, -1); err != nil && os.Geteuid() == 0 {
				return err
			}
			return nil
		},
		func() error { return os.WriteFile(library, []byte("something else"), 0o700) },
		func() error { return os.Remove(library) },
		func() error { return os.Chmod(folder, 0o777) },
		func() error {
			link := filepath.Join(folder, "mallard")
			if err := os.Remove(link); err != nil {
				return err
			}
			return os.Symlink("/bin/false", link)
		},
		func() error { // another's file in the library's place must not be written through
			if err := os.Remove(library); err != nil {
				return err
			}
			return os.Symlink(filepath.Join(cache, "victim"), library)
		},
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		unpack(t, cache)
		have, err := os.ReadFile(library)
		if err != nil || string(have) != string(want) {
			t.Errorf("the library has %d bytes (%v), want %d", len(have), err, len(want))
		}
		if !ownedAlone(library) {
			t.Error("others may write to the library")
		}
		if info, err := os.Lstat(folder); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%s: %v (%v)", folder, info.Mode(), err)
		}
		if err := isBinary(filepath.Join(folder, "mallard")); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Lstat(filepath.Join(cache, "victim")); err == nil {
		t.Error("a file outside the folder was written to")
	}
}

func TestAgentConcurrently(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", passableFolder(t))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			library, err := Agent()
			if err != nil {
				t.Error(err)
				return
			}
			embedded, err := files.ReadFile("files/" + libraryName)
			if err != nil {
				t.Error(err)
				return
			}
			if have, err := os.ReadFile(library); err != nil || string(have) != string(embedded) {
				t.Errorf("%d bytes unpacked (%v), want %d", len(have), err, len(embedded))
			}
		})
	}
	all.Wait()
	left, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "mallard", "*", "new-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v (%v)", left, err)
	}
}

// TestClaimRefuses holds folders that are not the user's alone, and cannot be made so.
func TestClaimRefuses(t *testing.T) {
	elsewhere := t.TempDir()
	for name, prepare := range map[string]func(base string) error{
		"link":        func(base string) error { return os.Symlink(elsewhere, base) },
		"file":        func(base string) error { return os.WriteFile(base, nil, 0o600) },
		"other owner": func(base string) error { return errors.Join(os.Mkdir(base, 0o700), os.Chown(base, 12345, -1)) },
		"linked inside": func(base string) error {
			return errors.Join(os.Mkdir(base, 0o700), os.Symlink(elsewhere, filepath.Join(base, "version")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "mallard")
			if err := prepare(path); errors.Is(err, os.ErrPermission) {
				jvmtest.Missing(t, "only root can give folders away")
			} else if err != nil {
				t.Fatal(err)
			}
			private := candidate{base: func() (string, error) { return ownBase(path) }, mode: privateMode}
			if folder, err := private.claim("version"); err == nil {
				t.Errorf("claimed %s", folder)
			} else if !strings.Contains(err.Error(), path) {
				t.Errorf("the error does not say which folder: %v", err)
			}
		})
	}
	if files, err := os.ReadDir(elsewhere); err != nil || len(files) > 0 {
		t.Errorf("made through a link: %v (%v)", files, err)
	}
}

// TestAgentWithoutCache falls back to the temporary folder.
func TestAgentWithoutCache(t *testing.T) {
	temporary := passableFolder(t)
	t.Setenv("TMPDIR", temporary)
	occupied := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(occupied, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if library := unpack(t, occupied); !strings.HasPrefix(library, temporary+"/") {
		t.Errorf("unpacked to %s, not below %s", library, temporary)
	}
}

// TestAgentForAll has a cache that other users cannot get to: the library is where they can, below a name that no
// listing tells them. Where nothing is open to all it is the user's alone.
func TestAgentForAll(t *testing.T) {
	closed, temporary := t.TempDir(), passableFolder(t)
	t.Setenv("TMPDIR", temporary)
	library := unpack(t, closed)
	if err := OpenToAll(library, 0o005); err != nil || !strings.HasPrefix(library, temporary+"/") {
		t.Errorf("unpacked to %s: %v", library, err)
	}
	if again := unpack(t, closed); again != library {
		t.Errorf("unpacked again to %s, not %s", again, library)
	}
	info, err := os.Stat(filepath.Dir(filepath.Dir(library)))
	if err != nil || info.Mode().Perm() != 0o711 {
		t.Errorf("%v (%v)", info.Mode(), err)
	}
	if folder, err := Folder("classes"); err != nil || !strings.HasPrefix(folder, closed+"/") {
		t.Errorf("a folder of the user's alone is %s (%v)", folder, err)
	}
}

// TestDuplicate has programs that others can run by their second path, as long as the first is the same.
func TestDuplicate(t *testing.T) {
	for _, mode := range []os.FileMode{0o755, 0o700} { // a second name, and a copy
		program, path := filepath.Join(t.TempDir(), "program"), filepath.Join(passableFolder(t), "program")
		var last os.FileInfo
		for _, text := range []string{"one", "one", "two", "three"} {
			if have, err := os.ReadFile(program); err != nil || string(have) != text {
				os.Remove(program)
				if err := errors.Join(os.WriteFile(program, []byte(text), mode), os.Chmod(program, mode)); err != nil {
					t.Fatal(err)
				}
				last = nil
			}
			if err := errors.Join(duplicate(program, path), OpenToAll(path, 0o005)); err != nil {
				t.Error(err)
			}
			if have, err := os.ReadFile(path); err != nil || string(have) != text {
				t.Errorf("%q (%v), want %q", have, err, text)
			}
			info, err := os.Stat(path)
			if err != nil || last != nil && !os.SameFile(info, last) {
				t.Errorf("made again (%v)", err)
			}
			last = info
		}
	}
}

// TestTemporaryBase has another user take the names of ours, which then have others; what somebody made is not taken
// for ours.
func TestTemporaryBase(t *testing.T) {
	parent := t.TempDir()
	name := filepath.Join(parent, fmt.Sprintf("mallard-%d", os.Geteuid()))
	if err := os.Mkdir(name, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(name, 12345, -1); errors.Is(err, os.ErrPermission) {
		jvmtest.Missing(t, "only root can give folders away")
	} else if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink("/tmp", name+"-0"), os.Mkdir(name+"-1", 0o777), os.Chown(name+"-1", 12345, -1),
		os.WriteFile(name+"-2", nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	base, err := TemporaryBase(parent)
	if err != nil || !strings.HasPrefix(base, name+"-") || !own0711(base) {
		t.Fatalf("%s, %v", base, err)
	}
	if again, err := TemporaryBase(parent); err != nil || again != base {
		t.Errorf("then %s, %v", again, err)
	}
	if err := os.Chmod(parent, 0o777); err != nil {
		t.Fatal(err)
	}
	if base, err := TemporaryBase(parent); err == nil {
		t.Errorf("%s, where others could replace it", base)
	}
}

func own0711(path string) bool {
	info, err := own(path)
	return err == nil && info.Mode().Perm() == baseMode
}

func TestRuntime(t *testing.T) {
	classes, err := Runtime()
	if err != nil || classes["java/lang/$Mallard"] == nil {
		t.Errorf("%d classes (%v)", len(classes), err)
	}
	for name, class := range classes {
		if !strings.HasPrefix(string(class), "\xca\xfe\xba\xbe") {
			t.Errorf("%s is no class file: %q", name, class[:min(4, len(class))])
		}
	}
}

// TestFullDisk has a cache with room for folders, and none for the library.
func TestFullDisk(t *testing.T) {
	cache, temporary := passableFolder(t), passableFolder(t)
	t.Setenv("TMPDIR", temporary)
	folder := filepath.Dir(unpack(t, cache))
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, libraryName), 0o700); err != nil { // what cannot be written in its place
		t.Fatal(err)
	}
	if library := unpack(t, cache); !strings.HasPrefix(library, temporary) {
		t.Errorf("unpacked %s", library)
	}
}

// TestUntrustedAncestors has caches in folders where others could put something in the place of ours.
func TestUntrustedAncestors(t *testing.T) {
	temporary := passableFolder(t)
	t.Setenv("TMPDIR", temporary)
	for name, spoil := range map[string]func(folder string) error{
		"all may write": func(folder string) error { return os.Chmod(folder, 0o777) },
		"a group may write": func(folder string) error {
			return errors.Join(os.Chown(folder, -1, 12345), os.Chmod(folder, 0o770))
		},
		"another user's, as under sudo -E": func(folder string) error { return os.Chown(folder, 12345, -1) },
	} {
		t.Run(name, func(t *testing.T) {
			above := filepath.Join(t.TempDir(), "above")
			cache := filepath.Join(above, "cache")
			if err := os.MkdirAll(cache, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := spoil(above); errors.Is(err, os.ErrPermission) {
				jvmtest.Missing(t, "only root can give folders away")
			} else if err != nil {
				t.Fatal(err)
			}
			if library := unpack(t, cache); !strings.HasPrefix(library, temporary+"/") {
				t.Errorf("unpacked %s", library)
			}
		})
	}
	sticky := filepath.Join(passableFolder(t), "sticky")
	if err := os.Mkdir(sticky, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(sticky, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(sticky, "cache"), 0o755); err != nil {
		t.Fatal(err)
	}
	if library := unpack(t, filepath.Join(sticky, "cache")); !strings.HasPrefix(library, sticky+"/") {
		t.Errorf("unpacked %s", library)
	}
}

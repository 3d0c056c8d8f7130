package payload

import (
	"errors"
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
	cache := t.TempDir()
	library := unpack(t, cache)
	if !strings.HasPrefix(library, cache+"/") {
		t.Errorf("unpacked to %s, not below the cache", library)
	}
	for path, want := range map[string]os.FileMode{filepath.Dir(library): 0o700 | os.ModeDir, library: 0o755} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s: mode %v, want %v", path, info.Mode(), want)
		}
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if link, err := os.Readlink(filepath.Join(filepath.Dir(library), "mallard")); err != nil || link != binary {
		t.Errorf("beside the library is a link to %q (%v), want one to %q", link, err, binary)
	}
	if again := unpack(t, cache); again != library {
		t.Errorf("unpacked again to %s, not %s", again, library)
	}
}

// TestAgentRepairs finds a library that was changed and a folder that others can write to.
func TestAgentRepairs(t *testing.T) {
	cache := t.TempDir()
	library := unpack(t, cache)
	want, err := os.ReadFile(library)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(library)
	for _, spoil := range []func() error{
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
		if info, err := os.Lstat(folder); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v (%v)", folder, info.Mode(), err)
		}
		if link, err := os.Readlink(filepath.Join(folder, "mallard")); err != nil || link == "/bin/false" {
			t.Errorf("the link leads to %s (%v)", link, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(cache, "victim")); err == nil {
		t.Error("a file outside the folder was written to")
	}
}

func TestAgentConcurrently(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
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
			if folder, err := (base{path, 0o700}).claim("version"); err == nil {
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
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	occupied := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(occupied, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if library := unpack(t, occupied); !strings.HasPrefix(library, temporary+"/") {
		t.Errorf("unpacked to %s, not below %s", library, temporary)
	}
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
	cache, temporary := t.TempDir(), t.TempDir()
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
	temporary := t.TempDir()
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
	sticky := filepath.Join(t.TempDir(), "sticky")
	if err := os.Mkdir(sticky, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(sticky, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	if library := unpack(t, filepath.Join(sticky, "cache")); !strings.HasPrefix(library, sticky+"/") {
		t.Errorf("unpacked %s", library)
	}
}

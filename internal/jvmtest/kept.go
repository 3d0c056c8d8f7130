package jvmtest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// kept returns the folder with what an earlier run, also of another process, made of the same ingredients, or has it
// made. Results live in the user's cache folder; the key is a hash of everything that they depend on. One process makes
// a result while others that want it wait. Of what fails nothing is kept.
func kept(kind string, key *ingredients, make func(folder string) error) (string, error) {
	if key.err != nil {
		return "", fmt.Errorf("jvmtest: %s: %w", kind, key.err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	cache = filepath.Join(cache, "mallard", "jvmtest")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	result := filepath.Join(cache, kind+"-"+hex.EncodeToString(key.hash.Sum(nil)[:16]))
	unlock, err := lockedfile.MutexAt(result + ".lock").Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(result); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return result, err
	}
	work, err := os.MkdirTemp(cache, "work-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	if err := make(work); err != nil {
		return "", err
	}
	if err := os.Chmod(work, 0o755); err != nil {
		return "", err
	}
	return result, os.Rename(work, result)
}

// ingredients hashes what a result depends on. Each of them has its length, so that no two lists are the same.
type ingredients struct {
	hash hash.Hash
	err  error // the first
}

func newIngredients() *ingredients { return &ingredients{hash: sha256.New()} }

// words adds strings, and how many.
func (i *ingredients) words(words ...string) {
	fmt.Fprintf(i.hash, "%d words\n", len(words))
	for _, w := range words {
		fmt.Fprintf(i.hash, "%d %s\n", len(w), w)
	}
}

// file adds a file's content under a name, or that there is no such file.
func (i *ingredients) file(name, path string) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		i.words("nothing", name)
		return
	}
	if err != nil {
		i.err = errors.Join(i.err, err)
		return
	}
	defer file.Close()
	content := sha256.New()
	_, err = io.Copy(content, file)
	i.err = errors.Join(i.err, err)
	i.words("file", name, string(content.Sum(nil)))
}

// sources adds files under their names.
func (i *ingredients) sources(paths []string) {
	for _, path := range paths {
		i.file(filepath.Base(path), path)
	}
}

// tree adds all files in a folder, or a file, under its name.
func (i *ingredients) tree(root string) {
	i.words("tree", filepath.Base(root))
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		i.file(name, path)
		return err
	})
	i.err = errors.Join(i.err, err)
}

// jdk adds a JDK: two of one version, or one that was rebuilt in its place, are different.
func (i *ingredients) jdk(j JDK) {
	i.words("JDK", j.Home)
	i.file("release", filepath.Join(j.Home, "release"))
	vm, err := os.Stat(filepath.Join(j.Home, "lib", "server", "libjvm.so"))
	if err != nil {
		i.err = errors.Join(i.err, err)
		return
	}
	i.words(fmt.Sprint(vm.Size()), vm.ModTime().UTC().String())
}

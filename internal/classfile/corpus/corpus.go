// Package corpus finds class files on this machine, so that tests can go over
// every class of the installed JDKs and of the jars that distributions install.
// It is for tests and benchmarks only; nothing of it ends up in the program.
//
//	for _, a := range corpus.All(t) {
//		t.Run(a.Name, func(t *testing.T) {
//			t.Parallel()
//			err := a.Each(func(name string, class []byte) error { ... })
//			...
//		})
//	}
package corpus

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// An Archive is a set of class files: the module image of a JDK, or a jar.
type Archive struct {
	Name string // short and stable, for the name of a subtest
	Path string
	each func(path string, take func(name string) bool, visit func(name string, class []byte) error) error
}

// Each calls visit with each class file of the archive, in the archive's order,
// until visit returns an error. name is module/path/Name.class in an image and
// the entry's name in a jar. class belongs to visit.
func (a Archive) Each(visit func(name string, class []byte) error) error {
	return a.EachOf(func(string) bool { return true }, visit)
}

// EachOf is Each for those class files whose names take takes. Others are not
// even read.
func (a Archive) EachOf(take func(name string) bool, visit func(name string, class []byte) error) error {
	return a.each(a.Path, take, visit)
}

// Sample takes about one class in n, by its name, and in the long tests all.
func Sample(n uint32) func(name string) bool {
	all := os.Getenv("MALLARD_LONG") == "1"
	return func(name string) bool { return all || Part(name, n) == 0 }
}

// Part assigns a name to one of n parts.
func Part(name string, n uint32) uint32 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32() % n
}

// ExtraEnv is an environment variable with a list of further jars or folders
// of jars, separated like PATH.
const ExtraEnv = "MALLARD_TEST_JARS"

// All returns the archives of JDKs and Jars. It fails the test if no JDK is
// installed.
func All(t testing.TB) []Archive {
	t.Helper()
	jdks := JDKs()
	if len(jdks) == 0 {
		t.Fatal("no JDK with lib/modules under /usr/lib/jvm or JAVA_HOME")
	}
	return append(jdks, Jars()...)
}

// JDKs returns the module image of each JDK under /usr/lib/jvm and at
// JAVA_HOME, each once.
func JDKs() []Archive {
	homes, _ := filepath.Glob("/usr/lib/jvm/*")
	if home := os.Getenv("JAVA_HOME"); home != "" {
		homes = append(homes, home)
	}
	var found []Archive
	for _, path := range distinct(homes) {
		image := filepath.Join(path, "lib", "modules")
		if _, err := os.Stat(image); err == nil {
			found = append(found, Archive{filepath.Base(path), image, eachInImage})
		}
	}
	return found
}

// Jars returns the jars under /usr/share/java and those that ExtraEnv names,
// each once.
func Jars() []Archive {
	roots := []string{"/usr/share/java"}
	roots = append(roots, filepath.SplitList(os.Getenv(ExtraEnv))...)
	var paths []string
	for _, root := range roots {
		filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".jar") {
				paths = append(paths, path)
			}
			return nil // what cannot be read is not there
		})
	}
	var found []Archive
	for _, path := range distinct(paths) {
		found = append(found, Archive{filepath.Base(path), path, eachInJar})
	}
	return found
}

// distinct resolves symbolic links and returns each target once, sorted.
func distinct(paths []string) []string {
	var real []string
	for _, path := range paths {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			real = append(real, target)
		}
	}
	slices.Sort(real)
	return slices.Compact(real)
}

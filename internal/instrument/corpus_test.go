package instrument

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/classfile"
	"mallard/internal/classfile/corpus"
	"mallard/internal/instrument/emit"
	"mallard/internal/jvmtest"
	"mallard/internal/placement"
)

var strategies = []placement.Strategy{placement.Site, placement.DuckTracks, placement.Optimal}

// long makes the tests take every class of the corpus, not a sample.
var long = os.Getenv("MALLARD_LONG") == "1"

// A corpusClass is a class file of a JDK's module image or of a jar.
type corpusClass struct {
	module string // of the image, "" for a jar
	jar    string // path of the jar, "" for the image
	name   string // internal form
	bytes  []byte
}

func (c *corpusClass) String() string {
	if c.jar != "" {
		return filepath.Base(c.jar) + "/" + c.name
	}
	return c.module + "/" + c.name
}

// eachClass visits the classes of an archive that take takes, all if it is nil, but module-info and the parts of a
// multi-release jar that are for other releases. What take gets has a name and where the class is, no more.
func eachClass(tb testing.TB, archive corpus.Archive, take func(c *corpusClass) bool, visit func(c *corpusClass)) {
	tb.Helper()
	located := func(path string) *corpusClass {
		c := &corpusClass{jar: archive.Path, name: strings.TrimSuffix(path, ".class")}
		if !strings.HasSuffix(archive.Path, ".jar") {
			c.jar = ""
			c.module, c.name, _ = strings.Cut(c.name, "/")
		}
		return c
	}
	takes := func(path string) bool {
		return !strings.HasSuffix(path, "module-info.class") && !strings.HasPrefix(path, "META-INF/") &&
			(take == nil || take(located(path)))
	}
	err := archive.EachOf(takes, func(path string, b []byte) error {
		c := located(path)
		c.bytes = b
		class, err := classfile.Parse(b)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if c.name, err = class.Name(); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		visit(c)
		return nil
	})
	if err != nil {
		tb.Error(err)
	}
}

// linkedName is what [jvmtest.ClassSet.Link] calls the class.
func (c *corpusClass) linkedName() string {
	name := c.module
	if c.jar != "" {
		name = filepath.Base(c.jar)
	}
	return name + "/" + strings.ReplaceAll(c.name, "/", ".")
}

// addTo adds the class, or what has become of it, to a set.
func (c *corpusClass) addTo(set *jvmtest.ClassSet, bytes []byte) {
	if bytes == nil {
		bytes = c.bytes
	}
	if c.jar != "" {
		set.AddToJar(c.jar, c.name, bytes)
		return
	}
	set.AddToModule(c.module, c.name, bytes)
}

// oneIn takes one class in n, by its name, in the long tests all.
func oneIn(n uint32) func(c *corpusClass) bool {
	return func(c *corpusClass) bool { return long || corpus.Part(c.name, n) == 0 }
}

// distinct tells whether a class is new among those it was asked about.
type distinct map[[32]byte]bool

func (d distinct) add(b []byte) bool {
	sum := sha256.Sum256(b)
	if d[sum] {
		return false
	}
	d[sum] = true
	return true
}

// addRuntime adds runtime classes that do nothing, and returns them by their names.
func addRuntime(tb testing.TB, jdk jvmtest.JDK, set *jvmtest.ClassSet) map[string][]byte {
	tb.Helper()
	compiled := compileRuntime(tb, jdk, "runtime")
	classes := map[string][]byte{}
	for _, name := range emit.RuntimeNames[:emit.CalledClasses] {
		b, err := os.ReadFile(filepath.Join(compiled, name+".class"))
		if err != nil {
			tb.Fatal(err)
		}
		set.AddToModule("java.base", name, b)
		classes[name] = b
	}
	return classes
}

// compileRuntime compiles the runtime classes of a folder of testdata, and gives the folder they are in.
func compileRuntime(tb testing.TB, jdk jvmtest.JDK, folder string) string {
	tb.Helper()
	folder = filepath.Join("testdata", folder)
	sources, err := filepath.Glob(filepath.Join(folder, "java", "lang", "*.java"))
	if err != nil {
		tb.Fatal(err)
	}
	return jdk.MustJavac(tb, []string{"--patch-module", "java.base=" + folder}, sources...)
}

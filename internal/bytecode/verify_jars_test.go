package bytecode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mallard/internal/classfile/corpus"
	"mallard/internal/jvmtest"
)

// TestJarVerification links classes of the installed jars as they are and
// rewritten, and expects the same outcome for each: many lack what they refer
// to. The jars have what the JDKs lack: old versions, and other compilers. Each
// JDK has other classes; in the long test each has all.
func TestJarVerification(t *testing.T) {
	var paths []string
	for _, jar := range corpus.Jars() {
		paths = append(paths, jar.Path)
	}
	if len(paths) == 0 {
		t.Fatal("no jars are installed; make test installs one")
	}
	jdks := jvmtest.JDKs(t)
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		originals, rewritten := t.TempDir(), t.TempDir()
		number := slices.IndexFunc(jdks, func(j jvmtest.JDK) bool { return j.Home == jdk.Home })
		take := func(name string) bool {
			return !strings.HasSuffix(name, "-info.class") && !strings.HasPrefix(name, "META-INF") &&
				(jvmtest.Long() || corpus.Part(name, uint32(60*len(jdks))) == uint32(number))
		}
		classes, counts := rewriteJars(t, take, originals, rewritten)
		harness := jdk.MustJavac(t, nil, filepath.Join("testdata", "LinkAll.java"))
		link := func(dir string) map[string]string {
			output := jdk.MustRun(t, jvmtest.Command{
				Options: fullVerification, Classpath: append([]string{harness, dir}, paths...),
				Main: "LinkAll", Args: []string{classes}, Dir: filepath.Dir(classes), Timeout: 10 * time.Minute,
			})
			if output.ExitCode != 0 {
				t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
			}
			return refused(output.Stdout)
		}
		plain, again := link(originals), link(rewritten)
		for class := range again {
			if plain[class] == "" {
				plain[class] = "linked"
			}
		}
		for class, was := range plain {
			if is := again[class]; is != was && was != sealed && is != sealed {
				t.Errorf("%s: originally %s, rewritten %s", class, was, is)
			}
		}
		t.Logf("%d refused, %+v", len(plain), counts)
	})
}

// rewriteJars writes the classes of all jars that take takes into one folder as
// they are and into another one rewritten, and gives a file that lists them.
func rewriteJars(t *testing.T, take func(name string) bool, originals, rewritten string) (list string, counts tally) {
	t.Helper()
	var lines strings.Builder
	for _, jar := range corpus.Jars() {
		err := jar.EachOf(take, func(name string, b []byte) error {
			file := filepath.Join(originals, filepath.FromSlash(name))
			if _, err := os.Stat(file); err == nil {
				return nil // the same name in another jar
			}
			again, err := rewriteClass(b, schemes[len(schemes)-1], &counts)
			if err != nil {
				return err
			}
			write(t, file, b)
			write(t, filepath.Join(rewritten, filepath.FromSlash(name)), again)
			lines.WriteString("- " + strings.ReplaceAll(strings.TrimSuffix(name, ".class"), "/", ".") + "\n")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	list = filepath.Join(t.TempDir(), "classes.list")
	if err := os.WriteFile(list, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return list, counts
}

// sealed is how a class is refused whose package was begun by another jar. It
// depends on the order of loading, and with it on what the verifier looks up.
const sealed = "java.lang.SecurityException"

// refused returns the kind of error of each class that LinkAll names.
func refused(output string) map[string]string {
	errors := map[string]string{}
	for line := range strings.Lines(output) {
		if line, ok := strings.CutPrefix(line, "refused "); ok {
			parts := strings.SplitN(strings.TrimSpace(line), ": ", 3)
			errors[parts[0]] = parts[1]
		}
	}
	return errors
}

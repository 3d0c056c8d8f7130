package bytecode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mallard/internal/classfile/corpus"
	"mallard/internal/jvmtest"
)

// TestJarVerification links classes of the installed jars as they are and
// rewritten, and expects the same outcome for each: many lack what they refer
// to. The jars have what the JDKs lack: old versions, and other compilers.
func TestJarVerification(t *testing.T) {
	if testing.Short() {
		t.Skip("runs JVMs")
	}
	originals, rewritten := t.TempDir(), t.TempDir()
	var list strings.Builder
	var paths []string
	var counts tally
	for _, jar := range corpus.Jars() {
		paths = append(paths, jar.Path)
		err := jar.Each(func(name string, b []byte) error {
			class := strings.ReplaceAll(strings.TrimSuffix(name, ".class"), "/", ".")
			if strings.HasSuffix(name, "-info.class") || strings.HasPrefix(name, "META-INF") || !sampled(name, 25) {
				return nil
			}
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
			list.WriteString("- " + class + "\n")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(paths) == 0 {
		t.Skip("no jars are installed")
	}
	classes := filepath.Join(t.TempDir(), "classes.list")
	if err := os.WriteFile(classes, []byte(list.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		harness := jdk.MustJavac(t, nil, filepath.Join("testdata", "LinkAll.java"))
		link := func(dir string) []string {
			output := jdk.MustRun(t, jvmtest.Command{
				Options: fullVerification, Classpath: append([]string{harness, dir}, paths...),
				Main: "LinkAll", Args: []string{classes}, Dir: filepath.Dir(classes), Timeout: 10 * time.Minute,
			})
			if output.ExitCode != 0 {
				t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
			}
			return strings.Split(output.Stdout, "\n")
		}
		plain, again := link(originals), link(rewritten)
		for i := range max(len(plain), len(again)) {
			if i >= len(plain) || i >= len(again) || outcome(plain[i]) != outcome(again[i]) {
				t.Fatalf("line %d differs:\n%s\n%s", i, at(plain, i), at(again, i))
			}
		}
		t.Logf("%s, %d refused in both, %+v", at(plain, len(plain)-2), len(plain)-2, counts)
	})
}

// outcome cuts the details off, which contain offsets.
func outcome(line string) string {
	parts := strings.SplitN(line, ": ", 3)
	return strings.Join(parts[:min(2, len(parts))], ": ")
}

func at(lines []string, i int) string {
	if i < 0 || i >= len(lines) {
		return "(nothing)"
	}
	return lines[i]
}

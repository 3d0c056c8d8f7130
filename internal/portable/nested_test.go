package portable_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

// compiled gives a class that javac makes of a source in a folder of testdata/nested.
func compiled(t *testing.T, jdk jvmtest.JDK, folder, class string, on ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(jdk.MustJavac(t, on, filepath.Join("testdata/nested", folder, filepath.Base(class)+".java")), class+".class"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// stored makes a jar in which everything is stored as it is: names and contents take turns.
func stored(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for ; len(files) > 0; files = files[2:] {
		f, err := w.CreateHeader(&zip.FileHeader{Name: files[0], Method: zip.Store})
		if err == nil {
			_, err = io.WriteString(f, files[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLibraries: classes of jars inside a jar count, and what has to be stored stays so.
func TestLibraries(t *testing.T) {
	jdk := oldest(t)
	library := jdk.MustJavac(t, nil, "testdata/nested/lib/Library.java")
	inner := mustRead(t, jar(t, "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\nName: lib/Library.class\r\nSHA-256-Digest: x\r\n\r\n", "META-INF/A.SF", "x",
		"lib/Library.class", compiled(t, jdk, "lib", "lib/Library")))
	bomb := string(overlapping(t, []byte(mustRead(t, jar(t, "lib/Library.class", compiled(t, jdk, "lib", "lib/Library"))))))
	in := write(t, "in.jar", []byte(stored(t,
		"Launcher.class", compiled(t, jdk, "launcher", "Launcher"),
		"BOOT-INF/classes/app/Main.class", compiled(t, jdk, "app", "app/Main", "-cp", library),
		"BOOT-INF/lib/library.jar", inner, "BOOT-INF/lib/bomb.jar", bomb, "data/library.jar", inner)))
	out, made := instrument(t, in)
	_, contents := entries(t, out)
	if contents["BOOT-INF/lib/bomb.jar"] != bomb || contents["data/library.jar"] != inner {
		t.Error("other jars were changed")
	}
	if len(made.Skipped) != 1 || made.Skipped[0].Name != "BOOT-INF/lib/bomb.jar" || !strings.Contains(made.Skipped[0].Reason, "overlap") {
		t.Errorf("skipped %v", made.Skipped)
	}
	if len(made.Nested) != 1 || made.Nested[0] != "data/library.jar" || !made.Signed {
		t.Errorf("left as they are: %v; signatures %v", made.Nested, made.Signed)
	}
	names, _ := entries(t, write(t, "library.jar", []byte(contents["BOOT-INF/lib/library.jar"])))
	if got := strings.Join(names, " "); got != "META-INF/MANIFEST.MF lib/Library.class" {
		t.Errorf("the library has %s", got)
	}
	broken := write(t, "run.jar", []byte(strings.Replace(mustRead(t, out), "BOOT-INF/lib/bomb.jar", "BOOT-INF/LIB/bomb.jar", 2)))
	output, p := run(t, jdk, jvmtest.Command{Classpath: []string{broken}, Main: "Launcher", Args: []string{broken}})
	if output.Stdout != "done\n" || objects(p, "lib.Library") != 7 {
		t.Errorf("prints %q, %q; %d objects", output.Stdout, output.Stderr, objects(p, "lib.Library"))
	}
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

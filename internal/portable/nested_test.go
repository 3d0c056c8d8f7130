package portable_test

import (
	"archive/zip"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
)

// TestLibraries: classes of jars inside a jar count, and what has to be stored stays so.
func TestLibraries(t *testing.T) {
	jdk := oldest(t)
	compiled := jdk.MustJavac(t, nil, "testdata/nested/lib/Library.java")
	library := class(t, jdk, "nested/lib/Library.java", "lib/Library.class")
	inner := archive(t, zip.Deflate, "META-INF/MANIFEST.MF",
		"Manifest-Version: 1.0\r\n\r\nName: lib/Library.class\r\nSHA-256-Digest: x\r\n\r\n", "META-INF/A.SF", "x",
		"lib/Library.class", library)
	bomb := overlapping(t, archive(t, zip.Deflate, "lib/Library.class", library))
	in := write(t, "in.jar", archive(t, zip.Store,
		"Launcher.class", class(t, jdk, "nested/launcher/Launcher.java", "Launcher.class"),
		"BOOT-INF/classes/app/Main.class", class(t, jdk, "nested/app/Main.java", "app/Main.class", "-cp", compiled),
		"BOOT-INF/lib/library.jar", inner, "BOOT-INF/lib/bomb.jar", bomb, "data/library.jar", inner))
	out, made := instrument(t, in)
	_, contents := entries(t, out)
	if contents["BOOT-INF/lib/bomb.jar"] != bomb || contents["data/library.jar"] != inner {
		t.Error("other jars were changed")
	}
	if len(made.Skipped) != 1 || made.Skipped[0].Name != "BOOT-INF/lib/bomb.jar" ||
		!strings.Contains(made.Skipped[0].Reason, "overlap") {
		t.Errorf("skipped %v", made.Skipped)
	}
	if len(made.Nested) != 1 || made.Nested[0] != "data/library.jar" || !made.Signed {
		t.Errorf("left as they are: %v; signatures %v", made.Nested, made.Signed)
	}
	names, _ := entries(t, write(t, "library.jar", contents["BOOT-INF/lib/library.jar"]))
	if got := strings.Join(names, " "); got != "META-INF/MANIFEST.MF lib/Library.class" {
		t.Errorf("the library has %s", got)
	}
	broken := write(t, "run.jar", strings.Replace(mustRead(t, out), "BOOT-INF/lib/bomb.jar", "BOOT-INF/LIB/bomb.jar",
		2))
	output, p := run(t, jdk, jvmtest.Command{Classpath: []string{broken}, Main: "Launcher", Args: []string{broken}})
	if output.Stdout != "done\n" || objects(p, "lib.Library") != 7 {
		t.Errorf("prints %q, %q; %d objects", output.Stdout, output.Stderr, objects(p, "lib.Library"))
	}
}

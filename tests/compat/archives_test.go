package compat_test

import (
	"archive/zip"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

const archived = `public class Archived {
    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            sum += new int[7].length;
        }
        System.out.println("sum " + sum);
        System.exit(7);
    }
}
`

// TestArchives runs programs whose JVM uses an archive of classes, or writes one: what it says and how it ends is as
// without Mallard. Those that use one are recorded, since none of their classes comes out of it.
func TestArchives(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		t.Parallel()
		folder := t.TempDir()
		jar := filepath.Join(folder, "archived.jar")
		pack(t, jar, jdk.MustJavac(t, nil, mallardtest.Written(t, "Archived", archived)))
		java := filepath.Join(jdk.Home, "bin", "java")
		run := func(words ...string) jvmtest.Output { return mallardtest.RunWords(t, folder, nil, words...) }
		command := func(options string) []string {
			return append(append([]string{java}, strings.Fields(options)...), "-cp", jar, "Archived")
		}
		run(command("-XX:ArchiveClassesAtExit=dynamic.jsa")...)
		run(java, "-Xshare:dump", "-XX:SharedArchiveFile=static.jsa", "-cp", jar)
		run(command("-XX:AOTCacheOutput=used.aot")...) // there are such from JDK 25 on
		oldest := jvmtest.JDKs(t)[0].Feature
		for i, test := range []struct {
			options  string
			since    int
			recorded bool
		}{
			{"-XX:SharedArchiveFile=dynamic.jsa", 17, true},
			{"-XX:SharedArchiveFile=static.jsa", 17, true},
			{"-Xshare:on", 17, true},
			{"-Xshare:on -XX:SharedArchiveFile=dynamic.jsa", 17, true},
			{"-XX:AOTCache=used.aot", 25, true},
			{"-XX:AOTMode=on -XX:AOTCache=used.aot", 25, true},
			{"-XX:ArchiveClassesAtExit=made.jsa", 17, false},
			{"-XX:+RecordDynamicDumpInfo", 17, false},
			{"-XX:+AutoCreateSharedArchive -XX:SharedArchiveFile=made.jsa", 19, false},
			{"-XX:AOTMode=record -XX:AOTConfiguration=made.aotconf", 25, false},
			{"-XX:AOTCacheOutput=made.aot", 25, false},
		} {
			if jdk.Feature < test.since {
				continue
			}
			plain := command(test.options)
			want := run(plain...)
			file := filepath.Join(folder, "run.mallard")
			profiled := append([]string{mallardtest.Binary(t), "run", "-q", "--force", "-o", file, "--"}, plain...)
			ways := map[string][]string{"java": profiled}
			library := "-agentpath:" + mallardtest.Library(t) + "=quiet,force,file=" + file
			onPath := append([]string{"env", "PATH=" + jdk.Home + "/bin:" + os.Getenv("PATH")}, profiled[:7]...)
			ways["shim"] = append(append(onPath, "sh", "-c", `java "$@"`, "sh"), plain[1:]...)
			if test.recorded || strings.Contains(test.options, "AOT") { // one that writes a CDS archive refuses agents
				script := append([]string{"sh", "-c", `exec "$@"`, "sh"}, plain...)
				ways["agentpath"] = append([]string{java, library}, plain[1:]...)
				ways["environment"] = append(profiled[:7:7], script...)
			}
			for k, way := range slices.Sorted(maps.Keys(ways)) {
				// what each JDK has is given in each way on one of them, and on each in some
				if oldest >= test.since && !jvmtest.IsTurn(t, jdk, i+k) {
					continue
				}
				words := ways[way]
				os.Remove(file)
				compareArchived(t, test.options+" "+way, want, run(words...), test.recorded)
				if !test.recorded {
					if _, err := os.Stat(file); err == nil {
						t.Errorf("%s %s: there is a recording", test.options, way)
					}
				} else if n := mallardtest.Objects(t, file, "Archived", "int[]"); n != 1000 {
					t.Errorf("%s %s: %d arrays", test.options, way, n)
				}
			}
		}
	})
}

// varies is what the JVM says of times and sizes.
var varies = regexp.MustCompile(`[0-9.]+(s|ms| bytes)`)

// compareArchived compares runs without and with Mallard, which says a line where it does not record.
func compareArchived(t *testing.T, name string, want, got jvmtest.Output, recorded bool) {
	t.Helper()
	if varies.ReplaceAllString(got.Stdout, "") != varies.ReplaceAllString(want.Stdout, "") ||
		got.ExitCode != want.ExitCode {
		t.Errorf("%s: exit code %d and %q, want %d and %q; %s", name, got.ExitCode, got.Stdout, want.ExitCode,
			want.Stdout, got.Stderr)
	}
	said := mallardtest.Messages(got.Stderr)
	if strings.HasSuffix(name, " shim") && !recorded && len(said) == 2 { // mallard itself has seen no JVM
		said = said[:1]
	}
	if recorded && len(said) != 0 ||
		!recorded && (len(said) != 1 || !strings.Contains(said[0], "the JVM writes an ")) {
		t.Errorf("%s: said %q", name, said)
	}
}

// pack writes the files of a folder into a jar.
func pack(t *testing.T, jar, folder string) {
	t.Helper()
	f, err := os.Create(jar)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	if err := z.AddFS(os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

package bytecode

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mallard/internal/classfile/corpus"
	"mallard/internal/jvmtest"
)

// longEnv makes the tests on JVMs take every class, not a sample.
const longEnv = "MALLARD_LONG"

func long() bool { return os.Getenv(longEnv) == "1" }

// fullVerification makes a JVM verify the classes of all loaders.
var fullVerification = []string{
	"-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal", "-XX:+BytecodeVerificationRemote",
}

// A patch is a folder with classes that replace those of a JDK's modules.
type patch struct {
	dir     string
	modules []string
	list    strings.Builder // for LinkAll
	classes int
}

// add puts a class into the patch. name is module/package/Name.class.
func (p *patch) add(name string, class []byte) error {
	module, path, _ := strings.Cut(name, "/")
	if !slices.Contains(p.modules, module) {
		p.modules = append(p.modules, module)
	}
	file := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	p.classes++
	fmt.Fprintf(&p.list, "%s %s\n", module, strings.ReplaceAll(strings.TrimSuffix(path, ".class"), "/", "."))
	return os.WriteFile(file, class, 0o644)
}

// link has a JVM link all classes of the patch under full verification and
// returns what LinkAll prints.
func (p *patch) link(t *testing.T, jdk jvmtest.JDK) []string {
	t.Helper()
	list := filepath.Join(p.dir, "classes.list")
	if err := os.WriteFile(list, []byte(p.list.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	options := append(slices.Clone(fullVerification), "--add-modules", "ALL-SYSTEM")
	for _, module := range p.modules {
		options = append(options, "--patch-module", module+"="+filepath.Join(p.dir, module))
	}
	output := jdk.MustRun(t, jvmtest.Command{
		Options: options, Classpath: []string{jdk.MustJavac(t, nil, filepath.Join("testdata", "LinkAll.java"))},
		Main: "LinkAll", Args: []string{list}, Dir: p.dir, Timeout: 10 * time.Minute,
	})
	if output.ExitCode != 0 {
		t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
	}
	return strings.Split(strings.TrimSpace(output.Stdout), "\n")
}

// image returns the module image of a JDK.
func image(t *testing.T, jdk jvmtest.JDK) corpus.Archive {
	t.Helper()
	for _, archive := range corpus.JDKs() {
		if strings.HasPrefix(archive.Path, jdk.Home) {
			return archive
		}
	}
	t.Fatalf("%s has no module image; it takes a whole JDK to run the tests", jdk.Home)
	return corpus.Archive{}
}

// sampled tells whether a test takes a class: about one in n, all if the test
// is long.
func sampled(name string, n uint32) bool {
	h := fnv.New32a()
	h.Write([]byte(name))
	return long() || h.Sum32()%n == 0
}

// TestVerification rewrites the classes of each JDK in each way and has the JDK
// verify them.
func TestVerification(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, s := range schemes {
			sample := uint32(50)
			if i == len(schemes)-1 {
				sample = 14 // the one that has everything
			}
			t.Run(s.name, func(t *testing.T) {
				p := patch{dir: t.TempDir()}
				var counts tally
				err := image(t, jdk).Each(func(name string, b []byte) error {
					if strings.HasSuffix(name, "/module-info.class") || !sampled(name, sample) {
						return nil
					}
					rewritten, err := rewriteClass(b, s, &counts)
					if err != nil {
						return fmt.Errorf("%s: %w", name, err)
					}
					return p.add(name, rewritten)
				})
				if err != nil {
					t.Fatal(err)
				}
				lines := p.link(t, jdk)
				if want := fmt.Sprintf("linked %d", p.classes); len(lines) != 1 || lines[0] != want {
					t.Errorf("want %q, got %d lines:\n%s", want, len(lines), strings.Join(lines[:min(20, len(lines))],
						"\n"))
				}
				t.Logf("%d classes, %+v", p.classes, counts)
			})
		}
	})
}

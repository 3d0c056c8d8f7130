package bytecode

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mallard/internal/classfile/corpus"
	"mallard/internal/jvmtest"
)

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

// A round rewrites some classes of a JDK, each in a way.
type round struct {
	name   string
	scheme func(class string) (s scheme, take bool)
}

// rounds are one per scheme with all classes, or a single one with a sample for
// each: the last scheme has everything, and the largest one.
func rounds() []round {
	if jvmtest.Long() {
		var all []round
		for _, s := range schemes {
			all = append(all, round{s.name, func(string) (scheme, bool) { return s, true }})
		}
		return all
	}
	return []round{{"sample", func(class string) (scheme, bool) {
		const parts = 100
		last := len(schemes) - 1
		switch part := int(corpus.Part(class, parts)); {
		case part < 2*last:
			return schemes[part/2], true // 2 in a hundred
		case part < 2*last+7:
			return schemes[last], true
		}
		return scheme{}, false
	}}}
}

// TestVerification rewrites the classes of each JDK in each way and has the JDK
// verify them.
func TestVerification(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, r := range rounds() {
			t.Run(r.name, func(t *testing.T) {
				p := patch{dir: t.TempDir()}
				var counts tally
				take := func(name string) bool {
					_, take := r.scheme(name)
					return take && !strings.HasSuffix(name, "/module-info.class")
				}
				err := image(t, jdk).EachOf(take, func(name string, b []byte) error {
					s, _ := r.scheme(name)
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

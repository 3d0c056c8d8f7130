package bytecode

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/classfile"
	"mallard/internal/jvmtest"
)

// class returns a class file with the body as public static int run(int).
func (c *rewriteCase) class(t *testing.T, name string, code *classfile.Code) []byte {
	t.Helper()
	pool := c.pool
	info := must(code.AppendTo(nil))
	class := classfile.Class{
		Major: c.version, Pool: pool, AccessFlags: 0x0021, // public, super
		ThisClass: must(pool.AddClass(name)), SuperClass: must(pool.AddClass("java/lang/Object")),
		Methods: []classfile.Member{{
			AccessFlags: 0x0009, // public static
			Name:        must(pool.AddUtf8("run")), Descriptor: must(pool.AddUtf8("(I)I")),
			Attributes: []classfile.Attribute{{Name: must(pool.AddUtf8(classfile.AttrCode)), Info: info}},
		}},
	}
	b, err := class.AppendTo(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestRewriteRuns runs the bodies of the golden files, as they are and rewritten.
func TestRewriteRuns(t *testing.T) {
	original, rewritten := t.TempDir(), t.TempDir()
	var names []string
	for _, c := range rewriteCases(t) {
		r, err := c.rewrite()
		if err != nil || c.name() == "stray" { // HotSpot does not load the latter
			continue
		}
		plain, err := c.body.Encode()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, c.name())
		write(t, filepath.Join(original, c.name()+".class"), c.class(t, c.name(), plain))
		write(t, filepath.Join(rewritten, c.name()+".class"), c.class(t, c.name(), r.Code))
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		harness := jdk.MustJavac(t, nil, filepath.Join("testdata", "RunAll.java"))
		run := func(dir string) jvmtest.Output {
			return jdk.MustRun(t, jvmtest.Command{Options: fullVerification, Classpath: []string{harness, dir},
				Main: "RunAll", Args: names})
		}
		compare(t, run(original), run(rewritten))
	})
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func compare(t *testing.T, plain, rewritten jvmtest.Output) {
	t.Helper()
	if plain.ExitCode != 0 || plain.Stdout == "" {
		t.Fatalf("original: exit code %d\n%s", plain.ExitCode, plain.Stderr)
	}
	if rewritten.ExitCode != 0 || rewritten.Stdout != plain.Stdout {
		t.Errorf("rewritten: exit code %d\n%s\nwant\n%s\ngot\n%s", rewritten.ExitCode, rewritten.Stderr, plain.Stdout,
			rewritten.Stdout)
	}
}

// TestProgramsRun runs the Java programs under testdata, as they are and
// rewritten in each way.
func TestProgramsRun(t *testing.T) {
	sources, err := filepath.Glob(filepath.Join("testdata", "programs", "*.java"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, source := range sources {
			main := strings.TrimSuffix(filepath.Base(source), ".java")
			t.Run(main, func(t *testing.T) {
				classes := jdk.MustJavac(t, []string{"-g"}, source)
				command := func(dir string) jvmtest.Command {
					return jvmtest.Command{Options: fullVerification, Classpath: []string{dir}, Main: main}
				}
				plain := jvmtest.RunPlain(t, jdk, command(classes))
				for _, s := range schemes {
					compare(t, plain, jdk.MustRun(t, command(rewriteFolder(t, classes, s))))
				}
			})
		}
	})
}

// rewriteFolder returns a folder with rewritten copies of all class files.
func rewriteFolder(t *testing.T, classes string, s scheme) string {
	t.Helper()
	dir := t.TempDir()
	err := filepath.WalkDir(classes, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var counts tally
		if b, err = rewriteClass(b, s, &counts); err != nil {
			return err
		}
		if counts.tooFar+counts.tooLong > 0 {
			t.Errorf("%s: %+v", path, counts)
		}
		name, err := filepath.Rel(classes, path)
		if err != nil {
			return err
		}
		write(t, filepath.Join(dir, name), b)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

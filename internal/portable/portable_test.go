package portable_test

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/placement"
	"mallard/internal/portable"
	"mallard/internal/profile"
)

// instrument makes a jar beside others of a test.
func instrument(t *testing.T, in string) (out string, made *portable.Result) {
	t.Helper()
	return instrumentWith(t, in, portable.Options{})
}

func instrumentWith(t *testing.T, in string, o portable.Options) (out string, made *portable.Result) {
	t.Helper()
	o.Placement, o.Version = placement.Site, "test"
	var b strings.Builder
	made, err := portable.Instrument(in, &b, o)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, "out.jar", b.String()), made
}

func write(t *testing.T, name, contents string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(contents), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// archive makes a jar of files, in their order: names and contents take turns.
func archive(t *testing.T, method uint16, files ...string) string {
	t.Helper()
	var b strings.Builder
	w := zip.NewWriter(&b)
	for ; len(files) > 0; files = files[2:] {
		f, err := w.CreateHeader(&zip.FileHeader{Name: files[0], Method: method})
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

// jar makes a file of such.
func jar(t *testing.T, files ...string) string {
	t.Helper()
	return write(t, "in.jar", archive(t, zip.Deflate, files...))
}

// entries gives the files of a jar, the runtime's left out.
func entries(t *testing.T, path string) (names []string, contents map[string]string) {
	t.Helper()
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	contents = map[string]string{}
	for _, f := range r.File {
		if strings.HasPrefix(f.Name, "mallard/") {
			continue
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, f.Name)
		contents[f.Name] = string(b)
	}
	return names, contents
}

// class compiles a source of testdata and gives a class.
func class(t *testing.T, jdk jvmtest.JDK, source, name string, options ...string) string {
	t.Helper()
	return mustRead(t, filepath.Join(jdk.MustJavac(t, options, filepath.Join("testdata", source)), name))
}

// run runs a jar and reads its recording.
func run(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command) (jvmtest.Output, *profile.Profile) {
	t.Helper()
	recording := filepath.Join(t.TempDir(), "run.mallard")
	command.Options = append(command.Options, "-Dmallard.file="+recording)
	output := jdk.MustRun(t, command)
	p, err := profile.Read(recording)
	if err != nil {
		t.Fatalf("%v\n%s", err, output.Stderr)
	}
	return output, p
}

// objects gives how many objects of a class a recording has.
func objects(p *profile.Profile, class string) (n int64) {
	for _, s := range p.Sites {
		if s.Type == class {
			n += s.Amount.Objects
		}
	}
	return n
}

// oldest is the JDK for what is not a matter of the JDK.
func oldest(t *testing.T) jvmtest.JDK { return jvmtest.JDKs(t)[0] }

func TestEndings(t *testing.T) {
	jdk := oldest(t)
	out, _ := instrument(t, jdk.MustJavac(t, nil, "testdata/Demo.java"))
	for _, test := range []struct {
		how  string
		code int
	}{{"", 0}, {"exit", 3}, {"throw", 1}, {"daemon", 0}} {
		output, p := run(t, jdk, jvmtest.Command{Classpath: []string{out}, Main: "Demo", Args: []string{test.how}})
		if output.ExitCode != test.code || output.Stdout != "done\n" || strings.Contains(output.Stderr, "mallard") {
			t.Errorf("%s: exit code %d, output %q, errors %q", test.how, output.ExitCode, output.Stdout, output.Stderr)
		}
		if n := objects(p, "Demo"); n != 100 && (test.how != "daemon" || n < 100) {
			t.Errorf("%s: %d objects", test.how, n)
		}
		if !p.Complete || len(p.Losses) != 3 || p.Process.MallardVersion != "test" {
			t.Errorf("%s: complete %v, losses %v, by %s", test.how, p.Complete, p.Losses, p.Process.MallardVersion)
		}
	}
	folder := t.TempDir()
	output := jdk.MustRun(t, jvmtest.Command{Classpath: []string{out}, Main: "Demo", Args: []string{"halt"},
		Dir: folder})
	if files, _ := os.ReadDir(folder); output.ExitCode != 4 || len(files) > 0 {
		t.Errorf("halted: exit code %d, %v", output.ExitCode, files)
	}
}

// TestFiles: the recording has the name that is asked for, replaces nothing, and is nobody else's to read. Where it
// cannot be written the program ends as it would.
func TestFiles(t *testing.T) {
	jdk := oldest(t)
	out, _ := instrument(t, jdk.MustJavac(t, nil, "testdata/Demo.java"))
	command := jvmtest.Command{Classpath: []string{out}, Main: "Demo", Args: []string{"exit"}, Dir: t.TempDir()}
	jdk.MustRun(t, command)
	command.Options = []string{"-Dmallard.file=%%p-%p.x"}
	jdk.MustRun(t, command)
	command.Options = []string{"-Dmallard.file=same.mallard"}
	jdk.MustRun(t, command)
	output := jdk.MustRun(t, command)
	if !strings.HasPrefix(output.Stderr, "mallard: wrote same-") {
		t.Errorf("says %q", output.Stderr)
	}
	files, _ := os.ReadDir(command.Dir)
	var names []string
	for _, f := range files {
		names = append(names, strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return -1
			}
			return r
		}, f.Name()))
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", f.Name(), info.Mode(), err)
		}
		if _, err := profile.Read(filepath.Join(command.Dir, f.Name())); err != nil {
			t.Errorf("%s: %v", f.Name(), err)
		}
	}
	slices.Sort(names)
	if want := []string{"%p-.x", "mallard-.mallard", "same-.mallard", "same.mallard"}; !slices.Equal(names, want) {
		t.Errorf("files %q", names)
	}
	command.Options = []string{"-Dmallard.file=/dev/null"}
	if output := jdk.MustRun(t, command); output.Stderr != "" {
		t.Errorf("says %q", output.Stderr)
	}
	command.Options = []string{"-Dmallard.file=no/such/folder/x"}
	output = jdk.MustRun(t, command)
	if output.ExitCode != 3 || output.Stdout != "done\n" ||
		!strings.HasPrefix(output.Stderr, "mallard: the recording no/such/folder/x could not be written: ") {
		t.Errorf("exit code %d, %q, %q", output.ExitCode, output.Stdout, output.Stderr)
	}
}

// TestTwoJars: each of two jars in one JVM has a recording of its own.
func TestTwoJars(t *testing.T) {
	jdk := oldest(t)
	a, _ := instrument(t, jdk.MustJavac(t, nil, "testdata/Demo.java"))
	b, _ := instrument(t, jdk.MustJavac(t, nil, "testdata/Versioned.java"))
	source := write(t, "Both.java",
		`class Both { public static void main(String[] args) { Demo.main(args); Versioned.main(args); } }`)
	both := jdk.MustJavac(t, []string{"-cp", a + string(os.PathListSeparator) + b}, source)
	command := jvmtest.Command{Classpath: []string{both, a, b}, Main: "Both", Dir: t.TempDir()}
	if output := jdk.MustRun(t, command); output.ExitCode != 0 {
		t.Fatal(output.Stderr)
	}
	files, _ := filepath.Glob(filepath.Join(command.Dir, "*.mallard"))
	classes := map[string]int64{}
	for _, f := range files {
		p, err := profile.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		classes["Demo"] += objects(p, "Demo")
		classes["Versioned"] += objects(p, "Versioned")
	}
	if len(files) != 2 || classes["Demo"] != 100 || classes["Versioned"] != 1 {
		t.Errorf("%d recordings of %v", len(files), classes)
	}
}

// TestModule: a modular jar runs on the module path as on the class path, also if it lists its packages, as the jar
// tool does.
func TestModule(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := jdk.MustJavac(t, nil, "testdata/module/module-info.java", "testdata/module/demo/Main.java")
		in := filepath.Join(t.TempDir(), "in.jar")
		if out, err := exec.Command(jdk.Tool("jar"), "--create", "--file", in, "-C", classes,
			".").CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
		out, made := instrument(t, in)
		if made.Classes != 1 || made.Instrumented != 1 || len(made.Skipped) > 0 {
			t.Errorf("made %+v", made)
		}
		for _, command := range []jvmtest.Command{
			{Classpath: []string{out}, Main: "demo.Main"},
			{Options: []string{"-Xverify:all", "-XX:-PrintWarnings", "-p", out},
				Args: []string{"-m", "demo/demo.Main"}},
		} {
			output, p := run(t, jdk, command)
			if n := objects(p, "demo.Main"); n != 100 || !strings.Contains(output.Stdout, "module") {
				t.Errorf("%d objects, %q", n, output.Stdout)
			}
		}
	})
}

// TestVersions: classes for newer releases count as well.
func TestVersions(t *testing.T) {
	jdk := oldest(t)
	in := jar(t, "META-INF/MANIFEST.MF",
		"Manifest-Version: 1.0\r\nMulti-Release: true\r\nMain-Class: Versioned\r\n\r\n",
		"Versioned.class", class(t, jdk, "Versioned.java", "Versioned.class"),
		"META-INF/versions/11/Versioned.class", class(t, jdk, "versions/Versioned.java", "Versioned.class"))
	out, made := instrument(t, in)
	output, p := run(t, jdk, jvmtest.Command{Args: []string{"-jar", out}})
	if output.Stdout != "new 92\n" || made.Instrumented != 2 || objects(p, "int[]") != 1 || objects(p, "long[]") != 1 ||
		objects(p, "Versioned") != 1 {
		t.Errorf("%q, made %+v, %+v", output.Stdout, made, p.Sites)
	}
}

// TestSigned: a signed jar loses its signature and its index, and nothing else.
func TestSigned(t *testing.T) {
	jdk := oldest(t)
	in := jar(t, "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\nMain-Class: Demo\r\n\r\n", "META-INF/INDEX.LIST",
		"JarIndex-Version: 1.0\n\nin.jar\n\n",
		"Demo.class", class(t, jdk, "Demo.java", "Demo.class"), "logo.png", "not really")
	keys := filepath.Join(t.TempDir(), "keys")
	for _, words := range [][]string{
		{"keytool", "-genkeypair", "-keystore", keys, "-storepass", "secret", "-alias", "demo", "-dname", "CN=demo",
			"-keyalg", "EC"},
		{"jarsigner", "-keystore", keys, "-storepass", "secret", in, "demo"},
	} {
		if out, err := exec.Command(jdk.Tool(words[0]), words[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
	out, made := instrument(t, in)
	names, contents := entries(t, out)
	if want := []string{"META-INF/MANIFEST.MF", "Demo.class", "logo.png"}; !slices.Equal(names, want) || !made.Signed {
		t.Errorf("files %q, signed %v", names, made.Signed)
	}
	if m := contents["META-INF/MANIFEST.MF"]; strings.Contains(m, "Digest") || strings.Contains(m, "Name:") ||
		!strings.Contains(m, "Main-Class: Demo\r\n") {
		t.Errorf("manifest %q", m)
	}
	if contents["logo.png"] != "not really" {
		t.Error("a file was changed")
	}
	if _, p := run(t, jdk, jvmtest.Command{Args: []string{"-jar", out}}); objects(p, "Demo") != 100 {
		t.Errorf("%+v", p.Sites)
	}
}

// TestStored: entries that are not compressed stay so and can be read from a stream; a web application has the
// runtime among its classes.
func TestStored(t *testing.T) {
	jdk := oldest(t)
	out, _ := instrument(t,
		write(t, "in.war", archive(t, zip.Store, "WEB-INF/classes/Demo.class",
			class(t, jdk, "Demo.java", "Demo.class"))))
	r, err := zip.OpenReader(out)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	stored, folder := 0, t.TempDir()
	for _, f := range r.File {
		const sizeBehind = 1 << 3
		if f.Method == zip.Store {
			stored++
			if f.Flags&sizeBehind != 0 {
				t.Errorf("%s has its size behind it", f.Name)
			}
		}
	}
	if stored != 3 {
		t.Errorf("%d files are stored", stored)
	}
	if err := os.CopyFS(folder, r); err != nil {
		t.Fatal(err)
	}
	if _, p := run(t, jdk, jvmtest.Command{Classpath: []string{filepath.Join(folder, "WEB-INF", "classes")},
		Main: "Demo"}); objects(p, "Demo") != 100 {
		t.Errorf("%+v", p.Sites)
	}
}

// TestBrokenClass: what is no class stays as it is, and is named in the answer and in the recording.
func TestBrokenClass(t *testing.T) {
	jdk := oldest(t)
	in := jar(t, "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\nMain-Class: Demo\r\n\r\n", "Demo.class",
		class(t, jdk, "Demo.java", "Demo.class"), "lib/Broken.class", "no class",
		"lib/inner.jar", "no jar")
	out, made := instrument(t, in)
	if len(made.Skipped) != 1 || made.Skipped[0].Name != "lib/Broken.class" || made.Skipped[0].Reason == "" ||
		made.Classes != 2 || made.Instrumented != 1 {
		t.Errorf("made %+v", made)
	}
	if !slices.Equal(made.Nested, []string{"lib/inner.jar"}) {
		t.Errorf("nested %q", made.Nested)
	}
	if _, contents := entries(t, out); contents["lib/Broken.class"] != "no class" ||
		contents["lib/inner.jar"] != "no jar" {
		t.Error("a file was changed")
	}
	_, p := run(t, jdk, jvmtest.Command{Args: []string{"-jar", out}})
	if len(p.Skipped) != 1 || p.Skipped[0].Class != "lib.Broken" {
		t.Errorf("skipped %+v", p.Skipped)
	}
}

// TestRefused: inputs that are none.
func TestRefused(t *testing.T) {
	out, _ := instrument(t, oldest(t).MustJavac(t, nil, "testdata/Demo.java"))
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprint(&text, i*i)
	}
	whole := archive(t, zip.Deflate, "a.txt", text.String())
	for _, test := range []struct{ in, reason string }{
		{out, "its classes are instrumented already"},
		{write(t, "no.jar", "no jar"), "not a jar"},
		{write(t, "cut.jar", whole[:len(whole)-30]), "not a jar"},
		{filepath.Join(t.TempDir(), "missing.jar"), "no such file"},
		{write(t, "overlapping.jar", overlapping(t, whole)), "overlap"},
	} {
		_, err := portable.Instrument(test.in, io.Discard, portable.Options{})
		if err == nil || !strings.Contains(err.Error(), test.reason) || !strings.Contains(err.Error(), test.in) {
			t.Errorf("%s: %v", test.in, err)
		}
	}
}

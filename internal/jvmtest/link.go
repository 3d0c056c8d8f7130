package jvmtest

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// fullVerification makes a JVM verify the classes of all loaders, each by the rules of its version only: a class of version 50 that fails
// type checking is not given to the older verifier.
var fullVerification = []string{
	"-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal", "-XX:+BytecodeVerificationRemote", "-XX:-FailOverToOldVerifier",
}

// A ClassSet is classes that a JVM is to link under full verification: of modules, in place of the JDK's, and of jars, in place of those
// of the same name there. What is not in the set comes from where it always does.
//
//	set := jvmtest.NewClassSet(t)
//	set.AddToModule("java.base", "java/lang/String", rewritten)
//	set.AddToJar("/usr/share/java/fop.jar", "org/apache/fop/apps/Fop", rewritten)
//	for class, reason := range set.Link(t, jdk) {
//		t.Errorf("%s: %s", class, reason)
//	}
type ClassSet struct {
	tb      testing.TB
	dir     string
	modules []*classGroup
	jars    []*classGroup
	classes int
}

// A classGroup is a jar that is being written.
type classGroup struct {
	name string // module or original jar
	path string
	file *os.File
	zip  *zip.Writer
	list strings.Builder // lines of LinkAll's list
}

// NewClassSet returns an empty set in a temporary folder of the test. Whatever fails fails the test.
func NewClassSet(tb testing.TB) *ClassSet {
	tb.Helper()
	return &ClassSet{tb: tb, dir: tb.TempDir()}
}

// Len returns the number of classes.
func (s *ClassSet) Len() int { return s.classes }

// AddToModule adds a class of a module. The name has the internal form.
func (s *ClassSet) AddToModule(module, name string, class []byte) {
	s.tb.Helper()
	g := s.group(&s.modules, module)
	fmt.Fprintf(&g.list, "module %s %s\n", module, strings.ReplaceAll(name, "/", "."))
	s.add(g, name, class)
}

// AddToJar adds a class of a jar. Each jar has a loader of its own.
func (s *ClassSet) AddToJar(jar, name string, class []byte) {
	s.tb.Helper()
	g := s.group(&s.jars, jar)
	if g.list.Len() == 0 {
		fmt.Fprintf(&g.list, "jar %s %s\n", g.path, jar)
	}
	fmt.Fprintf(&g.list, "class %s %s\n", filepath.Base(jar), strings.ReplaceAll(name, "/", "."))
	s.add(g, name, class)
}

// group finds or makes the group of a name.
func (s *ClassSet) group(groups *[]*classGroup, name string) *classGroup {
	s.tb.Helper()
	if i := slices.IndexFunc(*groups, func(g *classGroup) bool { return g.name == name }); i >= 0 {
		return (*groups)[i]
	}
	g := &classGroup{name: name, path: filepath.Join(s.dir, strconv.Itoa(len(s.modules)+len(s.jars))+".jar")}
	var err error
	if g.file, err = os.Create(g.path); err != nil {
		s.tb.Fatal(err)
	}
	g.zip = zip.NewWriter(g.file)
	*groups = append(*groups, g)
	return g
}

func (s *ClassSet) add(g *classGroup, name string, class []byte) {
	s.tb.Helper()
	s.classes++
	w, err := g.zip.CreateHeader(&zip.FileHeader{Name: name + ".class", Method: zip.Store})
	if err == nil {
		_, err = w.Write(class)
	}
	if err != nil {
		s.tb.Fatal(err)
	}
}

// Link has the JDK link all classes of the set and returns those it refuses, as java.base/java.lang.String or fop.jar/org.apache.fop.apps.Fop,
// with the reason. Classes of jars find what they refer to in their own jar, in the libraries, and in the JDK. The set cannot grow any more;
// it can be linked again.
func (s *ClassSet) Link(tb testing.TB, jdk JDK, libraries ...string) (refused map[string]string) {
	tb.Helper()
	var list strings.Builder
	for _, jar := range libraries {
		fmt.Fprintf(&list, "library %s\n", jar)
	}
	options := append(slices.Clone(fullVerification), "--add-modules", "ALL-SYSTEM")
	for _, g := range s.modules {
		options = append(options, "--patch-module", g.name+"="+g.path)
	}
	for _, g := range slices.Concat(s.modules, s.jars) {
		g.close(tb)
		list.WriteString(g.list.String())
	}
	path := filepath.Join(s.dir, "classes.list")
	if err := os.WriteFile(path, []byte(list.String()), 0o644); err != nil {
		tb.Fatal(err)
	}
	source := filepath.Join(MustRoot(tb), "internal", "jvmtest", "testdata", "LinkAll.java")
	output := jdk.MustRun(tb, Command{
		Options: options, Classpath: []string{jdk.MustJavac(tb, nil, source)},
		Main: "LinkAll", Args: []string{path}, Dir: s.dir, Timeout: 20 * time.Minute,
	})
	refused, linked := parseLinked(output.Stdout)
	if output.ExitCode != 0 || linked+len(refused) != s.classes {
		tb.Fatalf("exit code %d, %d of %d classes linked, %d refused\n%s", output.ExitCode, linked, s.classes, len(refused), output.Stderr)
	}
	return refused
}

// close ends the jar.
func (g *classGroup) close(tb testing.TB) {
	tb.Helper()
	if g.zip == nil {
		return
	}
	if err := g.zip.Close(); err != nil {
		tb.Fatal(err)
	}
	if err := g.file.Close(); err != nil {
		tb.Fatal(err)
	}
	g.zip = nil
}

// parseLinked reads what LinkAll prints.
func parseLinked(stdout string) (refused map[string]string, linked int) {
	refused = map[string]string{}
	for line := range strings.Lines(stdout) {
		what, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch what {
		case "refused":
			words := strings.SplitN(rest, " ", 3)
			refused[words[0]+"/"+words[1]] = words[2]
		case "linked":
			linked, _ = strconv.Atoi(rest)
		}
	}
	return refused, linked
}

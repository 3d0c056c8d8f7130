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

// fullVerification makes a JVM verify the classes of all loaders.
var fullVerification = []string{"-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal",
	"-XX:+BytecodeVerificationRemote"}

// A ClassSet is classes that a JVM is to link under full verification: of modules, in place of the JDK's, and of jars,
// in place of those of the same name there. What is not in the set comes from where it always does.
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

// AddToJar adds a class of a jar. Each jar has a loader of its own. The jar "" has nothing but what is added.
func (s *ClassSet) AddToJar(jar, name string, class []byte) {
	s.tb.Helper()
	g := s.group(&s.jars, jar)
	if g.list.Len() == 0 {
		fmt.Fprintln(&g.list, strings.TrimSpace("jar "+g.path+" "+jar))
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

// Link has the JDK link all classes of the set and returns those that are not verified as they should be, by their
// module or jar and binary name (java.base/java.lang.String, fop.jar/org.apache.fop.apps.Fop): refused, with the error;
// never verified; or verified by the older verifier only, which ignores the frames of a class of version 50 (JVMS
// 4.10). Classes of jars find what they refer to in their own jar, in the libraries, and in the JDK. The set cannot
// grow any more; it can be linked again.
func (s *ClassSet) Link(tb testing.TB, jdk JDK, libraries ...string) (failures map[string]string) {
	tb.Helper()
	var list strings.Builder
	for _, jar := range libraries {
		fmt.Fprintf(&list, "library %s\n", jar)
	}
	log := filepath.Join(s.dir, "verification.log")
	options := append(slices.Clone(fullVerification), "--add-modules", "ALL-SYSTEM",
		"-Xlog:class+init=info:file="+log+":none:filecount=0")
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
	failures, linked := parseLinked(output.Stdout)
	if output.ExitCode != 0 || len(linked)+len(failures) != s.classes {
		tb.Fatalf("exit code %d, %d of %d classes linked, %d refused\n%s", output.ExitCode, len(linked), s.classes,
			len(failures), output.Stderr)
	}
	verified, err := parseVerification(log)
	if err != nil {
		tb.Fatal(err)
	}
	for _, class := range linked {
		switch _, name, _ := strings.Cut(class, "/"); verified[name] {
		case notVerified:
			failures[class] = "not verified"
		case verifiedByOlder:
			failures[class] = "verified by the older verifier only"
		}
	}
	return failures
}

// verification is how a class was verified, if it was.
type verification uint8

const (
	notVerified verification = iota
	verified
	verifiedByOlder
)

// parseVerification reads what HotSpot logs of its verifiers.
func parseVerification(log string) (map[string]verification, error) {
	text, err := os.ReadFile(log)
	if err != nil {
		return nil, err
	}
	classes := map[string]verification{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if class, ok := strings.CutPrefix(line, "End class verification for: "); ok && classes[class] == notVerified {
			classes[class] = verified
		}
		if class, ok := strings.CutPrefix(line, "Fail over class verification to old verifier for: "); ok {
			classes[class] = verifiedByOlder
		}
	}
	return classes, nil
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
func parseLinked(stdout string) (refused map[string]string, linked []string) {
	refused = map[string]string{}
	for line := range strings.Lines(stdout) {
		words := strings.SplitN(strings.TrimSpace(line), " ", 4)
		switch {
		case words[0] == "refused" && len(words) == 4:
			refused[words[1]+"/"+words[2]] = words[3]
		case words[0] == "linked" && len(words) == 3:
			linked = append(linked, words[1]+"/"+words[2])
		}
	}
	return refused, linked
}

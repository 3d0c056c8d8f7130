package profile

import (
	"cmp"
	"slices"
	"strings"

	"mallard/internal/classpath"
	"mallard/internal/symbols"
)

// Mine says which classes are the user's own.
type Mine struct {
	Patterns string // as MatchName has them; what else a class is in is empty
	Guessed  string // what that was taken from; empty where it was given
	plain    bool   // classes without a package, too
	others   bool   // all classes but the JDK's
}

// Is reports whether a class is the user's.
func (m *Mine) Is(class string) bool {
	switch {
	case class == "":
		return false
	case m.plain && !strings.Contains(class, ".") && !strings.HasPrefix(class, "("):
		return true
	case m.plain && m.Patterns == "":
		return false
	case m.others:
		return !isJDK(class)
	}
	return MatchName(m.Patterns, class)
}

// IsMethod reports whether a method is of such a class, or the name that the user gave to a transaction.
func (m *Mine) IsMethod(method *symbols.Method) bool { return method.Transaction || m.Is(method.Class) }

// Text says which classes these are.
func (m *Mine) Text() string {
	switch {
	case m.plain && m.Patterns != "":
		return "classes without a package, " + m.Patterns
	case m.plain:
		return "classes without a package"
	case m.others:
		return "all classes but the JDK's"
	}
	return m.Patterns
}

// GuessMine takes for the user's the package of the main class, that of the command or of a method main(String[]), and
// what Own finds. A package of three parts or more stands for all beside it: org.foo.app for org.foo. The main class
// does not count where it is a library's, as those that start tests are. Where nothing is known, all but the JDK is the
// user's.
func (p *Profile) GuessMine() *Mine {
	main := ""
	if p.Process != nil {
		main, _ = MainProgram(p.Process.Command)
		main = main[strings.LastIndexByte(main, '/')+1:] // of module/class
	}
	if !p.isClass(main) {
		main = ""
	}
	var own classpath.Own
	if p.Own != nil {
		own = p.Own(main)
	}
	if main = cmp.Or(main, own.Main, p.mainClass()); own.Library || isLauncher(main) {
		main = ""
	}
	if main == "" && len(own.Packages) == 0 {
		return &Mine{others: true, Guessed: "no main class is known"}
	}
	m := &Mine{}
	var from []string
	if main != "" {
		m.addPackage(main[:max(strings.LastIndexByte(main, '.'), 0)])
		from = append(from, "main class "+main)
	}
	ofMain := *m
	for _, name := range own.Packages {
		m.addPackage(name)
	}
	if *m != ofMain {
		from = append(from, own.From...)
	}
	m.Guessed = strings.Join(from, ", ")
	return m
}

// addPackage has a package be the user's, empty for that without a name.
func (m *Mine) addPackage(name string) {
	switch {
	case name == "":
		m.plain = true
	case m.Patterns == "":
		m.Patterns = ownPackage(name) + ".*"
	case !MatchName(m.Patterns, name+".Class"):
		m.Patterns += "," + ownPackage(name) + ".*"
	}
}

// launchers are packages of what starts programs and tests.
var launchers = []string{"org.junit.", "org.testng.", "org.gradle.", "worker.org.gradle.", "org.apache.maven.",
	"org.codehaus.plexus.", "com.intellij.", "org.springframework.boot.loader.", "org.apache.catalina.startup."}

func isLauncher(class string) bool {
	return slices.ContainsFunc(launchers, func(name string) bool { return strings.HasPrefix(class, name) })
}

// OutsideJDK takes all code but the JDK's for the user's.
func OutsideJDK() *Mine { return &Mine{others: true} }

// isClass reports whether a name is that of a class that was loaded, or has sites or contexts.
func (p *Profile) isClass(name string) bool {
	if name != "" && p.table != nil && p.table.Classes.Has(strings.ReplaceAll(name, ".", "/")) {
		return true
	}
	for i := range p.Methods {
		if p.Methods[i].Class == name && name != "" {
			return true
		}
	}
	return false
}

// mainClass finds the class of a method that a launcher may have called, outside the JDK; empty if there is none.
func (p *Profile) mainClass() string {
	for i := range p.Methods {
		if m := &p.Methods[i]; m.Name == "main" && m.Descriptor == "([Ljava/lang/String;)V" && !isJDK(m.Class) {
			return m.Class
		}
	}
	return ""
}

// shared are packages whose next part says whose they are.
var shared = map[string]bool{"com.github": true, "io.github": true, "com.gitlab": true, "org.apache": true}

// ownPackage gives the package that a main class's belongs to.
func ownPackage(name string) string {
	parts := strings.Split(name, ".")
	if len(parts) <= 2 {
		return name
	}
	if first := strings.Join(parts[:2], "."); !shared[first] {
		return first
	}
	return strings.Join(parts[:3], ".")
}

var jdkPackages = []string{"java.", "javax.", "jdk.", "sun.", "com.sun.", "("}

func isJDK(class string) bool {
	for _, prefix := range jdkPackages {
		if strings.HasPrefix(class, prefix) {
			return true
		}
	}
	return false
}

// caller is a line of a method.
type caller struct{ method, line int32 }

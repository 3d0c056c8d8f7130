package compat_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/placement"
)

// language is a compiler for the JVM that is not Java's, as Debian packages it, and how a program of it is run.
type language struct {
	name, packages string
	jars           []string // below /usr/share, at run time
	compilerJars   []string // besides, to compile
	// options, main class and arguments that compile SOURCE, in the folder SOURCES, to OUT; nil where running compiles
	compile []string
	source  string
	run     []string // options, main class and arguments
	classes string   // names of the classes made: a regular expression
}

var languages = []language{
	{name: "Scala", packages: "scala", jars: []string{"java/scala-library.jar"},
		compilerJars: []string{"java/scala-compiler.jar", "java/scala-reflect.jar", "java/scala-xml_2.11.jar"},
		compile: []string{"scala.tools.nsc.Main", "-cp", "/usr/share/java/scala-library.jar", "-d", "OUT",
			"SOURCE"},
		source: "Crossing.scala", run: []string{"Crossing"}, classes: `^Crossing`},
	{name: "Groovy", packages: "groovy", jars: []string{"java/groovy-all.jar"},
		compile: []string{"org.codehaus.groovy.tools.FileSystemCompiler", "-d", "OUT", "SOURCE"},
		source:  "crossing.groovy", run: []string{"crossing"}, classes: `^(crossing|Compiled|Stop)`},
	{name: "Clojure", packages: "clojure", jars: []string{"java/clojure.jar", "java/spec.alpha.jar",
		"java/core.specs.alpha.jar"},
		compile: []string{"-Dclojure.compile.path=OUT", "clojure.lang.Compile", "crossing"},
		source:  "crossing.clj", run: []string{"crossing"}, classes: `^crossing`},
	// JRuby's own classes have the allocations of what it makes of a script; those of its start differ from run to run.
	{name: "JRuby", packages: "jruby", jars: []string{"jruby/lib/jruby.jar"}, source: "crossing.rb",
		run: []string{"-Djruby.home=/usr/share/jruby", "-Djruby.compile.mode=FORCE", "-Xss2m",
			"--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
			"--add-opens=java.base/java.io=ALL-UNNAMED", "org.jruby.Main", "SOURCE"},
		classes: `^org\.jruby\.(exceptions|ir\.runtime|RubyException|RubyStandardError|RubyFloat|RubyProc|` +
			`runtime\.builtin)[^/]*$`},
}

// TestLanguages runs what other compilers than javac make of programs whose exceptions cross paths, and compares with
// the oracle, site by site.
func TestLanguages(t *testing.T) {
	if !jvmtest.Long() {
		t.Skip("runs four compilers; MALLARD_LONG=1 runs it")
	}
	for _, l := range languages {
		jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
			t.Run(l.name, func(t *testing.T) {
				t.Parallel()
				command := l.command(t, jdk)
				plain := jvmtest.RunPlain(t, jdk, command)
				if plain.ExitCode != 0 || !strings.HasPrefix(plain.Stdout, "sum ") {
					t.Fatalf("the program alone: exit code %d\n%s%s", plain.ExitCode, plain.Stdout, plain.Stderr)
				}
				declares := regexp.MustCompile(l.classes).MatchString
				want := map[string]jvmtest.Counts{}
				for site, counts := range jvmtest.RunOracle(t, jdk, command).Sites {
					if declares(site.Declaring) && site.Allocates() {
						mallardtest.AddSite(want, site.Declaring, site.Method+site.Descriptor, site.BCI, site.Line,
							site.Class, counts)
					}
				}
				if len(want) < 10 {
					t.Fatalf("the oracle saw %d sites", len(want))
				}
				for _, strategy := range []placement.Strategy{placement.DuckTracks, placement.Optimal} {
					output, p := mallardtest.Record(t, jdk, command, "--placement", strategy.String())
					if output.Stdout != plain.Stdout || output.Stderr != plain.Stderr ||
						output.ExitCode != plain.ExitCode {
						t.Errorf("%v: exit code %d, prints\n%s%s\nnot\n%s%s", strategy, output.ExitCode, output.Stdout,
							output.Stderr, plain.Stdout, plain.Stderr)
					}
					got := map[string]jvmtest.Counts{}
					for _, site := range p.Sites {
						// which the oracle cannot tell from the JVM's own
						if declares(site.Class) && site.Amount.Objects != 0 && site.Type != "java.lang.String" {
							mallardtest.AddSite(got, site.Class, site.Method+site.Descriptor, int(site.BCI),
								int(site.Line), site.Type, mallardtest.Counted(site.Amount))
						}
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("%v: sites (-oracle +mallard):\n%s", strategy, diff)
					}
					t.Logf("%v: %d sites are as the oracle says", strategy, len(want))
				}
			})
		})
	}
}

// command compiles the language's program, on the oldest JDK, which compilers of a distribution can read best, and
// gives the command that runs it.
func (l language) command(t *testing.T, jdk jvmtest.JDK) jvmtest.Command {
	t.Helper()
	sources, err := filepath.Abs(mallardtest.Source(t, "languages"))
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	fill := func(words []string) []string {
		r := strings.NewReplacer("OUT", out, "SOURCES", sources, "SOURCE", filepath.Join(sources, l.source))
		filled := make([]string, len(words))
		for i, w := range words {
			filled[i] = r.Replace(w)
		}
		return filled
	}
	jars := func(names []string) []string {
		var paths []string
		for _, name := range names {
			path := filepath.Join("/usr/share", name)
			if _, err := os.Stat(path); err != nil {
				t.Fatalf("%v; `make install-long` installs %s", err, l.packages)
			}
			paths = append(paths, path)
		}
		return paths
	}
	runtime := jars(l.jars)
	if l.compile != nil {
		classpath := strings.Join(append(jars(l.compilerJars), append(runtime, sources, out)...), ":")
		words := append([]string{"-cp", classpath}, fill(l.compile)...)
		if said, err := exec.Command(jvmtest.JDKs(t)[0].Tool("java"), words...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		runtime = append(runtime, out)
	}
	return jvmtest.Command{Classpath: runtime, Options: nil, Args: fill(l.run), Timeout: 10 * time.Minute}
}

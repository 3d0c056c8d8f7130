package compat_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

const (
	asmJar       = "/usr/share/java/asm.jar"
	byteBuddyJar = "/usr/share/java/byte-buddy.jar"
)

// otherAgent is a Java agent that runs beside ours.
type otherAgent struct {
	option    string   // -javaagent
	jvm       []string // the JVM's options that it needs
	classpath []string // where its classes are
	main      string   // class that runs the program; "" for the program itself
	says      string   // at the end of what the program prints
}

// TestOtherAgents has a Java agent beside ours change the program's classes at load, between two runs by
// retransformation and by redefinition, given before and after ours, in the arguments and in the environment.
func TestOtherAgents(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(asmJar); err != nil {
		t.Fatalf("%v; run make install-test first", err)
	}
	programs := []string{"NestedExceptions"}
	if jvmtest.Long() {
		programs = append(programs, "Loops", "Finally", "Strings", "ThrowingConstructors", "Monitors", "Lambdas",
			"InnerClasses", "VirtualThreads")
	}
	inModes(t, programs, []string{"load", "always", "retransform", "redefine"},
		func(t *testing.T, jdk jvmtest.JDK) otherAgent {
			weaver := jdk.MustJavac(t, []string{"-nowarn", "-cp", asmJar},
				mallardtest.Source(t, "agents", "Weaver.java"))
			return otherAgent{option: "-javaagent:" + jvmtest.AgentJar(t, "Weaver"),
				classpath: []string{weaver, asmJar}, main: "Weaver", says: "woven true\n"}
		})
}

// TestJaCoCo has the coverage agent JaCoCo, of Debian's libjacoco-java, beside ours.
func TestJaCoCo(t *testing.T) {
	t.Parallel()
	var classpath []string
	for _, name := range []string{"org.jacoco.agent.rt", "org.jacoco.core", "asm", "asm-commons", "asm-tree",
		"asm-analysis"} {
		jar := filepath.Join(filepath.Dir(asmJar), name+".jar")
		if _, err := os.Stat(jar); err != nil {
			t.Fatalf("%v; make test installs libjacoco-java", err)
		}
		classpath = append(classpath, jar)
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		jar := jvmtest.AgentJar(t, "org.jacoco.agent.rt.internal.PreMain")
		for _, program := range jvmtest.Programs(t) {
			if program.Name != "NestedExceptions" {
				continue
			}
			program.Release = 11 // what the JaCoCo of 2020 can read
			option := fmt.Sprintf("-javaagent:%s=destfile=%s,includes=%s*", jar, os.DevNull, program.Name)
			besideOurs(t, jdk, program, otherAgent{option: option, classpath: classpath}, orders)
		}
	})
}

// TestByteBuddy has an agent beside ours that puts advice around methods with ByteBuddy, of Debian's
// libbyte-buddy-java, as OpenTelemetry's agent does: by retransformation, from the start or between two runs, with a
// helper class in the boot loader.
func TestByteBuddy(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(byteBuddyJar); err != nil {
		t.Fatalf("%v; make test installs libbyte-buddy-java", err)
	}
	programs := []string{"NestedExceptions"}
	if jvmtest.Long() {
		programs = append(programs, "Finally", "Strings", "ThrowingConstructors", "Monitors", "CrossingExceptions",
			"VirtualThreads")
	}
	inModes(t, programs, []string{"load", "later"}, func(t *testing.T, jdk jvmtest.JDK) otherAgent {
		advisor := jdk.MustJavac(t, []string{"-nowarn", "-cp", byteBuddyJar},
			mallardtest.Source(t, "agents", "Advisor.java"))
		return otherAgent{option: "-javaagent:" + jvmtest.AgentJar(t, "Advisor"),
			classpath: []string{advisor, byteBuddyJar}, main: "Advisor", says: "advised true\n",
			// The JVM says that an archive is of no use with more in the boot loader; with ours it has none anyway.
			jvm: []string{"-Xshare:off"}}
	})
}

// inModes runs programs beside an agent that is told "MODE:PROGRAM", in the combinations of JDKs, modes and orders that
// [jvmtest.Combinations] makes.
func inModes(t *testing.T, programs, modes []string, agent func(t *testing.T, jdk jvmtest.JDK) otherAgent) {
	jdks := jvmtest.JDKs(t)
	type run struct {
		jdk  jvmtest.JDK
		mode string
	}
	in := map[run][]order{}
	for _, row := range jvmtest.Combinations(len(jdks), len(modes), len(orders)) {
		r := run{jdks[row[0]], modes[row[1]]}
		in[r] = append(in[r], orders[row[2]])
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		other := agent(t, jdk)
		for _, program := range jvmtest.Programs(t) {
			if !slices.Contains(programs, program.Name) {
				continue
			}
			program.Release = 17 // what the libraries can read that agents use
			for _, mode := range modes {
				t.Run(program.Name+" "+mode, func(t *testing.T) {
					t.Parallel()
					other := other
					other.option += "=" + mode + ":" + program.Name
					besideOurs(t, jdk, program, other, in[run{jdk, mode}])
				})
			}
		}
	})
}

// An order is a way to give the JVM two agents, or its name.
type order struct {
	name   string
	change func(c *jvmtest.Command, ours, other string) // nil: ours by mallard run
}

var orders = []order{
	{"before ours", func(c *jvmtest.Command, ours, other string) { c.Options = append(c.Options, other, ours) }},
	{"after ours", func(c *jvmtest.Command, ours, other string) { c.Options = append(c.Options, ours, other) }},
	{"in the environment", func(c *jvmtest.Command, ours, other string) {
		c.Options, c.Env = append(c.Options, ours), []string{"JAVA_TOOL_OPTIONS=" + other}
	}},
	{"ours in the environment", func(c *jvmtest.Command, ours, other string) {
		c.Options, c.Env = append(c.Options, other), []string{"JAVA_TOOL_OPTIONS=" + ours}
	}},
	{"under run", nil},
}

// besideOurs runs a program with another agent and Mallard, in some orders, and compares with the oracle's counts of
// the program with that agent.
func besideOurs(t *testing.T, jdk jvmtest.JDK, program jvmtest.Program, other otherAgent, orders []order) {
	t.Helper()
	command := program.Command(t, jdk)
	command.Classpath = append(command.Classpath, other.classpath...)
	if other.main != "" {
		command.Main = other.main
	}
	options := slices.Concat(jvmtest.ShortRun(), other.jvm)
	command.Options = append(slices.Clone(options), other.option)
	plain := jvmtest.RunPlain(t, jdk, command)
	if plain.ExitCode != 0 || !strings.HasSuffix(plain.Stdout, other.says) {
		t.Fatalf("without Mallard: exit code %d, prints\n%s%s", plain.ExitCode, plain.Stdout, plain.Stderr)
	}
	truth := jvmtest.RunOracle(t, jdk, command)
	want := byMethod(mallardtest.OracleSites(program, truth))
	for _, order := range orders {
		t.Run(order.name, func(t *testing.T) {
			var output jvmtest.Output
			var p *profile.Profile
			if order.change == nil {
				output, p = mallardtest.Record(t, jdk, command, "--placement", "ducktracks")
			} else {
				file := filepath.Join(t.TempDir(), "run.mallard")
				command := command
				command.Options = slices.Clone(options)
				order.change(&command, fmt.Sprintf("-agentpath:%s=quiet,file=%s", mallardtest.Library(t), file),
					other.option)
				output = jdk.MustRun(t, command)
				p = mallardtest.Read(t, file)
			}
			stderr := strings.Join(programsLines(output.Stderr), "")
			if output.Stdout != plain.Stdout || stderr != plain.Stderr || output.ExitCode != 0 {
				t.Errorf("exit code %d, prints\n%s%s\nnot\n%s%s", output.ExitCode, output.Stdout, output.Stderr,
					plain.Stdout, plain.Stderr)
			}
			if diff := cmp.Diff(want, byMethod(mallardtest.RecordedSites(program, p, truth))); diff != "" {
				t.Errorf("methods (-oracle +mallard):\n%s", diff)
			}
		})
	}
}

// TestOtherAgentsFrames ends a program in the middle of paths of methods that another agent has changed: their live
// frames are told, for its changes come first.
func TestOtherAgentsFrames(t *testing.T) {
	t.Parallel()
	jdk := jvmtest.JDKs(t)[0]
	weaver := jdk.MustJavac(t, []string{"-nowarn", "-cp", asmJar}, mallardtest.Source(t, "agents", "Weaver.java"))
	jar := jvmtest.AgentJar(t, "Weaver")
	for _, program := range jvmtest.Programs(t) {
		if program.Name != "ExitMidPath" {
			continue
		}
		program.Release = 17
		command := program.Command(t, jdk)
		command.Classpath = append(command.Classpath, weaver, asmJar)
		truth := jvmtest.RunOracle(t, jdk, command)
		want := mallardtest.OracleSites(program, truth)
		for _, mode := range []string{"", "always"} {
			if mode != "" {
				command.Options = []string{"-javaagent:" + jar + "=" + mode + ":" + program.Name}
			}
			_, p := mallardtest.Record(t, jdk, command)
			if diff := cmp.Diff(byMethod(want), byMethod(mallardtest.RecordedSites(program, p, truth))); diff != "" ||
				len(p.Losses) > 0 {
				t.Errorf("%q: losses %v, methods (-oracle +mallard):\n%s", mode, p.Losses, diff)
			}
		}
	}
}

// byMethod sums sites by method: another agent's code moves instructions. Methods that it adds are ours to see or not.
func byMethod(sites map[string]jvmtest.Counts) map[string]jvmtest.Counts {
	sums := map[string]jvmtest.Counts{}
	for site, counts := range sites {
		method, _, _ := strings.Cut(site, ":")
		if strings.Contains(method, ".$") {
			continue
		}
		sum := sums[method] // positions have moved, and with them what tells a call's types from a bytecode's
		sums[method] = jvmtest.Counts{Objects: sum.Objects + counts.Objects, Bytes: sum.Bytes + counts.Bytes}
	}
	return sums
}

// programsLines leaves out what a JVM says of its environment.
func programsLines(stderr string) []string {
	var lines []string
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "Picked up ") {
			lines = append(lines, line)
		}
	}
	return lines
}

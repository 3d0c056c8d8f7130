package jvm

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeJDK makes the part of a JDK that tells its launchers apart and gives its bin folder.
func fakeJDK(t *testing.T) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "jdk")
	write := func(path, content string) {
		t.Helper()
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("lib/libjli.so", "")
	write("bin/java", "\x7fELF libjli.so")
	write("bin/javac", "\x7fELF libjli.so")
	write("bin/native", "\x7fELF")
	write("bin/start", "#!/bin/sh\n")
	write("elsewhere/bin/java", "\x7fELF libjli.so")
	if err := os.Symlink(filepath.Join(home, "bin", "java"), filepath.Join(home, "elsewhere", "linked")); err != nil {
		t.Fatal(err)
	}
	return home
}

func TestInto(t *testing.T) {
	home := fakeJDK(t)
	t.Setenv("PATH", filepath.Join(home, "bin"))
	in := func(path string) string { return filepath.Join(home, path) }
	const agent = "-agentpath:/c/libmallard.so=socket=/s"
	given := func(option string) []string {
		return []string{"JAVA_TOOL_OPTIONS=" + option, "MALLARD_TOOL_OPTIONS=" + option}
	}
	tests := []struct {
		name                 string
		command, environment []string
		library              string // "" for that of agent
		wantCommand, wantEnv []string
	}{
		{"java", []string{in("bin/java"), "-cp", "x", "Main"}, []string{"A=b"}, "",
			[]string{in("bin/java"), agent, "-cp", "x", "Main"}, []string{"A=b"}},
		{"java on the path", []string{"java", "@file"}, nil, "", []string{"java", agent, "@file"}, nil},
		{"java through a link", []string{in("elsewhere/linked"), "Main"}, nil, "", []string{in("elsewhere/linked"),
			agent, "Main"}, nil},
		{"javac", []string{"javac", "A.java"}, []string{"JAVA_TOOL_OPTIONS=-Dx"}, "",
			[]string{"javac", "-J" + agent, "A.java"}, []string{"JAVA_TOOL_OPTIONS=-Dx"}},
		{"space in java's option", []string{"java"}, nil, "/c d/libmallard.so",
			[]string{"java", "-agentpath:/c d/libmallard.so=socket=/s"}, nil},
		{"script", []string{"start", "x"}, []string{"A=b"}, "", []string{"start", "x"},
			append([]string{"A=b"}, given(agent)...)},
		{"another program of the JDK's", []string{"native"}, nil, "", []string{"native"}, given(agent)},
		{"no JDK around it", []string{in("elsewhere/bin/java")}, nil, "", []string{in("elsewhere/bin/java")},
			given(agent)},
		{"unknown", []string{"nothing-of-this-name"}, nil, "", []string{"nothing-of-this-name"}, given(agent)},
		{"variable set", []string{"start"}, []string{"JAVA_TOOL_OPTIONS=-Dx=1 -Dy", "Z=1"}, "", []string{"start"},
			[]string{"JAVA_TOOL_OPTIONS=" + agent + " -Dx=1 -Dy", "Z=1", "MALLARD_TOOL_OPTIONS=" + agent}},
		{"variable empty", []string{"start"}, []string{"JAVA_TOOL_OPTIONS="}, "", []string{"start"}, given(agent)},
		{"space", []string{"start"}, nil, "/c d/libmallard.so", []string{"start"},
			given(`"-agentpath:/c d/libmallard.so=socket=/s"`)},
		{"double quote", []string{"start"}, nil, `/c"d/libmallard.so`, []string{"start"},
			given(`'-agentpath:/c"d/libmallard.so=socket=/s'`)},
		{"quote and space", []string{"start"}, nil, `/c'd e/libmallard.so`, []string{"start"},
			given(`"-agentpath:/c'd e/libmallard.so=socket=/s"`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := Agent{Library: cmp.Or(test.library, "/c/libmallard.so"), Options: "socket=/s"}
			before := slices.Clone(test.environment)
			command, environment, err := a.Into(test.command, test.environment)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(command, test.wantCommand) {
				t.Errorf("command %q, want %q", command, test.wantCommand)
			}
			if !slices.Equal(environment, test.wantEnv) {
				t.Errorf("environment %q, want %q", environment, test.wantEnv)
			}
			if !slices.Equal(test.environment, before) {
				t.Errorf("changed the caller's environment to %q", test.environment)
			}
			taken, without, ok := TakeOut(environment)
			if inEnvironment := len(test.wantEnv) > len(test.environment); ok != inEnvironment {
				t.Fatalf("taken out: %v", ok)
			} else if !ok {
				return
			}
			a.Options += ",restore"
			if taken.Library != a.Library || taken.Options != a.Options || len(taken.JVM) != 0 {
				t.Errorf("took out %+v", taken)
			}
			if was := Variable(test.environment, "JAVA_TOOL_OPTIONS"); Variable(without, "JAVA_TOOL_OPTIONS") != was {
				t.Errorf("without %q", without)
			}
		})
	}
	a := Agent{Library: "/c/libmallard.so", Options: "socket=/s", JVM: []string{MoreMetadata, CompileHuge}}
	for command, want := range map[string]string{"java": agent + " " + MoreMetadata + " " + CompileHuge,
		"javac": "-J" + agent + " -J" + MoreMetadata + " -J" + CompileHuge} {
		if given, _, err := a.Into([]string{command, "x"}, nil); err != nil ||
			strings.Join(given, " ") != command+" "+want+" x" {
			t.Errorf("%q, %v", given, err)
		} else if back := WithoutAgent(given); len(back) != 2 {
			t.Errorf("without the agent %q", back)
		}
	}
	_, environment, err := a.Into([]string{"start"}, nil)
	if err != nil || environment[0] != "JAVA_TOOL_OPTIONS="+agent+" "+MoreMetadata+" "+CompileHuge {
		t.Errorf("%q, %v", environment, err)
	}
	if taken, _, ok := TakeOut(environment); !ok || !slices.Equal(taken.JVM, a.JVM) {
		t.Errorf("took out %+v", taken)
	}
	if _, _, err := (Agent{Library: `/c'"/libmallard.so`}).Into([]string{"start"}, nil); err == nil {
		t.Error("took a path with both quotes")
	}
}

// TestTakeOutOfOthers takes an agent out that a script has taken out of JAVA_TOOL_OPTIONS before: it does not come back
// there.
func TestTakeOutOfOthers(t *testing.T) {
	const ours = "MALLARD_TOOL_OPTIONS=-agentpath:/c/libmallard.so=socket=/s"
	for _, environment := range [][]string{{ours}, {ours, "JAVA_TOOL_OPTIONS=-Dx"},
		{ours, "JAVA_TOOL_OPTIONS=-agentpath:/c/libmallard.so=socket=/s2"}} {
		a, without, ok := TakeOut(environment)
		if !ok || a.Options != "socket=/s" || !slices.Equal(without, environment) {
			t.Errorf("%q: %v, %+v, %q", environment, ok, a, without)
		}
	}
	for _, ours := range []string{"", "-Dx", "-agentpath:/c/other.so=x"} {
		if a, _, ok := TakeOut([]string{"MALLARD_TOOL_OPTIONS=" + ours}); ok {
			t.Errorf("%q: took out %+v", ours, a)
		}
	}
}

func TestIsAgent(t *testing.T) {
	for argument, want := range map[string]bool{
		"-agentpath:/c/libmallard.so=socket=/s": true,
		"-J-agentpath:/c/libmallard.so=file=x":  true,
		"-agentpath:/c/libmallard.so":           true,
		"-agentpath:/c/libother.so=libmallard":  false,
		"-agentlib:mallard":                     false,
		"libmallard.so":                         false,
		"":                                      false,
	} {
		if isAgent(argument) != want {
			t.Errorf("isAgent(%q) = %v", argument, !want)
		}
	}
}

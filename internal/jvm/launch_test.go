package jvm

import (
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
	write("bin/java", "\x7fELF")
	write("bin/javac", "\x7fELF")
	write("bin/start", "#!/bin/sh\n")
	write("elsewhere/bin/java", "\x7fELF")
	if err := os.Symlink(filepath.Join(home, "bin", "java"), filepath.Join(home, "elsewhere", "linked")); err != nil {
		t.Fatal(err)
	}
	return home
}

func TestWithAgent(t *testing.T) {
	home := fakeJDK(t)
	t.Setenv("PATH", filepath.Join(home, "bin"))
	in := func(path string) string { return filepath.Join(home, path) }
	const agent = "-agentpath:/c/libmallard.so=socket=/s"
	tests := []struct {
		name                 string
		command, environment []string
		agent                string // "" for agent
		wantCommand, wantEnv []string
	}{
		{"java", []string{in("bin/java"), "-cp", "x", "Main"}, []string{"A=b"}, "",
			[]string{in("bin/java"), agent, "-cp", "x", "Main"}, []string{"A=b"}},
		{"java on the path", []string{"java", "@file"}, nil, "", []string{"java", agent, "@file"}, nil},
		{"java through a link", []string{in("elsewhere/linked"), "Main"}, nil, "", []string{in("elsewhere/linked"),
			agent, "Main"}, nil},
		{"javac", []string{"javac", "A.java"}, []string{"JAVA_TOOL_OPTIONS=-Dx"}, "",
			[]string{"javac", "-J" + agent, "A.java"}, []string{"JAVA_TOOL_OPTIONS=-Dx"}},
		{"space in java's option", []string{"java"}, nil, "-agentpath:/c d/lib",
			[]string{"java", "-agentpath:/c d/lib"}, nil},
		{"script", []string{"start", "x"}, []string{"A=b"}, "", []string{"start", "x"},
			[]string{"A=b", "JAVA_TOOL_OPTIONS=" + agent}},
		{"no JDK around it", []string{in("elsewhere/bin/java")}, nil, "", []string{in("elsewhere/bin/java")},
			[]string{"JAVA_TOOL_OPTIONS=" + agent}},
		{"unknown", []string{"nothing-of-this-name"}, nil, "", []string{"nothing-of-this-name"},
			[]string{"JAVA_TOOL_OPTIONS=" + agent}},
		{"variable set", []string{"start"}, []string{"JAVA_TOOL_OPTIONS=-Dx=1 -Dy", "Z=1"}, "",
			[]string{"start"}, []string{"JAVA_TOOL_OPTIONS=" + agent + " -Dx=1 -Dy", "Z=1"}},
		{"variable empty", []string{"start"}, []string{"JAVA_TOOL_OPTIONS="}, "", []string{"start"},
			[]string{"JAVA_TOOL_OPTIONS=" + agent}},
		{"space", []string{"start"}, nil, "-agentpath:/c d/lib", []string{"start"},
			[]string{`JAVA_TOOL_OPTIONS="-agentpath:/c d/lib"`}},
		{"double quote", []string{"start"}, nil, `-agentpath:/c"d/lib`, []string{"start"},
			[]string{`JAVA_TOOL_OPTIONS='-agentpath:/c"d/lib'`}},
		{"quote and space", []string{"start"}, nil, `-agentpath:/c'd e/lib`, []string{"start"},
			[]string{`JAVA_TOOL_OPTIONS="-agentpath:/c'd e/lib"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			given := test.agent
			if given == "" {
				given = agent
			}
			before := slices.Clone(test.environment)
			command, environment, err := WithAgent(test.command, test.environment, given)
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
		})
	}
	for command, want := range map[string]string{"java": agent + " " + CompileHuge, "javac": "-J" + agent + " -J" +
		CompileHuge} {
		if given, _, err := WithAgent([]string{command, "x"}, nil, agent, CompileHuge); err != nil ||
			strings.Join(given, " ") != command+" "+want+" x" {
			t.Errorf("%q, %v", given, err)
		} else if back := WithoutAgent(given); len(back) != 2 {
			t.Errorf("without the agent %q", back)
		}
	}
	if _, environment, err := WithAgent([]string{"start"}, nil, agent, CompileHuge); err != nil ||
		environment[0] != "JAVA_TOOL_OPTIONS="+agent+" "+CompileHuge {
		t.Errorf("%q, %v", environment, err)
	}
	if _, _, err := WithAgent([]string{"start"}, nil, `-agentpath:/c'"/lib`); err == nil {
		t.Error("took a path with both quotes")
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

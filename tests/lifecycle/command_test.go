package lifecycle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// TestCommands runs Steps, or something that ends like it, by all kinds of commands.
func TestCommands(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		folder := t.TempDir()
		steps := mallardtest.Compiled(t, jdk, "Steps").Classpath[0]
		write := func(name, text string) string {
			t.Helper()
			path := filepath.Join(folder, name)
			if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
				t.Fatal(err)
			}
			return path
		}
		java := jdk.Tool("java")
		link := filepath.Join(folder, "linked")
		if err := os.Symlink(java, link); err != nil {
			t.Fatal(err)
		}
		script := write("start", "#!/bin/sh\nexport QUOTED='a b'\n"+java+" -cp "+steps+" Steps\n")
		write("args", "-cp "+steps+" Steps")
		write("Broken.java", "class Broken {")
		tests := []struct {
			name     string
			command  []string
			env      []string
			exit     int
			recorded bool
			cut      bool   // the recording is not complete
			picked   int    // lines "Picked up"
			says     string // mallard, or nothing
		}{
			{name: "java", command: []string{java, "-cp", steps, "Steps"}, exit: 7, recorded: true},
			{name: "arguments from a file", command: []string{java, "@args"}, exit: 7, recorded: true},
			{name: "linked", command: []string{link, "-cp", steps, "Steps"}, exit: 7, recorded: true},
			{name: "on the path", command: []string{"java", "-cp", steps, "Steps"},
				env: []string{"PATH=" + filepath.Dir(java)}, exit: 7, recorded: true},
			{name: "script", command: []string{script}, exit: 7, recorded: true, picked: 1},
			{name: "shell", command: []string{"sh", "-c", java + " @args; exit 3"}, exit: 3, recorded: true, picked: 1},
			{name: "javac", command: []string{jdk.Tool("javac"), "Broken.java"}, exit: 1, recorded: true},
			{name: "options from the environment", command: []string{java, "Steps"},
				env: []string{"JDK_JAVA_OPTIONS=-cp " + steps}, exit: 7, recorded: true},
			{name: "variable taken", command: []string{"sh", script}, env: []string{"JAVA_TOOL_OPTIONS=-Dx=1"}, exit: 7,
				recorded: true, picked: 1},
			{name: "variable taken, java", command: []string{java, "@args"}, env: []string{"JAVA_TOOL_OPTIONS=-Dx=1"},
				exit: 7, recorded: true, picked: 1},
			{name: "cache with a space", command: []string{script},
				env: []string{"XDG_CACHE_HOME=" + folder + "/a cache"}, exit: 7, recorded: true, picked: 1},
			{name: "cache with a space, java", command: []string{java, "@args"},
				env: []string{"XDG_CACHE_HOME=" + folder + "/a cache"}, exit: 7, recorded: true},
			{name: "cache with quotes", command: []string{script},
				env: []string{"XDG_CACHE_HOME=" + folder + `/a'"cache`}, exit: 7, recorded: true, picked: 1},
			{name: "long temporary folder", command: []string{java, "@args"}, env: []string{"TMPDIR=" + longFolder(t)},
				exit: 7, recorded: true},
			{name: "no JVM", command: []string{"sh", "-c", "exit 4"}, exit: 4, says: "no JVM started by"},
			{name: "no such command", command: []string{"no-such-command-here"}, exit: 127,
				says: "no-such-command-here: command not found"},
			{name: "no such file", command: []string{"./no-such-command-here"}, exit: 127,
				says: "./no-such-command-here: command not found"},
			{name: "not a program", command: []string{"/"}, exit: 126, says: "/: is a directory"},
			{name: "no java", command: []string{"java"}, env: []string{"PATH=" + folder}, exit: 127,
				says: "install a JDK"},
			{name: "options refused", command: []string{java, "-XX:+NoSuchOption", "-version"}, exit: 1,
				says: "no JVM started by"},
			{name: "dies before it is initialised", command: []string{java, "-Xmx120t", "@args"}, exit: 1,
				recorded: true, cut: true},
			{name: "dies before it has a main class", command: []string{java, "--add-modules", "missing", "@args"},
				exit: 1, recorded: true, cut: true},
			{name: "no main class", command: []string{java, "-cp", folder, "Missing"}, exit: 1, recorded: true},
			{name: "archive demanded", command: []string{java, "-Xshare:on", "@args"}, exit: 7, recorded: true},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "run.mallard")
				words := append([]string{mallardtest.Binary(t), "run", "-q", "-o", file, "--"}, test.command...)
				output := mallardtest.RunWords(t, folder, test.env, words...)
				if output.ExitCode != test.exit {
					t.Errorf("exit code %d, want %d; stderr:\n%s", output.ExitCode, test.exit, output.Stderr)
				}
				if test.exit == 7 && output.Stdout != "sum 0\n" {
					t.Errorf("stdout %q", output.Stdout)
				}
				if n := strings.Count(output.Stderr, "Picked up JAVA_TOOL_OPTIONS"); n != test.picked {
					t.Errorf("%d times Picked up, want %d", n, test.picked)
				}
				said := mallardtest.Messages(output.Stderr)
				if test.says == "" && len(said) > 0 || test.says != "" &&
					(len(said) == 0 || !strings.Contains(said[0], test.says)) {
					t.Errorf("said %q, want %q", said, test.says)
				}
				if _, err := os.Stat(file); (err == nil) != test.recorded {
					t.Errorf("recorded: %v, want %v", err == nil, test.recorded)
				} else if test.recorded && mallardtest.Read(t, file).Complete == test.cut {
					t.Errorf("complete: %v", !test.cut)
				}
			})
		}
	})
}

// longFolder has a path that no socket's path can begin with.
func longFolder(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	return folder
}

package compat_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// starts starts the program that its arguments are, behind a word that says how.
const starts = `import java.util.*;
import java.io.*;
public class Starts {
    public static void main(String[] args) throws Exception {
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            sum += new int[7].length;
        }
        System.out.println(sum + " " + System.getenv("JAVA_TOOL_OPTIONS") + " " + System.getenv("MALLARD_TOOL_OPTIONS")
            + " " + System.getProperty("x") + Arrays.toString(args));
        if (args.length == 0) {
            System.exit(7);
        }
        ProcessBuilder b = new ProcessBuilder(Arrays.asList(args).subList(1, args.length)).inheritIO();
        switch (args[0]) {
            case "nothing": b.environment().clear(); break;
            case "below": b.directory(new File("below")); break;
        }
        try {
            Process p = b.start();
            System.exit(args[0].equals("left") ? 7 : p.waitFor());
        } catch (IOException e) {
            System.out.println(e.getMessage());
            System.exit(7);
        }
    }
}
`

// TestChildren has a launcher's program start others: those that are launchers are recorded, and so is what scripts
// start; what they print and how they end is as without Mallard.
func TestChildren(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		t.Parallel()
		classes := jdk.MustJavac(t, nil, mallardtest.Written(t, "Starts", starts))
		java := jdk.Tool("java")
		for i, test := range []struct {
			name       string
			words      []string // behind the class
			recordings int      // besides the first one
			hidden     bool     // the child's words are not compared: it sees the variable
		}{
			{"on the PATH", []string{"", "java", "Starts"}, 1, false},
			{"relative", []string{"below", "../java", "-cp", classes, "Starts"}, 1, false},
			{"that of a child", []string{"", java, "-Dx=a b", "Starts", "", java, "Starts"}, 2, false},
			{"no environment", []string{"nothing", java, "-cp", classes, "Starts"}, 1, false},
			{"empty words", []string{"", java, "-Dx=", "Starts", "", "", ""}, 1, false},
			{"no such program", []string{"", "no-such-program", "a"}, 0, false},
			{"a script", []string{"", "sh", "-c", "java Starts; exit $?"}, 1, true},
			{"a script without environment", []string{"nothing", "/bin/sh", "-c", java + " -cp " + classes +
				" -version 2>&1 | grep -c version"}, 1, true},
			{"left behind", []string{"left", java, "Starts"}, 1, false},
		} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(test.name, func(t *testing.T) {
				folder := t.TempDir()
				if err := os.Mkdir(filepath.Join(folder, "below"), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(java, filepath.Join(folder, "java")); err != nil {
					t.Fatal(err)
				}
				env := []string{"CLASSPATH=" + classes, "PATH=" + jdk.Home + "/bin:" + os.Getenv("PATH")}
				command := append([]string{java, "Starts"}, test.words...)
				plain := mallardtest.RunWords(t, folder, env, command...)
				words := []string{mallardtest.Binary(t), "run", "-q", "-o", filepath.Join(folder, "%p.mallard"), "--"}
				output := mallardtest.RunWords(t, folder, env, append(words, command...)...)
				if test.hidden {
					first := func(text string) string { return strings.SplitAfter(text, "\n")[0] }
					output.Stdout, plain.Stdout = first(output.Stdout), first(plain.Stdout)
				}
				if output.Stdout != plain.Stdout || output.Stderr != plain.Stderr && test.name !=
					"a script without environment" || output.ExitCode != plain.ExitCode {
					t.Errorf("exit code %d and\n%s%s\nwant %d and\n%s%s", output.ExitCode, output.Stdout, output.Stderr,
						plain.ExitCode, plain.Stdout, plain.Stderr)
				}
				files, _ := filepath.Glob(filepath.Join(folder, "*.mallard"))
				if len(files) != 1+test.recordings {
					t.Errorf("%d recordings, want %d; %s", len(files), 1+test.recordings, output.Stderr)
				}
				for _, file := range files {
					if p := mallardtest.Read(t, file); !p.Complete {
						t.Errorf("%s: %s", file, p.Reason)
					}
				}
			})
		}
	})
}

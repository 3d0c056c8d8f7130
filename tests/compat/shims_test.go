package compat_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

const shown = `public class Shown {
    public static void main(String[] args) throws Exception {
        int sum = 0;
        for (int i = 0; i < 1000; i++) {
            sum += new int[7].length;
        }
        System.out.println("sum " + sum + " " + System.getProperty("java.home") + " " + System.getProperty("x"));
        if (args.length > 0) {
            java.util.List<String> words = new java.util.ArrayList<>(java.util.Arrays.asList(args));
            words.set(0, "Shown");
            words.add(0, System.getProperty("java.home") + "/bin/java");
            System.exit(new ProcessBuilder(words).inheritIO().start().waitFor());
        }
        System.exit(7);
    }
}
`

// TestShims runs scripts that start JVMs by the PATH and by variables: what is printed, on both streams, and how they
// end is as without Mallard, and all of them are recorded.
func TestShims(t *testing.T) {
	t.Parallel()
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		t.Parallel()
		classes := jdk.MustJavac(t, nil, mallardtest.Written(t, "Shown", shown))
		links := t.TempDir() // java, but no javac
		for name, to := range map[string]string{"java": jdk.Tool("java"), "jdk": jdk.Home, "sh": "/bin/sh",
			"readlink": "/usr/bin/readlink", "dirname": "/usr/bin/dirname", "ls": "/bin/ls", "cat": "/bin/cat"} {
			if err := os.Symlink(to, filepath.Join(links, name)); err != nil {
				t.Fatal(err)
			}
		}
		for _, test := range []struct {
			name, script string
			env          []string
			recordings   int
			picked       bool // up, as without shims
			flag         string
		}{
			{name: "PATH", script: "java Shown", recordings: 1},
			{name: "several", script: "java Shown; java -Dx='a b' Shown", recordings: 2},
			{name: "words", script: `java -Dx="a  'b'" Shown; exit 3`, recordings: 1},
			{name: "JAVA_HOME", script: "$JAVA_HOME/bin/java Shown", env: []string{"JAVA_HOME=" + jdk.Home},
				recordings: 1},
			{name: "JAVA_HOME is a link", script: "$JAVA_HOME/bin/java Shown",
				env: []string{"JAVA_HOME=" + filepath.Join(links, "jdk")}, recordings: 1},
			{name: "JAVA_HOME in front of the PATH", script: "PATH=$JAVA_HOME/bin:$PATH; java Shown",
				env: []string{"JAVA_HOME=" + jdk.Home}, recordings: 1},
			{name: "JAVACMD", script: "exec $JAVACMD Shown", env: []string{"JAVACMD=" + jdk.Tool("java")},
				recordings: 1},
			{name: "javac", script: "$JDK_HOME/bin/javac -version", env: []string{"JDK_HOME=" + jdk.Home},
				recordings: 1},
			{name: "a JDK found by the PATH", recordings: 1, script: "h=$(readlink -f $(command -v java)); " +
				"h=$(dirname $(dirname $h)); ls $h; cat $h/release; $h/bin/java Shown"},
			{name: "a name that is not there", script: "command -v javac; javac -version", env: []string{"JAVA_HOME=" +
				jdk.Home}},
			{name: "a variable that is no JDK", script: "echo $JAVA_HOME $JAVA_OPTS",
				env: []string{"JAVA_HOME=/nowhere", "JAVA_OPTS=" + links}},
			{name: "options of the user's", script: "java Shown", env: []string{"JAVA_TOOL_OPTIONS=-Dx='1 2'"},
				recordings: 1},
			{name: "options taken away", script: "unset JAVA_TOOL_OPTIONS; java Shown; echo $JAVA_TOOL_OPTIONS",
				recordings: 1},
			{name: "options replaced", script: "export JAVA_TOOL_OPTIONS=-Dx=1; java Shown", recordings: 1},
			{name: "a JVM's JVM", script: "java Shown child", recordings: 2},
			{name: "a JVM's JVM's", script: "java Shown child grandchild", recordings: 3},
			{name: "a JVM's JVM without options", script: "unset JAVA_TOOL_OPTIONS; java Shown child", recordings: 2},
			{name: "little address space", script: "ulimit -v 900000; java -Xmx16m -XX:+UseSerialGC " +
				"-XX:CompressedClassSpaceSize=16m -XX:ReservedCodeCacheSize=16m Shown", recordings: 1, picked: true},
			{name: "no shims", script: "java Shown; echo $JAVA_HOME; command -v java", recordings: 1, picked: true,
				env: []string{"JAVA_HOME=" + jdk.Home}, flag: "--no-shims"},
		} {
			t.Run(test.name, func(t *testing.T) {
				folder := t.TempDir()
				env := append([]string{"PATH=" + links, "CLASSPATH=" + classes}, test.env...)
				script := []string{"sh", "-c", test.script}
				plain := mallardtest.RunWords(t, folder, env, script...)
				words := []string{mallardtest.Binary(t), "run", "-q", "-o", filepath.Join(folder, "%p.mallard")}
				if test.flag != "" {
					words = append(words, test.flag)
				}
				output := mallardtest.RunWords(t, folder, env, append(append(words, "--"), script...)...)
				stderr := strings.Join(programsLines(output.Stderr), "")
				if picked := stderr != output.Stderr; !picked || !test.picked {
					stderr = output.Stderr
				}
				if test.recordings == 0 && len(mallardtest.Messages(stderr)) == 1 { // that there was no JVM
					_, stderr, _ = strings.Cut(stderr, "mallard: ")
					_, stderr, _ = strings.Cut(stderr, "\n")
				}
				if output.Stdout != plain.Stdout || output.ExitCode != plain.ExitCode || test.recordings > 0 &&
					stderr != plain.Stderr {
					t.Errorf("exit code %d and\n%s%s\nwant %d and\n%s%s", output.ExitCode, output.Stdout, output.Stderr,
						plain.ExitCode, plain.Stdout, plain.Stderr)
				}
				files, _ := filepath.Glob(filepath.Join(folder, "*.mallard"))
				if len(files) != test.recordings {
					t.Errorf("%d recordings, want %d", len(files), test.recordings)
				}
				for _, file := range files {
					if n := mallardtest.Objects(t, file, "Shown", "int[]"); n != 1000 && test.name != "javac" {
						t.Errorf("%d arrays", n)
					}
				}
			})
		}
	})
}

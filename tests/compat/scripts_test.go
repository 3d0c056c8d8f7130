package compat_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

const buildFile = `<project default="run"><target name="run">
  <echo message="in ${java.home}"/>
  <javac srcdir="." destdir="." includeantruntime="false" fork="true"/>
  <java classname="Small" fork="true" classpath="." resultproperty="code"/><echo message="ended with ${code}"/>
</target></project>
`

const small = `public class Small {
    public static void main(String[] args) {
        System.out.println(new int[7].length);
        System.err.println(new int[8].length);
        System.exit(7);
    }
}
`

// ours is what Mallard says, behind what a script left without the end of a line.
var ours = regexp.MustCompile(`mallard: .*\n`)

// TestScripts runs what distributions install as scripts, and what these start: all that is printed is as without
// Mallard, with -q to the last byte. What is not installed is left out, but by the long tests, which run each with -q
// and without.
func TestScripts(t *testing.T) {
	t.Parallel()
	jdk := jvmtest.JDKs(t)[0]
	for i, test := range []struct {
		words      []string
		recordings int
	}{
		{[]string{"ant", "-version"}, 1},
		{[]string{"ant", "-S"}, 3},
		{[]string{"clojure", "-e", `(println (System/getenv "JAVA_TOOL_OPTIONS_") (System/getProperty "java.home"))`},
			1},
		{[]string{"jruby", "-e", "puts 1 + 2; warn 3; puts `javac -version`; exit 7"}, 2},
		{[]string{"groovy", "-e", `println(["javac", "-version"].execute().text); System.exit(7)`}, 2},
		{[]string{"mvn", "-version"}, 1},
		{[]string{"mvn", "-o", "-q", "no-such:thing"}, 1},
	} {
		t.Run(strings.Join(test.words[:2], " "), func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(test.words[0]); err != nil {
				if jvmtest.Long() {
					jvmtest.Missing(t, "%v", err)
				}
				t.Skip(err)
			}
			env := []string{"JAVA_HOME=" + jdk.Home, "PATH=" + jdk.Home + "/bin:" + os.Getenv("PATH")}
			parent := t.TempDir()
			run := func(words ...string) (jvmtest.Output, int) {
				folder := filepath.Join(parent, "work") // the same each time: scripts print it
				for file, text := range map[string]string{"build.xml": buildFile, "Small.java": small} {
					if err := os.MkdirAll(folder, 0o700); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				defer os.RemoveAll(folder)
				output := mallardtest.RunWords(t, folder, env, words...)
				files, _ := filepath.Glob(filepath.Join(parent, "*.mallard")) // the pattern is well formed
				for _, file := range files {
					os.Remove(file)
				}
				return output, len(files)
			}
			plain, _ := run(test.words...)
			for _, quiet := range []bool{true, false} {
				if quiet != (i%2 == 0) && !jvmtest.Long() {
					continue
				}
				words := []string{mallardtest.Binary(t), "run", "-o", filepath.Join(parent, "%p.mallard")}
				if quiet {
					words = append(words, "-q")
				}
				output, recordings := run(append(append(words, "--"), test.words...)...)
				if !quiet {
					output.Stderr = ours.ReplaceAllString(output.Stderr, "")
				}
				if output.Stdout != plain.Stdout || output.Stderr != plain.Stderr || output.ExitCode != plain.ExitCode {
					t.Errorf("quiet %v: exit code %d and\n%s%s\nwant %d and\n%s%s", quiet, output.ExitCode,
						output.Stdout, output.Stderr, plain.ExitCode, plain.Stdout, plain.Stderr)
				}
				if recordings != test.recordings {
					t.Errorf("quiet %v: %d recordings, want %d", quiet, recordings, test.recordings)
				}
			}
		})
	}
}

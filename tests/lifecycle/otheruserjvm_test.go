package lifecycle_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

const (
	alice = 65532 // runs mallard
	bob   = 65534 // whose JVM gets alice's environment
)

// as has a command run as a user.
func as(user uint32, command *exec.Cmd) *exec.Cmd {
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	return command
}

// TestJVMOfAnotherUser has somebody who is not root run mallard, which like her cache is in a home that nobody else can
// enter, and a JVM of another user's get the environment of the command, as by su: it runs on, with one line of ours.
func TestJVMOfAnotherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		jvmtest.Missing(t, "only root can start programs as two other users")
	}
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		classes := readable(t, mallardtest.Compiled(t, jdk, "Steps").Classpath[0])
		for _, test := range []struct {
			name   string
			user   uint32
			script string
			picked bool // up, as where a JVM is reached without a shim
		}{
			{"by its path", bob, jdk.Tool("java"), true},
			{"on the PATH", bob, "java", false},
			{"in JAVA_HOME", bob, "$JAVA_HOME/bin/java", false},
			{"root's, by its path", 0, jdk.Tool("java"), true},
			{"root's, in JAVA_HOME", 0, "$JAVA_HOME/bin/java", false},
			{"alice's own", alice, "java", false},
		} {
			t.Run(test.name, func(t *testing.T) {
				home := aliceHome(t)
				binary := filepath.Join(home, "mallard")
				copyBinary(t, binary)
				script := exec.Command(binary, "run", "-q", "-o", "run.mallard", "--", "sh", "-c",
					"env -0; echo; read end; exit 7")
				script.Dir = home
				script.Env = []string{"HOME=" + home, "JAVA_HOME=" + jdk.Home,
					"PATH=" + filepath.Dir(jdk.Tool("java")) + ":" + os.Getenv("PATH")}
				environment, end := begin(t, as(alice, script))
				java := as(test.user, exec.Command("sh", "-c", test.script+" -cp "+classes+" Steps"))
				java.Env, java.Dir = environment, "/"
				var out, said strings.Builder
				java.Stdout, java.Stderr = &out, &said
				java.Run() // how it ended is in the state
				end()
				if java.ProcessState.ExitCode() != 7 || out.String() != "sum 0\n" {
					t.Errorf("exit code %d, %q: %s", java.ProcessState.ExitCode(), out.String(), said.String())
				}
				lines := slices.Collect(strings.Lines(said.String()))
				if picked := len(lines) > 0 && strings.HasPrefix(lines[0], "Picked up"); picked != test.picked {
					t.Errorf("picked up: %v; %s", picked, said.String())
				} else if picked {
					lines = lines[1:]
				}
				_, err := os.Stat(filepath.Join(home, "run.mallard"))
				if test.user == alice {
					if err != nil || len(lines) > 0 {
						t.Errorf("%v; %s", err, said.String())
					}
				} else if err == nil || len(lines) != 1 ||
					!strings.Contains(lines[0], "mallard: ") || !strings.Contains(lines[0], "is another user's") {
					t.Errorf("recorded: %v; said %q", err == nil, lines)
				}
			})
		}
	})
}

// aliceHome makes a folder of alice's that nobody else can enter.
func aliceHome(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "mallard-test-")
	if err == nil {
		t.Cleanup(func() { os.RemoveAll(folder) })
		err = os.Chown(folder, alice, alice)
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// copyBinary has a mallard of alice's.
func copyBinary(t *testing.T, path string) {
	t.Helper()
	binary, err := os.ReadFile(mallardtest.Binary(t))
	if err == nil {
		err = errors.Join(os.WriteFile(path, binary, 0o700), os.Chown(path, alice, alice), os.Chmod(path, 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// begin starts a command that prints its environment, and then an empty line, and that ends with 7 when it is told to.
func begin(t *testing.T, command *exec.Cmd) (environment []string, end func()) {
	t.Helper()
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	command.Stderr = &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	text, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	return strings.Split(strings.TrimSuffix(text, "\x00\n"), "\x00"), func() {
		t.Helper()
		in.Close()
		command.Wait() // how it ended is in the state
		if command.ProcessState.ExitCode() != 7 {
			t.Errorf("the command ended with %d: %s", command.ProcessState.ExitCode(), said.String())
		}
	}
}

// TestTakenName has bob take the name of alice's folder for temporary files, where her home cannot be written to
// either: she is recorded.
func TestTakenName(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		jvmtest.Missing(t, "only root can start programs as two other users")
	}
	jdk := jvmtest.JDKs(t)[0]
	classes := readable(t, mallardtest.Compiled(t, jdk, "Steps").Classpath[0])
	home := filepath.Dir(classes) // root's
	binary, temporary := filepath.Join(home, "mallard"), filepath.Join(home, "tmp")
	copyBinary(t, binary)
	taken := filepath.Join(temporary, "mallard-"+strconv.Itoa(alice))
	if err := errors.Join(os.Mkdir(temporary, 0o700), os.Chmod(temporary, 0o777|os.ModeSticky),
		os.Mkdir(taken, 0o777), os.Chown(taken, bob, bob)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		file := filepath.Join(aliceHome(t), "run.mallard")
		command := as(alice, exec.Command(binary, "run", "-q", "-o", file, "--", jdk.Tool("java"), "-cp", classes,
			"Steps"))
		command.Env = []string{"HOME=" + home, "TMPDIR=" + temporary, "PATH=" + os.Getenv("PATH")}
		command.Dir = "/"
		out, _ := command.CombinedOutput() // how it ended is in the state
		if p := mallardtest.Read(t, file); command.ProcessState.ExitCode() != 7 || string(out) != "sum 0\n" ||
			!p.Complete {
			t.Errorf("%q, exit code %d, complete %v", out, command.ProcessState.ExitCode(), p.Complete)
		}
	}
	if ours, err := filepath.Glob(taken + "-*"); err != nil || len(ours) != 1 {
		t.Errorf("alice has %v (%v)", ours, err)
	}
	if theirs, err := os.ReadDir(taken); err != nil || len(theirs) > 0 {
		t.Errorf("bob's folder has %v (%v)", theirs, err)
	}
}

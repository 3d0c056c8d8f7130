package launch

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// anotherUser is some user that is neither root nor the one who runs tests.
const anotherUser = 65534

// asAnotherUser runs f in a thread that belongs to another user. Only root may.
func asAnotherUser(t *testing.T, f func() error) {
	t.Helper()
	if os.Geteuid() != 0 {
		jvmtest.Missing(t, "only root can be another user")
	}
	as := func(uid uintptr) error {
		if _, _, e := unix.RawSyscall(unix.SYS_SETRESUID, ^uintptr(0), uid, ^uintptr(0)); e != 0 {
			return e
		}
		return nil
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // for good where it cannot be made root's again
		err := as(anotherUser)
		if err == nil {
			err = f()
			back := as(0)
			if err = errors.Join(err, back); back == nil {
				runtime.UnlockOSThread()
			}
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// openFolder is one that everybody may use.
func openFolder(t *testing.T) string {
	folder, err := os.MkdirTemp("/tmp", "mallard-test-")
	if err == nil {
		err = os.Chmod(folder, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// TestRecorderOfAnotherUser has an agent find a socket that another user opened where a recorder had been: the program
// runs on without Mallard, and the other user is not told a byte.
func TestRecorderOfAnotherUser(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		path := filepath.Join(openFolder(t), "socket")
		var listener *net.UnixListener
		asAnotherUser(t, func() (err error) {
			listener, err = net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
			return errors.Join(err, os.Chmod(path, 0o777))
		})
		defer listener.Close()
		heard := make(chan []byte)
		go func() {
			c, err := listener.Accept()
			if err != nil {
				close(heard)
				return
			}
			defer c.Close()
			c.SetDeadline(time.Now().Add(time.Minute))
			b, _ := io.ReadAll(c)
			heard <- b
		}()
		agent := "-agentpath:" + mallardtest.Library(t) + "=socket=" + path
		command := jdk.Exec(t.Context(), jvmtest.Command{Options: []string{agent, "-version"}})
		words := exec.CommandContext(t.Context(), command.Path, command.Args[1:]...)
		out, err := words.CombinedOutput()
		const want = "mallard: the recorder is another user's; the program runs on without Mallard"
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("error %v, said %s", err, out)
		}
		if b, accepted := <-heard; !accepted || len(b) > 0 {
			t.Errorf("accepted %v, told %q", accepted, b)
		}
	})
}

// TestAgentOfAnotherUser connects as another user to a recorder, which reads nothing and says nothing.
func TestAgentOfAnotherUser(t *testing.T) {
	path := filepath.Join(openFolder(t), "socket")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err == nil {
		err = os.Chmod(path, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	r, err := newRecorder(Options{}.withObservers(), agentHints)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	go r.accept(listener)
	var c net.Conn
	asAnotherUser(t, func() (err error) {
		c, err = net.Dial("unix", path)
		return err
	})
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	if b, err := io.ReadAll(c); err != nil && !errors.Is(err, unix.ECONNRESET) || len(b) > 0 {
		t.Errorf("error %v, told %q", err, b)
	}
	if err := r.conclude(); err != nil {
		t.Error(err)
	}
}

package lifecycle_test

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mallard/internal/jvmtest"
)

// onTerminal starts a command in a session of its own on a new terminal and gives the terminal's other end.
func onTerminal(t *testing.T, words ...string) (*os.File, *exec.Cmd) {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		jvmtest.Missing(t, "no terminals here: %v", err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), "terminal"), cmd
}

// expect reads what a terminal shows until it has shown text.
func expect(t *testing.T, terminal *os.File, text string) {
	t.Helper()
	if err := terminal.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for buffer := make([]byte, 1); !strings.HasSuffix(shown.String(), text); {
		if _, err := terminal.Read(buffer); err != nil {
			t.Fatalf("%v; waiting for %q, shown %q", err, text, shown.String())
		}
		shown.Write(buffer)
	}
}

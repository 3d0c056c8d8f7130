package launch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"mallard/internal/payload"
)

// attachment is a file of the user's that says which process records a JVM that was attached to. It is locked as long
// as that process lives.
type attachment struct{ file *os.File }

func attachmentPath(pid int) (string, error) {
	base, err := payload.TemporaryBase("/tmp")
	return filepath.Join(base, fmt.Sprintf("attached-%d", pid)), err
}

// newAttachment makes it for a JVM that nobody else is attached to.
func newAttachment(pid int) (*attachment, error) {
	path, err := attachmentPath(pid)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		file.Close()
		return nil, fmt.Errorf("another mallard is attached to process %d", pid)
	}
	a := &attachment{file}
	err = file.Truncate(0)
	if err == nil {
		_, err = fmt.Fprintf(file, "%d\n", os.Getpid())
	}
	if err != nil {
		a.end()
		return nil, err
	}
	return a, nil
}

// end says that nobody records the JVM any more.
func (a *attachment) end() {
	os.Remove(a.file.Name())
	a.file.Close()
}

// Detach has the mallard that records a JVM which it attached to leave it.
func Detach(pid int) error {
	recorder, err := attachedBy(pid)
	if err != nil {
		return err
	}
	if err := syscall.Kill(recorder, syscall.SIGTERM); err != nil {
		return fmt.Errorf("process %d, which records process %d: %w", recorder, pid, err)
	}
	return nil
}

// attachedBy gives the process that records a JVM.
func attachedBy(pid int) (int, error) {
	none := fmt.Errorf("no \"mallard attach\" of this user's records process %d", pid)
	path, err := attachmentPath(pid)
	if err != nil {
		return 0, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW, 0)
	if errors.Is(err, os.ErrNotExist) {
		return 0, none
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	if unix.Flock(int(file.Fd()), unix.LOCK_SH|unix.LOCK_NB) == nil {
		return 0, none // it was killed
	}
	text := make([]byte, 16)
	n, err := file.Read(text)
	if err != nil {
		return 0, none
	}
	return strconv.Atoi(strings.TrimSpace(string(text[:n])))
}

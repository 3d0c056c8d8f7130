package jvm

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Of the protocol by which HotSpot takes commands from others (the attach mechanism of jcmd): a file asks a JVM for a
// socket, and SIGQUIT has it look for that file. Each command is a connection of its own.
const (
	attachVersion = "1"              // of the protocol
	attachWithin  = 10 * time.Second // until the JVM has its socket
	quitBit       = 1 << (int(syscall.SIGQUIT) - 1)
)

// Load has a JVM that runs load the agent, which connects before this returns. The JVM is this user's, or any where
// that is root. Errors say what to do.
func (a Agent) Load(ctx context.Context, pid int) error {
	status, err := processStatus(pid)
	if err != nil {
		return err
	}
	if os.Geteuid() != 0 && status.uid != os.Geteuid() {
		return fmt.Errorf("process %d is another user's; only that user and root can attach to it", pid)
	}
	if apart(pid) {
		return fmt.Errorf("process %d sees other files (it is in a container): run mallard there", pid)
	}
	socket, err := attachSocket(ctx, pid, status)
	if err != nil {
		return err
	}
	answer, err := command(ctx, socket, "load", a.Library, "true", a.Options)
	if err != nil {
		return fmt.Errorf("process %d did not load the agent: %w", pid, err)
	}
	return loaded(pid, answer)
}

// loaded reads the answer to the command: the command's outcome, and what the agent returned or why there is none.
func loaded(pid int, answer string) error {
	outcome, text, _ := strings.Cut(answer, "\n")
	text = strings.TrimSpace(text)
	returned, ok := strings.CutPrefix(text, "return code: ")
	switch {
	case outcome == "0" && ok && returned == "0":
		return nil
	case outcome == "0" && ok && returned == strconv.Itoa(alreadyThere):
		return fmt.Errorf("process %d is recorded already: it was started with Mallard, or attached to by a mallard "+
			"that goes on, or was killed", pid)
	case outcome == "0" && ok:
		return fmt.Errorf("process %d did not take the agent; its standard error says why", pid)
	case text == "":
		return fmt.Errorf("process %d did not take the agent (error %s)", pid, outcome)
	}
	first, _, _ := strings.Cut(text, "\n")
	return fmt.Errorf("process %d did not take the agent: %s", pid, first)
}

// alreadyThere is what an agent returns that is in the JVM (JNI_EEXIST).
const alreadyThere = -5

// status is what /proc says of a process.
type status struct {
	uid, gid  int
	inner     int // its number in its own namespace
	takesQuit bool
}

func processStatus(pid int) (s status, err error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if errors.Is(err, os.ErrNotExist) {
		return s, fmt.Errorf("there is no process %d", pid)
	}
	if err != nil {
		return s, err
	}
	s.inner = pid
	for lines := bufio.NewScanner(bytes.NewReader(b)); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		fields := strings.Fields(value)
		if len(fields) == 0 {
			continue
		}
		switch name {
		case "Uid":
			s.uid, err = strconv.Atoi(fields[min(1, len(fields)-1)])
		case "Gid":
			s.gid, err = strconv.Atoi(fields[min(1, len(fields)-1)])
		case "NSpid":
			s.inner, err = strconv.Atoi(fields[len(fields)-1])
		case "SigCgt":
			var caught uint64
			caught, err = strconv.ParseUint(fields[0], 16, 64)
			s.takesQuit = caught&quitBit != 0
		}
		if err != nil {
			return s, fmt.Errorf("/proc/%d/status: %w", pid, err)
		}
	}
	return s, nil
}

// apart reports whether a process has another view of the file system.
func apart(pid int) bool {
	ours, err := os.Readlink("/proc/self/ns/mnt")
	theirs, other := os.Readlink(fmt.Sprintf("/proc/%d/ns/mnt", pid))
	return err == nil && other == nil && ours != theirs
}

// attachSocket gives the path of a JVM's socket, which it is asked to make if it has none.
func attachSocket(ctx context.Context, pid int, s status) (string, error) {
	socket := filepath.Join("/tmp", fmt.Sprintf(".java_pid%d", s.inner))
	if isSocket(socket) {
		return socket, nil
	}
	if !s.takesQuit { // which would kill it
		return "", fmt.Errorf("process %d is no JVM that takes commands: it ignores SIGQUIT; a JVM that has just "+
			"started does so later, one with -Xrs never", pid)
	}
	request, err := attachRequest(pid, s)
	if err != nil {
		return "", err
	}
	defer os.Remove(request)
	if err := syscall.Kill(pid, syscall.SIGQUIT); err != nil {
		return "", fmt.Errorf("process %d: %w", pid, err)
	}
	ctx, cancel := context.WithTimeout(ctx, attachWithin)
	defer cancel()
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		select {
		case <-tick.C:
			if isSocket(socket) {
				tick.Stop()
				return socket, nil
			}
		case <-ctx.Done():
			tick.Stop()
			return "", fmt.Errorf("process %d did not answer within %v: it is no JVM, is stopped, or has "+
				"-XX:+DisableAttachMechanism", pid, attachWithin)
		}
	}
}

// attachRequest makes the file that a JVM looks for, in its working directory or the folder for temporary files.
func attachRequest(pid int, s status) (string, error) {
	name := fmt.Sprintf(".attach_pid%d", s.inner)
	var first error
	for _, folder := range []string{fmt.Sprintf("/proc/%d/cwd", pid), "/tmp"} {
		path := filepath.Join(folder, name)
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			err = errors.Join(os.Chown(path, s.uid, s.gid), file.Close())
			if err == nil {
				return path, nil
			}
			os.Remove(path)
		}
		if first == nil {
			first = err
		}
	}
	return "", first
}

func isSocket(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSocket != 0
}

// maxAnswer is more than any answer has.
const maxAnswer = 1 << 16

// command has a JVM do something, and gives its answer.
func command(ctx context.Context, socket string, words ...string) (string, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", socket)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(attachWithin)); err != nil {
		return "", err
	}
	request := attachVersion + "\x00" + strings.Join(words, "\x00") + "\x00"
	if _, err := io.WriteString(conn, request); err != nil {
		return "", err
	}
	answer, err := io.ReadAll(io.LimitReader(conn, maxAnswer))
	return string(answer), err
}

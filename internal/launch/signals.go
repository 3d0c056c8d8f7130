package launch

import (
	"os"

	"golang.org/x/sys/unix"
)

// forwarded are the signals that a user sends to mallard and means for the program.
var forwarded = []os.Signal{unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGHUP, unix.SIGUSR1, unix.SIGUSR2}

// forward passes signals on to the program. What a terminal's keys send reaches the program without our help: it is in
// the same group.
func forward(signals <-chan os.Signal, program *os.Process, ended <-chan struct{}) {
	for {
		select {
		case s := <-signals:
			if (s == unix.SIGINT || s == unix.SIGQUIT) && inForeground() {
				continue
			}
			program.Signal(s)
		case <-ended:
			return
		}
	}
}

// inForeground reports whether a terminal's keys reach our process group.
func inForeground() bool {
	terminal, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer terminal.Close()
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

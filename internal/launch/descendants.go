package launch

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// mayStartJVMs reports whether processes are left with word in their environment or arguments, which so may yet start,
// or be, a JVM that connects; a process that is just executing a program may be one. Only environments of other users
// cannot be seen.
func mayStartJVMs(word string) bool {
	found, gone := scanProcesses(word)
	if !found && gone { // to whatever it started meanwhile
		found, _ = scanProcesses(word)
	}
	return found
}

// scanProcesses looks at every process once. It also tells whether one has gone since they were listed.
func scanProcesses(word string) (found, gone bool) {
	proc, err := os.Open("/proc")
	if err != nil {
		return false, false
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	self := strconv.Itoa(os.Getpid())
	text := make([]byte, 64<<10) // of all; it grows for larger ones, which are rare
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' || name == self {
			continue
		}
		for again := true; again; {
			var n int
			text, n, _ = readWhole("/proc/"+name+"/cmdline", text)
			found = bytes.Contains(text[:n], []byte(word))
			text, n, err = readWhole("/proc/"+name+"/environ", text)
			again = false
			switch {
			case errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ESRCH):
				gone = true
			case found || bytes.Contains(text[:n], []byte(word)):
				return true, gone
			case err == nil && n == 0:
				switch environmentOf(name) {
				case executing:
					return true, gone
				case present: // since it was read
					again = true
				}
			}
		}
	}
	return false, gone
}

// environmentState is what a process has of an environment.
type environmentState int

const (
	// zombies and the kernel's threads have no memory, and some are given an empty one
	absent    environmentState = iota
	executing                  // execve replaces the memory first, and puts the environment into it later
	present
)

// environmentOf tells what a process has in whose environment nothing was found.
func environmentOf(process string) environmentState {
	const (
		// of proc(5), counted from the state, the first field after the name
		state    = 0
		flags    = 6
		envStart = 47
		envEnd   = 48

		kernelThread = 0x200000 // PF_KTHREAD
	)
	stat, err := os.ReadFile("/proc/" + process + "/stat")
	if err != nil {
		return absent
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // the name may have anything in it
	if len(fields) <= envEnd || strings.Contains("ZX", fields[state]) {
		return absent
	}
	f, err := strconv.ParseUint(fields[flags], 10, 64)
	switch {
	case err != nil || f&kernelThread != 0:
		return absent
	case fields[envStart] != fields[envEnd]:
		return present
	case fields[envEnd] == "0":
		return executing
	}
	return absent
}

// readWhole reads a file into a buffer, which grows where it has to.
func readWhole(path string, buffer []byte) (grown []byte, n int, err error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return buffer, 0, err
	}
	defer unix.Close(fd)
	for {
		if n == len(buffer) {
			buffer = append(buffer, make([]byte, len(buffer))...)
		}
		m, err := unix.Read(fd, buffer[n:])
		if err != nil || m <= 0 {
			return buffer, n, err
		}
		n += m
	}
}

// isDescendant reports whether a process descends from this one, by parents that are all still there.
func isDescendant(pid int) bool {
	const parent = 1 // of proc(5), counted from the state
	for self := os.Getpid(); pid > 1; {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			return false
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) <= parent {
			return false
		}
		if pid, err = strconv.Atoi(fields[parent]); err != nil {
			return false
		}
		if pid == self {
			return true
		}
	}
	return false
}

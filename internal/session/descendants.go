package session

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// heirs tells whether processes are left that have a command's environment, with word in it, and so may yet start a JVM that connects. Only those
// of other users cannot be seen.
func heirs(word string) bool {
	proc, err := os.Open("/proc")
	if err != nil {
		return false
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	self := strconv.Itoa(os.Getpid())
	environment := make([]byte, 64<<10) // for all; larger ones are rare, and made room for
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' || name == self {
			continue
		}
		var n int
		if environment, n = readWhole("/proc/"+name+"/environ", environment); bytes.Contains(environment[:n], []byte(word)) {
			return true
		}
	}
	return false
}

// readWhole reads a file into a buffer, which grows where it has to. What cannot be read is left out.
func readWhole(path string, buffer []byte) (grown []byte, n int) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return buffer, 0
	}
	defer unix.Close(fd)
	for {
		if n == len(buffer) {
			buffer = append(buffer, make([]byte, len(buffer))...)
		}
		m, err := unix.Read(fd, buffer[n:])
		if err != nil || m <= 0 {
			return buffer, n
		}
		n += m
	}
}

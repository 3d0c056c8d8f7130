package top

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mallard/internal/trace"
)

// RecordingOf finds the recording of a JVM that is being written: a file that says it is of that JVM, and that some
// process has open to write, as far as this user may see. It is "" where there is none.
func RecordingOf(pid int) (string, error) {
	if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err != nil {
		return "", fmt.Errorf("no process %d", pid)
	}
	links, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return "", err
	}
	seen := map[string]bool{}
	for _, link := range links {
		file, err := os.Readlink(link)
		if err != nil || !filepath.IsAbs(file) || seen[file] || strings.HasPrefix(file, "/dev/") ||
			!writes(link) {
			continue
		}
		seen[file] = true
		if isOf(file, pid) {
			return file, nil
		}
	}
	return "", nil
}

// writes reports whether a descriptor in /proc is open for writing: its link says so.
func writes(link string) bool {
	info, err := os.Lstat(link)
	return err == nil && info.Mode().Perm()&0o200 != 0
}

// isOf reports whether a file is a recording of a process.
func isOf(name string, pid int) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() { // who opens a pipe is seen by who writes to it
		return false
	}
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	recording, err := trace.OpenFile(file, info.Size())
	if err != nil {
		return false
	}
	process, err := recording.Process()
	return err == nil && process != nil && int(process.PID) == pid
}

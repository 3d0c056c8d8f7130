package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// pagesBytes is about what a workload and what profiles it touch: the heap of the setting, and as much again by half.
const pagesBytes = 1536 << 20

// preparePages touches memory and gives it back, for the process that starts next. A virtual machine's free memory goes
// back to the host after two seconds (Linux: free page reporting), and whoever takes it then pays for it: 2.4 s for a
// gigabyte where it is 0.4 s right behind another process, which is more than what is measured here. Where figures are
// of no use it does nothing.
func (s *session) preparePages() error {
	if s.short {
		return nil
	}
	memory, err := unix.Mmap(-1, 0, pagesBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return fmt.Errorf("memory for a workload: %w", err)
	}
	for i := 0; i < len(memory); i += os.Getpagesize() {
		memory[i] = 1
	}
	return unix.Munmap(memory)
}

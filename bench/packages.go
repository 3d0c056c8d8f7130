package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// asmPackage has the library that instrumenting is compared with.
const asmPackage = "libasm-java"

// packages returns what the selected workloads and peers need from Debian.
func packages(selected []Workload) []string {
	needed := []string{asmPackage, tomcatPackage}
	for _, w := range selected {
		needed = append(needed, w.Packages...)
	}
	slices.Sort(needed)
	return slices.Compact(needed)
}

// install installs the packages that are missing, as root; any other user is told the command.
func install(names []string) error {
	missing := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		status, err := exec.Command("dpkg-query", "--show", "--showformat=${db:Status-Status}", name).Output()
		return err == nil && string(status) == "installed"
	})
	if len(missing) == 0 {
		return nil
	}
	words := append([]string{"apt-get", "install", "--yes", "--no-install-recommends"}, missing...)
	if os.Geteuid() != 0 {
		return fmt.Errorf("packages are missing; install them with: sudo %s", strings.Join(words, " "))
	}
	for _, words := range [][]string{{"apt-get", "--quiet=2", "update"}, words} {
		command := exec.Command(words[0], words[1:]...)
		command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		command.Stdout, command.Stderr = os.Stderr, os.Stderr
		if err := command.Run(); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(words, " "), err)
		}
	}
	return nil
}

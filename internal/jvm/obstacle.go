package jvm

import (
	"debug/elf"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// Obstacle says what keeps the JVM of a command from taking the agent, as far as can be seen before it starts; "" for
// nothing.
func (a Agent) Obstacle(command, environment []string) string {
	if option := writesArchive(command, environment); option != "" {
		return fmt.Sprintf("with %s the JVM writes an archive of classes, and takes no agents; leave that option out "+
			"to record", option)
	}
	if len(command) > 0 {
		if l, ok := FindLauncher(command[0]); ok {
			if why := a.strange(); why != "" {
				return why
			}
			return a.foreign(l)
		}
	}
	return ""
}

// strange says that the library is another user's, not root's, who may not choose what this user's JVMs run.
func (a Agent) strange() string {
	info, err := os.Stat(a.Library)
	if err != nil {
		return fmt.Sprintf("this user cannot read %s, Mallard's library", a.Library)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Uid != 0 && int(stat.Uid) != os.Geteuid() {
		return "the recorder is another user's"
	}
	return ""
}

// foreign says why a launcher's JVM cannot load the library at all.
func (a Agent) foreign(l Launcher) string {
	program, err := elf.Open(l.Path)
	if err != nil {
		return ""
	}
	defer program.Close()
	library, err := elf.Open(a.Library)
	if err != nil {
		return fmt.Sprintf("this user cannot read %s, Mallard's library", a.Library)
	}
	defer library.Close()
	switch {
	case program.Class != library.Class || program.Machine != library.Machine || program.Data != library.Data:
		return fmt.Sprintf("%s is for another machine (%s, %s) than this mallard (%s, %s)", l.Path, program.Machine,
			program.Class, library.Machine, library.Class)
	case strings.Contains(interpreter(program), "/ld-musl-"):
		return fmt.Sprintf("%s uses musl, and Mallard needs a JVM that uses glibc", l.Path)
	}
	return ""
}

// interpreter is the path of the dynamic linker that a program asks for (elf(5), PT_INTERP).
func interpreter(program *elf.File) string {
	for _, p := range program.Progs {
		const longest = 4096 // PATH_MAX
		if p.Type != elf.PT_INTERP || p.Filesz > longest {
			continue
		}
		path := make([]byte, p.Filesz)
		if _, err := p.ReadAt(path, 0); err == nil {
			return strings.TrimRight(string(path), "\x00")
		}
	}
	return ""
}

package profile

import (
	"path"
	"slices"
	"strings"
)

// MainProgram takes apart how a JVM was started: the main class, or the jar or module that it comes from, or the tool
// of the JDK, and the program's own arguments. It is empty where only the JVM knows, as with nothing but a file of
// arguments.
func MainProgram(command []string) (main string, arguments []string) {
	if len(command) == 0 {
		return "", nil
	}
	if tool := path.Base(command[0]); tool != "java" {
		return tool, command[1:]
	}
	for i := 1; i < len(command); i++ {
		option := command[i]
		switch {
		case slices.Contains(mainOptions, option):
			if i+1 < len(command) {
				return command[i+1], command[i+2:]
			}
		case slices.Contains(valuedOptions, option):
			i++
		case !strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "@"):
			return option, command[i+1:]
		}
	}
	return "", nil
}

// Options of java before its main class: those behind which it stands, and those that have their value in the next
// word.
var (
	mainOptions   = []string{"-jar", "-m", "--module"}
	valuedOptions = []string{"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path",
		"--add-modules", "--limit-modules", "--add-reads", "--add-exports", "--add-opens", "--patch-module",
		"--enable-native-access", "--source", "-d", "--describe-module"}
)

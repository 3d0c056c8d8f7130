package shim

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"mallard/internal/jvm"
)

// Start becomes the launcher that a shim stands for, with the agent if there is one in the environment and nothing
// keeps it out, which say is told. It returns only where the launcher cannot be started.
func Start(shim string, arguments []string, say func(string)) error {
	launcher, err := launcherOf(shim)
	if err != nil {
		return err
	}
	command, environment := append([]string{launcher}, arguments...), os.Environ()
	if agent, without, ok := jvm.TakeOut(environment); ok {
		environment = without
		if why := agent.Obstacle(command, environment); why != "" {
			say("nothing is recorded of process " + fmt.Sprint(os.Getpid()) + ": " + why)
		} else if command, environment, err = agent.Into(command, environment); err != nil {
			return err
		}
	}
	return &os.PathError{Op: "start", Path: launcher, Err: syscall.Exec(launcher, command, environment)}
}

// launcherOf reads which launcher a shim stands for.
func launcherOf(shim string) (string, error) {
	text, err := os.ReadFile(shim)
	if err != nil {
		return "", err
	}
	_, line, _ := strings.Cut(string(text), "\n")
	if launcher, ok := strings.CutSuffix(line, "\n"); ok && filepath.IsAbs(launcher) {
		return launcher, nil
	}
	return "", fmt.Errorf("%s is not a shim of Mallard's", shim)
}

package cli

import (
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"mallard/internal/top"
)

// extension is how recordings are named.
const extension = "mallard"

// oneRecording accepts exactly one argument.
func oneRecording(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return usagef("missing argument: recording file; usage: %s FILE", cmd.CommandPath())
	case len(args) > 1:
		return usagef("%s takes one recording file, not %d", cmd.CommandPath(), len(args))
	}
	return nil
}

// someRecordings accepts one argument or more.
func someRecordings(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("missing argument: recording file; usage: %s FILE...", cmd.CommandPath())
	}
	return nil
}

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments", cmd.CommandPath())
	}
	return nil
}

// recordingArguments says which of a command's arguments are recordings: how many at most, from the first on.
type recordingArguments int

const (
	noneIsRecording recordingArguments = 0
	oneIsRecording  recordingArguments = 1
	allAre          recordingArguments = 1 << 30
)

// Annotations of commands that take recordings.
var (
	firstIsRecording = map[string]string{"recordings": "first"}
	allAreRecordings = map[string]string{"recordings": "all"}
)

func recordingsAmong(cmd *cobra.Command) recordingArguments {
	switch cmd.Annotations["recordings"] {
	case "first":
		return oneIsRecording
	case "all":
		return allAre
	}
	return noneIsRecording
}

// complete completes the names of recordings.
func (r recordingArguments) complete(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) >= int(r) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{extension}, cobra.ShellCompDirectiveFilterFileExt
}

// named gives arguments with the files that recordings are in.
func (r recordingArguments) named(args []string) (names []string, err error) {
	for i, name := range args {
		if i < int(r) {
			if name, err = recordingOf(name); err != nil {
				return nil, err
			}
		}
		names = append(names, name)
	}
	return names, nil
}

// recordingOf gives the recording that is meant: a file, or that of a process.
func recordingOf(name string) (string, error) {
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	pid, err := strconv.ParseUint(name, 10, 31)
	if err != nil {
		return name, nil // reading it says what is wrong
	}
	file, err := top.RecordingOf(int(pid))
	if err != nil {
		return "", err
	}
	if file == "" {
		return "", fmt.Errorf("no recording of process %d is being written; \"mallard run -- COMMAND\" begins one", pid)
	}
	return file, nil
}

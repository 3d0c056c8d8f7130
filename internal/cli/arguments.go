package cli

import "github.com/spf13/cobra"

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

// completeRecording completes the names of recordings.
func completeRecording(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{extension}, cobra.ShellCompDirectiveFilterFileExt
}

// someRecordings accepts one argument or more.
func someRecordings(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("missing argument: recording file; usage: %s FILE...", cmd.CommandPath())
	}
	return nil
}

// completeRecordings completes the names of as many recordings as are wanted.
func completeRecordings(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{extension}, cobra.ShellCompDirectiveFilterFileExt
}

// noArguments refuses arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments", cmd.CommandPath())
	}
	return nil
}

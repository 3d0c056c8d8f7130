package cli

import (
	"time"

	"github.com/spf13/cobra"

	"mallard/internal/session"
)

// waits are how long a program waits for mallard.
type waits struct {
	answer, exit time.Duration // for one answer; for all together when it ends, 0: the default
	isSet        func(flag string) bool
}

// addWaits adds the flags that say so.
func addWaits(cmd *cobra.Command) *waits {
	w := &waits{isSet: cmd.Flags().Changed}
	cmd.Flags().DurationVar(&w.answer, "answer-within", session.DefaultAnswerWithin,
		"how much `TIME` the program waits for mallard if that is stopped or too slow")
	cmd.Flags().DurationVar(&w.exit, "exit-within", session.DefaultExitWithin,
		"how much `TIME` its exit waits for its last counts to be read; a longer one keeps counts exact on a machine "+
			"that is very busy")
	return w
}

// check finds times that are none. Where no time for the exit was chosen it is no longer than for an answer.
func (w *waits) check() error {
	if w.answer <= 0 {
		return usagef("--answer-within: %v is not a time above 0, such as 5s", w.answer)
	}
	if w.exit <= 0 {
		return usagef("--exit-within: %v is not a time above 0, such as 1s", w.exit)
	}
	if !w.isSet("exit-within") {
		w.exit = 0
	}
	return nil
}

package cli

import (
	"fmt"

	"mallard/internal/profile"
)

// mineAuto is the value of --mine for what is assumed.
const mineAuto = "auto"

// mine is what the value of --mine stands for in a recording; nil for none.
func (r *recording) mine(patterns string) *profile.Mine {
	switch patterns {
	case "":
		return nil
	case mineAuto:
		return r.profile.GuessMine()
	}
	return &profile.Mine{Patterns: patterns}
}

// checkMine refuses what no method of the recording belongs to.
func (r *recording) checkMine(mine *profile.Mine) error {
	classes := func(yield func(string) bool) {
		for i := range r.profile.Methods {
			if !yield(r.profile.Methods[i].Class) {
				return
			}
		}
	}
	for class := range classes {
		if mine.Is(class) {
			return nil
		}
	}
	if mine.Guessed != "" {
		return fmt.Errorf("nothing was allocated by %s (assumed: %s); name your code with --mine", mine.Text(),
			mine.Guessed)
	}
	return noMatch("mine", mine.Patterns, profile.Nearest(mine.Patterns, classes))
}

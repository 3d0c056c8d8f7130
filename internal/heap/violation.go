package heap

import (
	"fmt"

	"mallard/internal/heap/single"
)

// Check is what does not add up.
type Check struct {
	Walks      int   // that were looked at
	Eden       int64 // bytes that they found there, in all
	Early      int64 // of these, what was read while the program ran
	Regions    Wholes
	Buffers    Wholes
	Compared   int64 // figures
	Violations []Violation
	More       int          // that are not in the list
	Gaps       *single.Gaps // what is not known of single objects; nil: there are none
}

// Violation is one thing that does not add up.
type Violation struct {
	Pause int // index in Pauses
	What  string
}

// mostViolations bounds a list.
const mostViolations = 1000

func (c *Check) violate(pause int, format string, args ...any) {
	if len(c.Violations) == mostViolations {
		c.More++
		return
	}
	c.Violations = append(c.Violations, Violation{pause, fmt.Sprintf(format, args...)})
}

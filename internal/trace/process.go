package trace

import (
	"strconv"
	"strings"
)

// Feature is the JDK's number: 17, 25; 0 where that is unknown, as it is of a nil Process.
func (p *Process) Feature() int {
	if p == nil {
		return 0
	}
	digits, _, _ := strings.Cut(p.JVMVersion, ".")
	digits, _, _ = strings.Cut(digits, "+")
	n, _ := strconv.Atoi(digits)
	return n
}

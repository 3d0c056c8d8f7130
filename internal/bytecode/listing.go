package bytecode

import (
	"strconv"
	"strings"

	"mallard/internal/classfile"
)

// A listing is text in the making.
type listing struct {
	b     strings.Builder
	code  *Code
	pool  *classfile.Pool
	named map[Label]bool
}

func (l *listing) label(at Label) string {
	if pc, stray := at.Stray(); stray {
		return "@" + strconv.Itoa(pc)
	}
	return "L" + strconv.Itoa(int(at))
}

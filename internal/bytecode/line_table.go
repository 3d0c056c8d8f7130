package bytecode

import (
	"cmp"
	"slices"
)

// A LineTable answers what [Code.Line] does, for ascending instructions and all together in one pass over the table.
type LineTable struct {
	code   *Code
	table  []lineStart // ascending, entries of one offset in the order of the class file
	before int         // entries that start at the last instruction asked for, or earlier
}

type lineStart struct {
	pc   int
	line int
}

// NewLineTable prepares the line numbers of code, which it keeps.
func NewLineTable(code *Code) *LineTable {
	table := make([]lineStart, 0, len(code.Lines))
	for _, l := range code.Lines {
		pc, stray := l.Start.Stray()
		if !stray {
			pc = code.PC(int(l.Start))
		}
		table = append(table, lineStart{pc, int(l.Line)})
	}
	slices.SortStableFunc(table, func(a, b lineStart) int { return cmp.Compare(a.pc, b.pc) })
	return &LineTable{code: code, table: table}
}

// Line returns the source line of instruction i, -1 if unknown. i is not less than in the call before.
func (l *LineTable) Line(i int) int {
	pc := l.code.PC(i)
	for l.before < len(l.table) && l.table[l.before].pc <= pc {
		l.before++
	}
	at := l.before - 1
	if at < 0 {
		return -1
	}
	if l.table[at].pc == pc {
		for at > 0 && l.table[at-1].pc == pc {
			at-- // the first of those that start just there
		}
	}
	return l.table[at].line
}

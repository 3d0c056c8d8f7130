package export

import (
	"bufio"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// column is one column of a text table.
type column struct {
	title string
	left  bool // align text to the left; numbers go to the right
	cells []string
}

// writeColumns prints columns of equal length side by side, two spaces apart,
// without trailing spaces.
func writeColumns(w io.Writer, columns []column) error {
	out := bufio.NewWriter(w)
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = utf8.RuneCountInString(c.title)
		for _, cell := range c.cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(shown(cell, longestCell)))
		}
	}
	line := func(cell func(c column) string) {
		var b strings.Builder
		for i, c := range columns {
			if i > 0 {
				b.WriteString("  ")
			}
			text := shown(cell(c), longestCell)
			padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
			if c.left {
				b.WriteString(text + padding)
			} else {
				b.WriteString(padding + text)
			}
		}
		out.WriteString(strings.TrimRight(b.String(), " ") + "\n")
	}
	line(func(c column) string { return c.title })
	for row := range columns[0].cells {
		line(func(c column) string { return c.cells[row] })
	}
	return out.Flush()
}

// facts prints labelled lines, the label in a column of its own:
//
//	Total       40 objects
//	Losses      none
type facts struct{ b strings.Builder }

const labelWidth = 12

// add prints a label and its lines; the second and later are indented below
// the first.
func (f *facts) add(label string, lines ...string) {
	for i, line := range lines {
		if i > 0 {
			label = ""
		}
		f.b.WriteString(label + strings.Repeat(" ", max(1, labelWidth-len(label))) + shown(line, longestLine) + "\n")
	}
}

func (f *facts) writeTo(w io.Writer) error {
	_, err := io.WriteString(w, f.b.String())
	return err
}

// printable replaces what could move a terminal's cursor: names come from the
// recorded program.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// Longest texts for a terminal, in characters. Other formats have all of a name.
const (
	longestCell = 200
	longestLine = 2000
)

// shown gives printable text, the middle left out where it is too long: both ends of a name say something.
func shown(text string, longest int) string {
	text = printable(text)
	if len(text) <= longest {
		return text
	}
	runes := []rune(text)
	if len(runes) <= longest {
		return text
	}
	end := longest / 3
	return string(runes[:longest-end-1]) + "…" + string(runes[len(runes)-end:])
}

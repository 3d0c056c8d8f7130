package export

import (
	"fmt"
	"strings"

	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// frameLine prints a frame as a Java stack trace does:
// java.util.HashMap.newNode(HashMap.java:1797).
func frameLine(f symbols.Frame) string {
	switch {
	case f.Class == "" || f.Class == symbols.VM:
		return f.Title()
	case f.Native:
		return f.Title() + "(Native Method)"
	case f.Source != "" && f.Line >= 0:
		return fmt.Sprintf("%s(%s:%d)", f.Title(), f.Source, f.Line)
	case f.Source != "":
		return fmt.Sprintf("%s(%s)", f.Title(), f.Source)
	case f.Line >= 0:
		return fmt.Sprintf("%s(line %d)", f.Title(), f.Line)
	}
	return f.Title() + "(Unknown Source)"
}

// stackLines prints a stack on one line, innermost first.
func stackLines(stack []symbols.Frame) string {
	lines := make([]string, len(stack))
	for i, f := range stack {
		lines[i] = frameLine(f)
	}
	return strings.Join(lines, ";")
}

// compactFrames is how many frames of a stack a row of text has room for.
const compactFrames = 6

// compactStack prints the callers of a site: simple names, innermost first, and places as editors link them.
//
//	HashMap.put(HashMap.java:613) < App.main(App.java:12)
func compactStack(stack []symbols.Frame) string {
	var b strings.Builder
	for i, f := range stack {
		if i > 0 {
			b.WriteString(" < ")
		}
		if i == compactFrames && len(stack) > compactFrames+1 {
			fmt.Fprintf(&b, "%d more", len(stack)-i)
			break
		}
		if f.Class != "" {
			b.WriteString(f.Class[strings.LastIndexByte(f.Class, '.')+1:] + ".")
		}
		b.WriteString(f.Name)
		switch {
		case f.Line < 0:
		case f.Source != "":
			fmt.Fprintf(&b, "(%s:%d)", f.Source, f.Line)
		default:
			fmt.Fprintf(&b, ":%d", f.Line)
		}
	}
	return b.String()
}

// contextStack prints the stack of a row by context.
func (r *Report) contextStack(row profile.Row) string {
	return contextStack(r.Profile, row, r.Answer.Query.Mine)
}

func contextStack(p *profile.Profile, row profile.Row, mine *profile.Mine) string {
	return compactStack(foldStack(p.Stack(row.Site, row.Context), mine))
}

// folded stands for frames that are not the user's.
var folded = &symbols.Method{Name: "…"}

// foldStack has one frame for those that follow each other and are not the user's, but for the innermost one.
func foldStack(stack []symbols.Frame, mine *profile.Mine) []symbols.Frame {
	if mine == nil {
		return stack
	}
	short := []symbols.Frame{}
	for i, f := range stack {
		switch {
		case i == 0 || mine.IsMethod(f.Method):
			short = append(short, f)
		case short[len(short)-1].Method != folded:
			short = append(short, symbols.Frame{Method: folded, Line: -1})
		}
	}
	return short
}

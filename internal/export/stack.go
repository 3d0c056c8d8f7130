package export

import (
	"fmt"
	"strings"

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

package export

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"mallard/internal/profile"
)

// SourceFile is a source file with what its lines allocated.
type SourceFile struct {
	Name    string // java/util/HashMap.java
	Lines   []string
	Place   string // where the lines are from; empty: they were not found
	Amounts map[int32]profile.Amount
}

// around is how many lines before and behind one that allocated are printed.
const around = 2

// Text prints the lines that allocated, with those around them:
//
//	Objects   Bytes  Line
//	                    4      void slow(int i) {
//	  2,000  64,000     5          items.put(i, "item " + i);
func (s *SourceFile) Text(w io.Writer, p *profile.Profile) error {
	header := s.Name
	switch {
	case s.Place == "":
		header += ": no source found; --source PATH says where it is"
	case s.Place != s.Name:
		header += " (" + s.Place + ")"
	}
	if !p.Tracked {
		header += "; without contexts: only what the lines themselves allocate"
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", shown(header, longestLine)); err != nil {
		return err
	}
	objects, bytes, lines := column{title: "Objects"}, column{title: "Bytes"}, column{title: "Line"}
	text := column{left: true}
	add := func(object, size, line, source string) {
		objects.cells, bytes.cells = append(objects.cells, object), append(bytes.cells, size)
		lines.cells, text.cells = append(lines.cells, line), append(text.cells, source)
	}
	last := int32(0)
	print := func(line int32) {
		if last > 0 && line > last+1 {
			add("", "", "…", "")
		}
		last = line
		object, size, source := "", "", ""
		if a, counted := s.Amounts[line]; counted {
			object, size = grouped(a.Objects), "?"
			if a.BytesKnown() {
				size = grouped(a.Bytes)
			}
		}
		if int(line) <= len(s.Lines) {
			source = expanded(s.Lines[line-1])
		}
		add(object, size, strconv.Itoa(int(line)), source)
	}
	for _, line := range slices.Sorted(maps.Keys(s.Amounts)) {
		if int(line) > len(s.Lines) {
			print(line)
			continue
		}
		for near := max(1, last+1, line-around); near <= min(line+around, int32(len(s.Lines))); near++ {
			print(near)
		}
	}
	return writeColumns(w, []column{objects, bytes, lines, text})
}

// expanded has spaces for tabs.
func expanded(line string) string {
	var b []rune
	for _, r := range line {
		if r != '\t' {
			b = append(b, r)
			continue
		}
		for b = append(b, ' '); len(b)%4 != 0; {
			b = append(b, ' ')
		}
	}
	return string(b)
}

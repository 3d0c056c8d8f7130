package trace

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// indent is what a line has for each level that it is below the record's.
const indent = "  "

// textLines reads lines one ahead, so that a row knows where it ends.
type textLines struct {
	r      *bufio.Reader
	number int   // of the line last read, from 1
	size   int   // bytes of the current record
	err    error // what ended the input

	ahead  bool // a line is read and not used: its parts follow
	depth  int
	word   string
	fields string
}

// peek reads the next line that is not blank, unless one is there already.
func (l *textLines) peek() error {
	for !l.ahead && l.err == nil {
		line, err := l.line()
		if err != nil {
			l.err = err
			break
		}
		if trimmed := strings.TrimLeft(line, " "); trimmed == "" || trimmed[0] == '#' {
			continue
		}
		l.depth, l.word, l.fields = cutLine(line)
		l.ahead = true
	}
	if l.ahead {
		return nil
	}
	return l.err
}

// line returns the next line without its end.
func (l *textLines) line() (string, error) {
	var line []byte
	for {
		part, err := l.r.ReadSlice('\n')
		l.size += len(part)
		if l.size > maxText {
			return "", fmt.Errorf("trace: line %d: record is longer than %d bytes", l.number+1, maxText)
		}
		line = append(line, part...)
		switch {
		case err == nil || err == io.EOF && len(line) > 0:
			l.number++
			return strings.TrimRight(string(line), "\r\n"), nil
		case err != bufio.ErrBufferFull:
			return "", err
		}
	}
}

// cutLine splits a line into its depth, its first word and the rest.
func cutLine(line string) (depth int, word, rest string) {
	for strings.HasPrefix(line, indent) {
		depth++
		line = line[len(indent):]
	}
	word, rest, _ = strings.Cut(line, " ")
	return depth, word, rest
}

package trace

import (
	"bufio"
	"fmt"
	"io"
)

// AppendText appends the text form of r: a line with the name of its type and
// its fields, and below it, indented, a line for each row it has. Fields that
// are zero are left out.
//
//	ClassDef ID=3 Loader=1 Name="demo/Main" SiteBase=7 CounterBase=9 Counters=1
//	  MethodDef Name="main" Descriptor="([Ljava/lang/String;)V"
//	    SiteDef BCI=0 Line=5 Type="demo/Point"
//	    CounterDef Semantics=[0:1]
//
// Strings are quoted as in Go, so that any bytes survive.
func AppendText(dst []byte, r Record) []byte {
	return layoutOf(r.kind()).print(dst, r)
}

// TextReader parses the text form of a recording. Empty lines and lines that
// begin with # are passed over.
type TextReader struct{ lines textLines }

// NewTextReader reads the text form from r.
func NewTextReader(r io.Reader) *TextReader {
	return &TextReader{textLines{r: bufio.NewReader(r)}}
}

// Next returns the next record, io.EOF at the end. An error names the line;
// after it the reader is of no more use.
func (t *TextReader) Next() (Record, error) {
	l := &t.lines
	l.size = 0
	if err := l.peek(); err != nil {
		return nil, err
	}
	r, err := t.record()
	if err != nil {
		l.err = fmt.Errorf("trace: line %d: %w", l.number, err)
		return nil, l.err
	}
	return r, nil
}

func (t *TextReader) record() (Record, error) {
	lines := &t.lines
	if lines.depth > 0 {
		return nil, fmt.Errorf("a record begins at the start of a line, not %q", lines.word)
	}
	for _, l := range layouts {
		if l != nil && l.name() == lines.word {
			lines.ahead = false
			return l.parse(lines, lines.fields)
		}
	}
	return nil, fmt.Errorf("no record is called %q", lines.word)
}

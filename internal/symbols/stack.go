package symbols

import (
	"errors"
	"fmt"
	"io"

	"mallard/internal/trace"
)

// Read reads what a recording names so far: the program may still run. Errors are those of the reader.
func Read(r io.Reader) (*Table, error) {
	reader := trace.NewTailReader(r)
	t := New()
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("symbols: %w", err)
		}
		t.Add(record)
	}
}

// Stack returns the frames of a context, innermost first, as the JVM prints them:
// without those that it hides. Where the last method is, a context does not say.
// ok is false if there is no such context.
func (t *Table) Stack(id trace.ContextID) (stack []Frame, ok bool) {
	c := &t.Contexts
	at := c.Node(id)
	if at == Lost {
		return nil, false
	}
	stack = []Frame{}
	bci, line := int32(-1), int32(-1)
	for at >= 0 {
		node := &c.Nodes[at]
		switch m := c.MethodOf(at); {
		case m == nil:
			stack = append(stack, unknownCaller)
		case !m.Hidden:
			method := t.Method(m.Key, m.Source, m.Native)
			stack = append(stack, Frame{&method, bci, line})
		}
		at, bci, line = node.Parent, node.BCI, node.Line
	}
	if at == Lost {
		stack = append(stack, unknownCaller)
	}
	return stack, true
}

var unknownCaller = Frame{&Method{Name: UnknownFrame}, -1, -1}

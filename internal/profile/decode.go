package profile

import (
	"errors"
	"fmt"
	"io"

	"mallard/internal/trace"
)

// Decoder knows the stacks of the contexts of a recording.
type Decoder struct {
	folder  *folder
	methods []*Method // as in contextTable
}

// NewDecoder reads what a recording says of contexts so far: the program may
// still run. Errors are those of Fold.
func NewDecoder(r io.Reader) (*Decoder, error) {
	reader := trace.NewTailReader(r)
	f := newFolder()
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("profile: %w", err)
		}
		switch record.(type) {
		case *trace.Loader, *trace.ClassDef, *trace.MethodName, *trace.Transaction, *trace.Contexts:
			f.add(record)
		}
	}
	d := &Decoder{folder: f}
	for _, m := range f.contexts.methods {
		method := f.publicMethod(m.key, m.source, m.native)
		d.methods = append(d.methods, &method)
	}
	return d, nil
}

// Contexts returns how many contexts the recording has.
func (d *Decoder) Contexts() int { return len(d.folder.contexts.nodes) }

// Stack returns the frames of a context, innermost first, as the JVM prints them:
// without those that it hides. Where the last method is, a context does not say.
// ok is false if there is no such context.
func (d *Decoder) Stack(id trace.ContextID) (stack []Frame, ok bool) {
	c := &d.folder.contexts
	at, ok := c.indexes[id]
	if !ok {
		return nil, false
	}
	stack = []Frame{}
	bci, line := int32(-1), int32(-1)
	for at >= 0 {
		node := &c.nodes[at]
		switch {
		case node.method == lost:
			stack = append(stack, unknownCaller)
		case !c.methods[node.method].hidden:
			stack = append(stack, Frame{d.methods[node.method], bci, line})
		}
		at, bci, line = node.parent, node.bci, node.line
	}
	if at == lost {
		stack = append(stack, unknownCaller)
	}
	return stack, true
}

var unknownCaller = Frame{&Method{Name: unknownFrame}, -1, -1}

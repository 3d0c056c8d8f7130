package export

import (
	"bufio"
	"fmt"
	"io"

	"mallard/internal/symbols"
)

// DecodeSchema names the JSON form of decoded contexts.
const DecodeSchema = "mallard.decode/1"

// Decoded is contexts with their stacks.
type Decoded struct {
	File     string // the recording, as the user named it
	Contexts []DecodedContext
}

// DecodedContext is one context.
type DecodedContext struct {
	ID    uint64
	Stack []symbols.Frame // innermost first; nil if the recording has no such context
}

// ContextID prints the number of a context.
func ContextID(id uint64) string { return fmt.Sprintf("%016x", id) }

// Text writes the stacks as Java prints them, each below its number. Contexts
// that the recording does not have are left out.
func (d *Decoded) Text(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, c := range d.Contexts {
		if c.Stack == nil {
			continue
		}
		fmt.Fprintln(out, ContextID(c.ID))
		for _, f := range c.Stack {
			fmt.Fprintf(out, "\tat %s\n", shown(frameLine(f), longestCell))
		}
	}
	return out.Flush()
}

// JSON writes the stacks as reports do. The stack of a context that the
// recording does not have is null.
func (d *Decoded) JSON(w io.Writer) error {
	type context struct {
		ID    string      `json:"id"`
		Stack []jsonFrame `json:"stack"`
	}
	all := struct {
		Schema   string    `json:"schema"`
		File     string    `json:"file"`
		Contexts []context `json:"contexts"`
	}{DecodeSchema, d.File, []context{}}
	for _, c := range d.Contexts {
		all.Contexts = append(all.Contexts, context{ContextID(c.ID), jsonStack(c.Stack)})
	}
	text, err := marshal(all, "  ")
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

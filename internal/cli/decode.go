package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mallard/internal/export"
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

func (p *program) decodeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "decode FILE ID...",
		Short: "Print the stacks of contexts, by their numbers",
		Long: `Print the stack of each context number, innermost frame first, in Java's format.

An ID is a return value of mallard.Context.current() in hexadecimal, 16 digits in a log
line. It can be decoded while the program runs, some seconds after it was made: contexts
are recorded every few seconds, less often if there are many. A jar that records itself
has its numbers once it has ended. The innermost frame is the method that called
current().

--format json prints a list "contexts" of "id" and "stack". Frames are as in reports
("mallard help formats"); stack is null if there is no such context.`,
		Example: `  mallard decode app.mallard 000000000000002c
  mallard decode app.mallard 2c 54 --format json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("missing argument: recording file and context numbers; usage: mallard decode FILE ID...")
			}
			return nil
		},
		Annotations: firstIsRecording,
	}
	format := addChoice(cmd, "format", "form of the answer",
		decodeFormat{"text", (*export.Decoded).Text},
		decodeFormat{"json", (*export.Decoded).JSON})
	p.bound.addFlag(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		decoded := &export.Decoded{File: args[0]}
		for _, arg := range args[1:] {
			id, err := strconv.ParseUint(arg, 16, 64)
			if err != nil {
				return usagef("%q is not a context number: up to 16 hexadecimal digits", arg)
			}
			decoded.Contexts = append(decoded.Contexts, export.DecodedContext{ID: id})
		}
		missing, err := p.decode(decoded)
		if err != nil {
			return err
		}
		if err := p.print(func(w io.Writer) error { return format.value(decoded, w) }); err != nil {
			return err
		}
		if len(missing) > 0 {
			return fmt.Errorf("%s has no context %s", args[0], strings.Join(missing, ", "))
		}
		return nil
	}
	return cmd
}

// decodeFormat is a form of decode's answer.
type decodeFormat = option[func(*export.Decoded, io.Writer) error]

// decode fills in the stacks, and says which contexts there are not.
func (p *program) decode(decoded *export.Decoded) (missing []string, err error) {
	file, info, err := p.openFile(decoded.File)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	progress := p.progress(info.Size(), "reading "+decoded.File)
	table, err := symbols.Read(io.TeeReader(file, progress))
	progress.Close()
	if err != nil {
		return nil, fileError(decoded.File, err)
	}
	if len(table.Contexts.Nodes) == 0 {
		return nil, fmt.Errorf("%s has no contexts", decoded.File)
	}
	for i := range decoded.Contexts {
		c := &decoded.Contexts[i]
		stack, ok := table.Stack(trace.ContextID(c.ID))
		if !ok {
			missing = append(missing, export.ContextID(c.ID))
		}
		c.Stack = withoutAsking(stack)
	}
	return missing, nil
}

// withoutAsking leaves out the method by which a program asks for its context.
func withoutAsking(stack []symbols.Frame) []symbols.Frame {
	if len(stack) > 1 && stack[0].Class == "mallard.Context" && stack[0].Name == "current" {
		return stack[1:]
	}
	return stack
}

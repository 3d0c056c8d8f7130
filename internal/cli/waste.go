package cli

import (
	"io"

	"github.com/spf13/cobra"

	"mallard/internal/export"
	"mallard/internal/waste"
)

// wasteWord is what --by has for waste.
const wasteWord = "waste"

// reportWaste prints what a program could do without.
func (p *program) reportWaste(r *recording, q waste.Query, format string, verbose bool) error {
	report := &export.WasteReport{File: r.name, Profile: r.profile, Answer: waste.Ask(r.profile, q), Verbose: verbose}
	write := map[string]func(io.Writer) error{"text": report.Text, "json": report.JSON, "csv": report.CSV}[format]
	return p.print(write)
}

func (p *program) wasteTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "waste",
		Short: "What report --by waste takes for waste, and how each kind is told",
		Long: `"mallard report --by waste" lists objects that a program could do without. An object
is of the first of these kinds that fits:

  exceptions     exceptions, and what they know of the stack, 100 objects or more of
                 one place. With contexts exceptions are those whose stacks were filled
                 in, else those whose class's name ends in Exception, Error or
                 Throwable; stacks then are one place. Their messages are not counted
  enum values    the array that values() of an enum class copies
  boxing         objects of Integer, Long and so on, but for those of their caches
  lambdas        lambdas and method references that capture something
  iterators      what iterator() and its like return, and what is called an iterator
  empty arrays   arrays of a place that all have no elements
  growth         the larger array that ArrayList, StringBuilder, HashMap and other
                 classes of the JDK put in the place of one that was full; not their
                 first one. HashMap's are told with contexts only, and not those of
                 computeIfAbsent, compute and merge, which make both in one place
  copies         clone, Arrays.copyOf, List.copyOf, new ArrayList<>(list), toArray,
                 toCharArray, getBytes: all that they make, and the collection itself.
                 Without contexts those of the JDK's own are among them
  varargs        an array that is written out for a call, as its last argument: what
                 variable arguments are in a class file. Outside of the JDK
  concatenation  strings that + makes in a loop, in classes compiled for Java 9 and
                 newer. A loop is code between a jump back and where that leads.
                 Outside of the JDK

Where is the innermost line outside of the JDK that led to an object, or the innermost
one of --mine, and then what no such line led to is left out and summed up in the
header. Without contexts, or where the JDK was on its own, it is the site itself.

Whether the program needs a copy or a box nobody looks at. Collections that stay empty
are not told. What compilers remove ("mallard help tracks", objects) is counted.

JSON has the schema mallard.waste/1: filters, totals and losses as in reports, waste
(objects, bytes), callers (whether they are known), kinds (a list of kind, objects,
bytes, places, advice), and a row for each place: kind, what (the class, or what grows,
is copied or is called), site, loader, objects, bytes. CSV has the rows.`,
	}
}

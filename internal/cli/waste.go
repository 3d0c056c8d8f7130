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
		Short: "The kinds of waste that report --by waste knows, and how it recognizes them",
		Long: `"mallard report --by waste" lists allocations that a program may be able to avoid. An
object counts for the first of these kinds that fits:

  exceptions     exceptions with their stack traces, where one place made 100 or more.
                 With contexts these are exceptions whose stack trace was filled in;
                 without, those whose class name ends in Exception, Error or Throwable,
                 or that some code throws as soon as they are made (throw new), and
                 stack traces are a place of their own. Messages do not count
  enum values    the array that values() of an enum class copies
  boxing         objects of Integer, Long and so on, except those of their caches
  lambdas        lambdas and method references that capture something
  iterators      what iterator() and similar methods return, and what is named iterator
  empty arrays   arrays of a place all of whose arrays have no elements
  growth         the larger array with which ArrayList, StringBuilder, HashMap and other
                 classes of the JDK replace a full one; the first array does not count
  copies         clone, Arrays.copyOf, List.copyOf, new ArrayList<>(list), toArray,
                 toCharArray, getBytes: all that they allocate, including the
                 collection. Without contexts this includes copies that the JDK makes
                 for itself
  varargs        an array that is created for a call, as its last argument: this is how
                 variable arguments look in a class file. Outside of the JDK only
  empty          ArrayList, HashMap, LinkedHashMap and ConcurrentHashMap that had
  collections    nothing in them by the end. They make an array for their first
                 element, so if a place makes more of them than there are such arrays
                 in all of the program, the rest stayed empty: so many at least, and
                 none where there are arrays enough. A HashSet has a HashMap. Not in
                 spans of time, nor in programs that were attached to
  concatenation  strings that + makes in a loop; in classes compiled for Java 8 and
                 older also the StringBuilder and its first array: one that is nowhere
                 but on the operand stack from new to toString, or in one variable that
                 nothing else reads. Without contexts that is all that is known of
                 these. A loop is the code between a backward jump and its target.
                 Outside of the JDK only

Where is the innermost line outside of the JDK that led to the object. With --mine it is
the innermost line of these classes, and what none of them led to is summed up in the
header. Without contexts, or if only JDK code was on the stack, it is the site itself.

Mallard cannot tell whether the program needs a copy or a box. Objects that compilers
remove ("mallard help tracks", objects) count.

JSON has the schema mallard.waste/1: filters, totals and losses as in reports, waste
(objects, bytes), callers (whether they are known), kinds (a list of kind, objects,
bytes, places, advice), and a row for each place: kind, what (the class, or what grows,
is copied or is called), site, loader, objects, bytes. CSV has the rows.`,
	}
}

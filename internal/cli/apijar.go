package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func (p *program) apiJarCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "apijar",
		Short: "Print the path of the jar with the Java package mallard",
		Long: `Print the path of the jar that contains the Java package mallard. It is unpacked first
if necessary. Only programs that use these classes need it:

  mallard.Context     Context.current() returns the number of the caller's context,
                      for log lines; "mallard decode" prints its stack.
                      Context.begin(name) and Context.end() mark a transaction:
                      "mallard help transactions"
  mallard.Allocates   an annotation that limits what a JUnit 5 test may allocate:
                      a test over its limit fails; "mallard check" has more
  mallard.Snapshots   the interface of CLASS in "mallard run --on-snapshot CLASS".
                      At each snapshot it receives the time since the previous one
                      and the objects, bytes and bytecodes that were added. It
                      returns the time until the next one in nanoseconds, or in
                      bytecodes if --snapshots is in bytecodes

  javac -cp $(mallard apijar) -d classes Watch.java
  mallard run --on-snapshot Watch -- java -cp classes:$(mallard apijar) demo.Main`,
		Example: `  mallard apijar`,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			path, err := p.Operations.APIJar()
			if err != nil {
				return err
			}
			return p.print(func(w io.Writer) error {
				_, err := fmt.Fprintln(w, path)
				return err
			})
		},
	}
}

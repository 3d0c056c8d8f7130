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
		Long: `Print the path of the jar that has the Java package mallard, which it unpacks first
where needed. Programs need it only if they name what is in it:

  mallard.Context     Context.current() is the number of the calling context of
                      who asks, for log lines; "mallard decode" prints its stack.
                      Context.begin(name) and Context.end() name what happens in
                      between: "mallard help transactions"
  mallard.Allocates   an annotation for tests of JUnit 5: what one may allocate, which
                      "mallard check" looks at
  mallard.Snapshots   for "mallard run --on-snapshot CLASS": CLASS implements it
                      and receives at each snapshot the time since the last one and
                      the objects, bytes and bytecodes that were added; it
                      returns the nanoseconds to the next one, or the bytecodes
                      where --snapshots is in bytecodes

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

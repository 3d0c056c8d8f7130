package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mallard/internal/placement"
	"mallard/internal/portable"
)

func (p *program) instrumentCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "instrument JAR -o OUT",
		Short: "Make a jar that records itself, without mallard or an agent",
		Long: `Make a jar that records itself: the classes of JAR, or those in a folder, with
counters in them. It runs as JAR does, on any JVM of Java 8 or newer and on any
system, and when it ends it writes a recording, which the other commands read.

The recording is mallard-PID.mallard in the working directory, or what the
property mallard.file names (%p is the process id, %t the start time):

  java -Dmallard.file=app-%p.mallard -jar OUT

A file that is there already is kept; the recording then gets another name.

Counted is what the classes of JAR allocate, exactly: one counter for each site,
right behind the allocation. What "mallard run" counts and this does not are the
classes of the JDK, other jars, classes made at run time, and what native code
makes. Sizes of objects are computed as HotSpot lays them out; reports say so.
With a placement other than site, what invocations that have not ended when the
program does have counted ahead is not taken back.

The recording is written when the JVM shuts down: after main and all threads but
daemons have ended, after an uncaught exception, System.exit or a signal such as
Ctrl-C. Runtime.halt and kill -9 leave none.

Signatures are left out, for they would not fit any more. Classes that cannot be
instrumented are named and stay as they are, and so do jars inside JAR.`,
		Example: `  mallard instrument app.jar -o app-counts.jar
  mallard instrument build/classes -o app-counts.jar --force`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name one jar or folder: mallard instrument JAR -o OUT")
			}
			return nil
		},
	}
	flags := cmd.Flags()
	output := flags.StringP("output", "o", "", "write the new jar to `OUT`")
	force := flags.Bool("force", false, "replace OUT if it is there")
	where := addChoice(cmd, "placement", "where counters go",
		option[placement.Strategy]{"site", placement.Site},
		option[placement.Strategy]{"optimal", placement.Optimal},
		option[placement.Strategy]{"ducktracks", placement.DuckTracks})
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if *output == "" {
			return usagef("say where the new jar goes: -o OUT")
		}
		if sameFile(args[0], *output) {
			return fmt.Errorf("%s is what is to be instrumented; name another file", *output)
		}
		var made *portable.Result
		var failed error // has nothing to do with the output
		err := writeFile(*output, *force, func(w io.Writer) error {
			out := &failingWriter{w: w}
			made, failed = portable.Instrument(args[0], out, portable.Options{Placement: where.value, Version: buildVersion()})
			if out.err != nil {
				failed = nil
				return out.err
			}
			return failed
		})
		switch {
		case errors.Is(failed, fs.ErrNotExist):
			return fmt.Errorf("%s: no such file", args[0])
		case failed != nil:
			return failed
		case err != nil:
			return err
		}
		p.sayMade(made, *output)
		return nil
	}
	return cmd
}

// sayMade says what was made, and what of it the user may not expect.
func (p *program) sayMade(made *portable.Result, output string) {
	for _, s := range made.Skipped {
		p.say("%s is not counted: %s", s.Name, s.Reason)
	}
	if made.Signed {
		p.say("signatures were left out")
	}
	if n := len(made.Nested); n > 0 {
		p.say("jars inside are left as they are: %s", strings.Join(made.Nested, ", "))
	}
	p.say("wrote %s: %d of %d classes have counters, %d in all", output, made.Instrumented, made.Classes, made.Counters)
}

// failingWriter keeps the first error of a writer.
type failingWriter struct {
	w   io.Writer
	err error
}

func (f *failingWriter) Write(b []byte) (int, error) {
	n, err := f.w.Write(b)
	if f.err == nil {
		f.err = err
	}
	return n, err
}

// sameFile reports whether two names stand for one file that is there.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

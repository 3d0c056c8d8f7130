package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"mallard/internal/placement"
	"mallard/internal/portable"
)

func (p *program) instrumentCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "instrument JAR -o OUT",
		Short: "Make a jar that records itself, without mallard or an agent",
		Long: `Make a jar that records itself: the classes of JAR, or of a folder, with counters added.
It runs as JAR does, on any JVM of Java 8 or newer and on any system. When it ends it
writes a recording that the other commands read.

The recording is mallard-PID.mallard in the working folder, or the file that the
property mallard.file names (%p is the process ID, %t the start time):

  java -Dmallard.file=app-%p.mallard -jar OUT

An existing file is kept; the recording then gets another name.

What the classes of JAR allocate is counted exactly, with one counter for each site,
right after the allocation. Unlike with "mallard run", classes of the JDK, other jars,
classes made at run time, and native code are not counted. Sizes of objects are computed
from HotSpot's layout, which reports mention. With a --placement other than site,
methods that are still running at the end may have counted allocations ahead.

With --track contexts the recording also has who called what allocates, by thread, and
how often: "report --by context", flame graphs, --under. Callers are methods of the
instrumented classes. Methods of other classes are left out, and so are methods of JAR
that neither call nor allocate: what they call appears to be called by their caller. A
comparator that the JDK calls while it sorts is an example. Contexts take a sixteenth of
the maximum heap at most, unless another limit is set:

  java -Dmallard.contexts=MIB -jar OUT

Objects in contexts beyond that are counted without callers, which reports mention.
Transactions work as with an agent ("mallard help transactions"), and numbers from
mallard.Context.current() can be decoded from the recording. The class may be in JAR or
next to it. Only direct calls of it in methods of JAR count.

The recording is written when the JVM shuts down: after main and all non-daemon threads
have ended, after an uncaught exception, System.exit, or a signal such as Ctrl-C.
Runtime.halt and kill -9 leave no recording.

--jdk also counts packages of java.base, from the start of main. Their classes, taken
from the JDK of --java, are written to OUT-jdk.jar (for OUT.jar). The program must then
run on exactly that release of the JDK:

  java --patch-module java.base=OUT-jdk.jar -jar OUT.jar

Libraries of a web application (WEB-INF/lib) and of an executable Spring Boot jar
(BOOT-INF/lib) are instrumented as well; they remain compressed, or not, as they were.
Other jars inside JAR are copied unchanged.

Signatures are removed, since they would no longer match. Classes that cannot be
instrumented are named and copied unchanged.`,
		Example: `  mallard instrument app.jar -o app-counts.jar
  mallard instrument build/classes -o app-counts.jar --force`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("expected one jar or folder; usage: mallard instrument JAR -o OUT")
			}
			return nil
		},
	}
	flags := cmd.Flags()
	track := addChoice(cmd, "track", "what is recorded",
		option[bool]{"sites", false},
		option[bool]{"contexts", true})
	output := flags.StringP("output", "o", "", "write the new jar to `OUT`")
	force := flags.Bool("force", false, "overwrite OUT if it exists")
	packages := flags.StringSlice("jdk", nil, "also count in these `PACKAGES` of java.base, e.g. java.util,java.io")
	launcher := flags.String("java", "", "with --jdk: `LAUNCHER` of the JDK that is to run the program (default that "+
		"of JAVA_HOME, or java)")
	strategy := addChoice(cmd, "placement", "where counters go",
		option[placement.Strategy]{"site", placement.Site},
		option[placement.Strategy]{"optimal", placement.Optimal},
		option[placement.Strategy]{"ducktracks", placement.DuckTracks})
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if *output == "" {
			return usagef("missing flag: -o OUT")
		}
		if sameFile(args[0], *output) {
			return fmt.Errorf("%s is the input itself; choose another output file", *output)
		}
		for _, name := range *packages {
			if err := portable.CheckPackage(name); err != nil {
				return usagef("--jdk %s: %w", name, err)
			}
		}
		o := portable.Options{Placement: strategy.value, Contexts: track.value, Version: buildVersion(),
			Packages: *packages, Launcher: launcherOf(*launcher)}
		var made *portable.Result
		var failed error // has nothing to do with the output
		instrument := func(w io.Writer) error {
			out := &failingWriter{w: w}
			made, failed = portable.Instrument(args[0], out, o)
			if out.err != nil {
				failed = nil
				return out.err
			}
			return failed
		}
		var err error
		patch := patchName(*output)
		if len(o.Packages) == 0 {
			err = writeFile(*output, codeMode, *force, instrument)
		} else {
			err = writeFile(patch, codeMode, *force, func(w io.Writer) error {
				o.Patch = w
				return writeFile(*output, codeMode, *force, instrument)
			})
		}
		if err := cmp.Or(failed, err); err != nil {
			return err
		}
		p.sayMade(made, *output)
		if len(o.Packages) > 0 {
			p.say("run it with: java --patch-module java.base=%s -jar %s", patch, *output)
		}
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

// patchName is where the classes of the JDK go.
func patchName(output string) string {
	extension := filepath.Ext(output)
	return strings.TrimSuffix(output, extension) + "-jdk.jar"
}

// launcherOf gives the java to run, given what the user says.
func launcherOf(named string) string {
	if home := os.Getenv("JAVA_HOME"); named == "" && home != "" {
		return filepath.Join(home, "bin", "java")
	}
	return cmp.Or(named, "java")
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

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

With --track contexts the recording says as well who called what allocates, thread
by thread, and how often: "report --by context", flame graphs, --under. Callers are
methods of the classes that count. Others are left out, and what they call, such as
a comparator that the JDK sorts with, is called by who called them; so are methods
of JAR that neither call nor allocate. Contexts take a sixteenth of the largest
heap at most, or what is asked for:

  java -Dmallard.contexts=MIB -jar OUT

What is made in further contexts is counted without callers; reports say so.
Transactions work as they do with an agent ("mallard help transactions"), and numbers
that mallard.Context.current() gives are decoded from the recording. The class may be
in JAR or beside it; calls of it in methods of JAR count, direct ones.

The recording is written when the JVM shuts down: after main and all threads but
daemons have ended, after an uncaught exception, System.exit or a signal such as
Ctrl-C. Runtime.halt and kill -9 leave none.

--jdk has packages of java.base count as well, from the start of main on. Their
classes, as the JDK of --java has them, go to OUT-jdk.jar (for OUT.jar), with which
that JDK, and no other release, runs the program:

  java --patch-module java.base=OUT-jdk.jar -jar OUT.jar

The libraries of a web application (WEB-INF/lib) and of an executable jar of Spring
Boot (BOOT-INF/lib) count as its own classes do; they stay compressed, or not, as
they were. Other jars inside JAR stay as they are.

Signatures are left out, for they would not fit any more. Classes that cannot be
instrumented are named and stay as they are.`,
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

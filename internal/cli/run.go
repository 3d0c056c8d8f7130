package cli

import (
	"errors"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mallard/internal/launch"
	"mallard/internal/observe"
	"mallard/internal/observe/contexts"
	"mallard/internal/observe/registry"
	"mallard/internal/placement"
	"mallard/internal/session"
)

func (p *program) runCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run [flags] -- COMMAND [ARGUMENT...]",
		Short: "Run a program and record what its JVM allocates",
		Long: `Run a program and record what its JVM allocates.

COMMAND is a java launcher or anything that ends up starting one: a script, a
build tool, a server. Its input, output, signals and exit code pass through (a
program killed by signal N: 128+N); mallard's own words go to standard error.

Counts are written to the recording every second, or as often as --snapshots
says, so that little is lost if mallard is killed, and "mallard report
--over-time" can say when they came. With --snapshots 1000000bc a thread that has
executed a million bytecodes in classes of the program waits until a snapshot is
taken: a program of one thread that does the same each time has the same ones each
time ("mallard help tracks"). A second JVM under the same command writes a recording
of its own, with its process id in the name.

With --keep 10m the recording has what happened in the last ten minutes at least, and in
the last twenty at most. It begins with a keyframe: counts, and what was in the heap then.
Older records are given up: another file takes the recording's name (while it is written
it has ".next" behind it). What was counted stays right for all the time; what is asked of
the time before is refused.

With --push what was allocated is sent to Pyroscope while the program runs, as pprof profiles
of some seconds each, and with --metrics it is counted for Prometheus: by package, class and
transaction, and collections. Both are done by another process that reads the recording, so
that neither the program nor the recording waits for them. --label says more of it all; the
machine's name is the label host. A password may be in URL, or a token in the environment
(MALLARD_PUSH_TOKEN; MALLARD_PUSH_TENANT for X-Scope-OrgID).

A JVM that the command leaves behind is recorded until it ends; mallard waits
for it and says so. Ctrl-C then ends the recording, not the JVM.`,
		Example: `  mallard run -- java -jar app.jar
  mallard run -o app.mallard --force -- java -cp classes demo.Main 100
  mallard run --placement site -q -- ./gradlew test
  mallard run --transaction-at spring -- java -jar shop.jar
  mallard run --metrics :9464 --push http://127.0.0.1:4040 -- java -jar shop.jar`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("missing command after --; usage: mallard run -- COMMAND")
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.SetInterspersed(false)
	output := flags.StringP("output", "o", launch.DefaultOutput,
		"write the recording to `FILE`; %p is the process id, %t the start time")
	force := flags.Bool("force", false, "overwrite FILE if it exists")
	observers := registry.New()
	track := flags.StringSlice("track", observers.Defaults(),
		"what to record, a `LIST` separated by commas (see \"mallard help tracks\")")
	flags.Lookup("track").DefValue = strings.Join(observers.Defaults(), ",")
	completeFlag(cmd, "track", observers.Trackable())
	strategy := addChoice(cmd, "placement", "where counters go",
		option[placement.Strategy]{"optimal", placement.Optimal},
		option[placement.Strategy]{"ducktracks", placement.DuckTracks},
		option[placement.Strategy]{"site", placement.Site})
	addOptions(cmd, observers.Options())
	noAdapt := flags.Bool("no-adapt", false, "do not move counters while the program runs")
	noCache := flags.Bool("no-cache", false, "do not keep instrumented classes for the next run, nor use those kept")
	adaptSoon := flags.Bool("adapt-soon", false, "for tests: place every counter again while the program runs")
	flags.MarkHidden("adapt-soon")
	noShims := flags.Bool("no-shims", false,
		`do not change PATH and JAVA_HOME of COMMAND (see "mallard help jvms")`)
	waits := addWaits(cmd)
	keep := flags.Duration("keep", 0, "discard events older than this `TIME`, e.g. 10m, so that the recording stays "+
		"small; counts still cover the whole run")
	follow := addFollow(cmd)
	quiet := flags.BoolP("quiet", "q", false, "print messages only if something fails")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *output == "" {
			return usagef("-o: missing file name")
		}
		if err := observers.Track(*track); err != nil {
			var unknown *observe.UnknownError
			if errors.As(err, &unknown) {
				return usagef("--track: %q is %v", unknown.Name, err)
			}
			return usagef("--track: %v", err)
		}
		if flags.Changed("transaction-at") && !observers.Has(contexts.Name) {
			if flags.Changed("track") {
				return usagef("--transaction-at needs contexts: add them to --track")
			}
			if err := observers.Track(append(*track, contexts.Name)); err != nil {
				return err
			}
		}
		if err := waits.check(); err != nil {
			return err
		}
		if err := checkKeep(flags, *keep, *output); err != nil {
			return err
		}
		follower, err := p.startFollower(follow, *output)
		if err != nil {
			return err
		}
		defer follower.end(p)
		code, err := p.Operations.Run(cmd.Context(), launch.Options{
			Command: args,
			Output:  *output,
			Force:   *force,
			Quiet:   *quiet,
			Opened:  follower.opened(),
			NoShims: *noShims,
			Stdin:   p.Stdin,
			Stdout:  p.Stdout,
			Stderr:  p.Stderr,
			Record: session.Options{
				Observers: observers,
				Placement: strategy.value,
				NoAdapt:   *noAdapt,
				NoCache:   *noCache,
				AdaptSoon: *adaptSoon,
				Version:   buildVersion(),
				Keep:      *keep,

				AnswerWithin: waits.answer,
				ExitWithin:   waits.exit,
			},
		})
		var notStarted *launch.NotStarted
		if errors.As(err, &notStarted) {
			return err
		}
		if err != nil {
			p.say("%s", err)
		}
		p.exitCode = code // the program ran: its exit code is ours
		return nil
	}
	return cmd
}

// checkKeep refuses what cannot be kept.
func checkKeep(flags *pflag.FlagSet, keep time.Duration, output string) error {
	if !flags.Changed("keep") {
		return nil
	}
	if keep < shortestKeep {
		return usagef("--keep: %v is not a time of %v or more, such as 10m", keep, shortestKeep)
	}
	if each, _ := flags.GetBool("each-object"); each {
		return usagef("--keep cannot be combined with --each-object: keyframes have no single objects")
	}
	if info, err := os.Stat(output); err == nil && !info.Mode().IsRegular() {
		return usagef("--keep needs a regular file, which %s is not", output)
	}
	return nil
}

// shortestKeep is the least that can be kept: snapshots come each second.
const shortestKeep = 2 * time.Second

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

COMMAND is a java launcher, or anything that starts one in the end: a script, a build
tool, a server. Input, output, signals and the exit code pass through (128+N for a
program that signal N killed); mallard's own messages go to standard error.

Counts are recorded every second, or as often as --snapshots says, so that little is
lost if mallard is killed, and so that "mallard report --over-time" knows when
allocations happened. With --snapshots 1000000bc a snapshot is taken whenever a thread
has executed another million bytecodes in classes of the program: a single-threaded
program that does the same in each run then has the same snapshots in each run
("mallard help tracks"). Each further JVM that COMMAND starts writes its own recording,
with its process id in the name.

With --keep 10m the recording covers at least the last ten minutes, and at most the
last twenty. It begins with a keyframe, which has the counts and the heap at that
moment, and older records are dropped: a new file takes the recording's name (until
then it is called ".next"). Totals still cover the whole run; questions about the time
before are refused.

--push sends allocations to Pyroscope while the program runs, as pprof profiles of a
few seconds each; --metrics serves them to Prometheus, by package, class and
transaction, and collections as well. A separate process does both by reading the
recording, so neither the program nor the recording waits for them. --label adds
labels; the label host is the machine's name. A password may be part of the URL; a
token is taken from the environment (MALLARD_PUSH_TOKEN; MALLARD_PUSH_TENANT for
X-Scope-OrgID).

A JVM that outlives COMMAND is recorded until it ends; mallard waits for it and says
so. Ctrl-C then ends the recording, not the JVM.`,
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
	fewTags := flags.Bool("few-tags", false, "for tests: have few numbers of counters, and few tags")
	flags.MarkHidden("few-tags")
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
		if err := observers.Check(); err != nil {
			return usagef("%v", err)
		}
		if err := waits.check(); err != nil {
			return err
		}
		if err := checkKeep(flags, *keep, *output); err != nil {
			return err
		}
		if *keep > 0 {
			collectAt(keepingGarbage)
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
				AdaptSoon: *adaptSoon, FewTags: *fewTags,
				Version: buildVersion(),
				Keep:    *keep,

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
	if info, err := os.Stat(output); err == nil && !info.Mode().IsRegular() {
		return usagef("--keep needs a regular file, which %s is not", output)
	}
	return nil
}

// shortestKeep is the least that can be kept: snapshots come each second.
const shortestKeep = 2 * time.Second

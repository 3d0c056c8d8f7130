package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mallard/internal/launch"
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

A JVM that the command leaves behind is recorded until it ends; mallard waits
for it and says so. Ctrl-C then ends the recording, not the JVM.`,
		Example: `  mallard run -- java -jar app.jar
  mallard run -o app.mallard --force -- java -cp classes demo.Main 100
  mallard run --placement site -q -- ./gradlew test`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("say what to run: mallard run -- COMMAND")
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.SetInterspersed(false)
	output := flags.StringP("output", "o", launch.DefaultOutput, "write the recording to `FILE`; %p is the process id, %t the start time")
	force := flags.Bool("force", false, "replace FILE if it is there")
	track := flags.StringSlice("track", session.Observers[:1], `observe these, separated by commas (see "mallard help tracks")`)
	completeFlag(cmd, "track", session.Observers)
	where := addChoice(cmd, "placement", "where counters go",
		option[placement.Strategy]{"optimal", placement.Optimal},
		option[placement.Strategy]{"ducktracks", placement.DuckTracks},
		option[placement.Strategy]{"site", placement.Site})
	shape := addChoice(cmd, "contexts", "with --track contexts: how they are kept: hashed and encoded cost less, tree counts invocations as well",
		option[session.ContextShape]{"hashed", session.ContextShapes["hashed"]},
		option[session.ContextShape]{"encoded", session.ContextShapes["encoded"]},
		option[session.ContextShape]{"tree", session.ContextShapes["tree"]})
	contexts := flags.Int("context-memory", session.DefaultContextMB, "with --track contexts: memory that contexts may take in the program, in `MB`; beyond it allocations are known by their sites alone")
	completeFlag(cmd, "context-memory", nil)
	snapshots := flags.String("snapshots", session.DefaultSnapshots.String(), "write counts to the recording every `INTERVAL`: a time, e.g. 100ms, or bytecodes that a thread executes, e.g. 1000000bc")
	completeFlag(cmd, "snapshots", []string{"100ms", "1s", "1000000bc"})
	onSnapshot := flags.String("on-snapshot", "", "call this `CLASS` of the program's class path at snapshots (see \"mallard help apijar\"); counters then stay where they were placed at first")
	completeFlag(cmd, "on-snapshot", nil)
	jni := flags.Bool("jni", false, "count what native methods make as well, where they are called (see \"mallard help tracks\")")
	bytecodes := flags.Bool("bytecodes", false, "count executed bytecodes as well (see \"mallard help tracks\")")
	noAdapt := flags.Bool("no-adapt", false, "leave counters where they were placed at first")
	noCache := flags.Bool("no-cache", false, "instrument every class anew instead of keeping instrumented classes for the next run")
	adaptSoon := flags.Bool("adapt-soon", false, "for tests: place every counter again while the program runs")
	flags.MarkHidden("adapt-soon")
	quiet := flags.BoolP("quiet", "q", false, "say nothing unless something fails")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *output == "" {
			return usagef("-o: name the recording")
		}
		if err := checkTrack(*track); err != nil {
			return err
		}
		if *contexts <= 0 {
			return usagef("--context-memory %d: a number of MB, more than 0", *contexts)
		}
		var interval session.Interval
		if cmd.Flags().Changed("snapshots") {
			var err error
			if interval, err = session.ParseSnapshots(*snapshots); err != nil {
				return usagef("--snapshots %s: %v", *snapshots, err)
			}
		}
		code, err := p.Session.Run(cmd.Context(), launch.Options{
			Command: args,
			Output:  *output,
			Force:   *force,
			Quiet:   *quiet,
			Stdin:   p.Stdin,
			Stdout:  p.Stdout,
			Stderr:  p.Stderr,
			Record: session.Options{
				Track:      *track,
				Placement:  where.value,
				Contexts:   shape.value,
				ContextMB:  *contexts,
				Snapshots:  interval,
				Bytecodes:  *bytecodes,
				JNI:        *jni,
				NoAdapt:    *noAdapt,
				NoCache:    *noCache,
				AdaptSoon:  *adaptSoon,
				OnSnapshot: *onSnapshot,
				Version:    buildVersion(),
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

// checkTrack accepts observers that there are.
func checkTrack(track []string) error {
	choices := strings.Join(session.Observers, ", ")
	if len(track) == 0 {
		return usagef("--track: name at least one of %s", choices)
	}
	for _, name := range track {
		if !slices.Contains(session.Observers, name) {
			return usagef("--track %s: choose from %s", name, choices)
		}
	}
	return nil
}

package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mallard/internal/export"
	"mallard/internal/profile"
)

func (p *program) infoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Print what was recorded, and what is missing",
		Long: `Print facts about a recording: the program and its JVM, how long it ran, what
was skipped and why, what was lost, what counting cost, and how the counted
bytes compare with what the JVM says its threads allocated.

An increment is any update of profiling state in memory by the program. The number
that one counter per site would have needed is given beside it.

The JVM counts the bytes of each thread's objects itself, without the unused ends of
allocation buffers. The difference is given by cause (by_cause in JSON):

  escape_analysis  counted, but removed by the compiler
  vm_start         allocated by the JVM before the first bytecode ran
  vm_threads       allocated by threads without counters of their own
  unattributed     no allocation site known

  jvm_bytes = mallard_bytes - escape_analysis + vm_start + vm_threads
              + unattributed

vm_start and vm_threads are measured. The other two are what remains of each thread,
one of them per thread, and are therefore lower bounds: bytes that escape analysis
removed in a thread hide as many bytes without a site. With escape analysis switched
off (-XX:-DoEscapeAnalysis) they are exact. Boxes of numbers that C2 removes by itself
(EliminateAutoBox) are counted in any case.

What the JVM allocates for its classes, and for threads of its own, is counted, in
rows of a class (JVM). Which threads allocated it is not known: it is taken from those
with the most bytes without a site. Of what is for classes only mirrors and locks are
counted with ZGC and Shenandoah; the rest, and without a last snapshot all of it, is
unattributed. Names of classes that the JVM asks class loaders for are made at
loadClass, what it makes to link in MethodHandleNatives.

Where more than 1 % of the bytes that a thread allocated, or of all, have no
site, and these are more than 1 MB, that is a loss (unattributed).

--check compares the counts with a second figure, for recordings that were made
with --track constructors: as many objects of a class were made in a context as
its constructors were called there, less the calls of this() and super(). It is
printed for types and for contexts where the two differ, with a reason for each
object, +  where the rule has it and the counts do not (reasons in JSON,
which has all types, and all contexts that differ, with stacks as in reports):

` + reasonsHelp() + `

Arrays have no constructors and are not compared.`,
		Example: `  mallard info app.mallard
  mallard info app.mallard --format json`,
		Args:        oneRecording,
		Annotations: firstIsRecording,
	}
	format := addChoice(cmd, "format", "form of the answer",
		infoFormat{"text", (*export.Info).Text},
		infoFormat{"json", (*export.Info).JSON})
	check := cmd.Flags().Bool("check", false, "compare the counts with those that calls of constructors give")
	p.bound.addFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *check {
			return p.check(args[0], format.word)
		}
		recording, err := p.open(args[0])
		if err != nil {
			return err
		}
		info := &export.Info{File: recording.name, Size: recording.info.Size(), Profile: recording.profile}
		return p.print(func(w io.Writer) error { return format.value(info, w) })
	}
	return cmd
}

// infoFormat is a form of info's answer.
type infoFormat = option[func(*export.Info, io.Writer) error]

// check compares the counts of a recording with the constructor rule.
func (p *program) check(name, format string) error {
	check := &export.Check{File: name}
	recording, err := p.openWith(name, func(r io.Reader) (folded *profile.Profile, err error) {
		folded, check.Check, err = profile.FoldChecked(r)
		return folded, err
	})
	if err != nil {
		return err
	}
	check.Profile = recording.profile
	if format == "json" {
		return p.print(check.JSON)
	}
	return p.print(check.Text)
}

// reasonsHelp lists the reasons for differences.
func reasonsHelp() string {
	var b strings.Builder
	for r := range profile.Reason(len(profile.ReasonCounts{})) {
		fmt.Fprintf(&b, "  %-24s  %s\n", r, r.Text())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

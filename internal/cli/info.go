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
		Long: `Print facts about a recording: the program and its JVM, how long it ran, what was
skipped and why, what was lost, what counting cost, and how the counted bytes compare
with the JVM's own figures for its threads.

An increment is any update of profiling state in memory by the program. The number that
one counter per site would have needed is printed next to it.

The JVM counts the bytes of each thread's objects itself, without the unused ends of
allocation buffers. The difference to the counted bytes is split by cause (by_cause in
JSON):

  escape_analysis  counted, but removed by the compiler
  vm_start         allocated by the JVM before the first bytecode ran
  vm_threads       allocated by threads without counters of their own
  unattributed     no allocation site known

  jvm_bytes = mallard_bytes - escape_analysis + vm_start + vm_threads
              + unattributed

vm_start and vm_threads are measured. The other two are each thread's remainder, which
is counted as one or the other. They are lower bounds, since in one thread bytes that
escape analysis removed and bytes without a site cancel out. With escape analysis
switched off (-XX:-DoEscapeAnalysis) they are exact. Boxes of numbers that C2 removes
on its own (EliminateAutoBox) are counted in any case.

What the JVM allocates for its classes and its own threads is counted in rows of a class
(JVM). It is not known which threads allocated it, so it is deducted from those with the
most bytes without a site. With ZGC and Shenandoah only mirrors and locks of classes are
counted; the rest, and without a last snapshot everything, is unattributed. Class names
that the JVM passes to class loaders are counted at loadClass, what it makes for linking
in MethodHandleNatives.

If more than 1 % of the bytes of a thread, or of all bytes, have no site, and these are
more than 1 MB, that is a loss (unattributed).

--check compares the counts with a second figure, in recordings made with --track
constructors: in each context, as many objects of a class were made as its constructors
were called there, without calls of this() and super(). Types and contexts where the two
differ are printed, with a reason for each object; + means that the constructors have it
and the counts do not. JSON has the reasons, all types, and all contexts that differ,
with stacks as in reports. Where an exception can come between new and the constructor,
nobody knows how many objects are to be without one; among the others, which are told
(certain), one that was counted too often is found. Reasons:

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

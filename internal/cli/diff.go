package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mallard/internal/diff"
	"mallard/internal/export"
	"mallard/internal/profile"
)

// diffFormat is a form of differences.
type diffFormat = option[func(*export.DiffReport, io.Writer) error]

// diffHTML is the word for the page, whose rows are others.
const diffHTML = "html"

// diffShare is the share of the whole, percent, below which changes are not listed for a reader.
const diffShare = 0.1

func (p *program) diffCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff A B | diff A1 A2 A3 -- B1 B2 B3",
		Short: "Print what two recordings, or several of each side, allocated differently",
		Long: `Print what changed from one recording to another: the program before and after a
change, or with two inputs. The largest change comes first.

Rows, --by and filters are those of "mallard report". Rows are matched even if lines
have moved, and whatever numbers compilers and the JVM give to lambdas, anonymous and
generated classes; a row that was matched in this way shows what A calls it, after a ~.
A class with the same sites in A and B is taken to be unchanged. A method that was
renamed, or has other parameters, is gone and new. A site that exists in both, but
allocated in only one of them, began or ended.

With several recordings of each side (A's before --, B's after it) amounts are means,
and noise is known: a change counts if it exceeds the spread (largest minus smallest)
of A plus that of B, or twice that where a side has fewer than four recordings. A side
with one recording is taken to have the spread of the other. Rows within the noise are
not listed, but counted and summed up; so are changes below --min of the whole. --all
lists all rows.

--per divides amounts by the work that each recording did: by the seconds that the
program ran; by the transactions that it began, not counting those inside others
("mallard help transactions"; with --transaction those of one name); or by numbers of
your own, one for both sides or one for each.

--format html is a flame graph by context, or by site if a side has no contexts. The
width of a frame is what it has on the side that has more; red is what B has more, blue
what it has less. "mallard help formats" describes JSON and CSV.`,
		Example: `  mallard diff before.mallard after.mallard
  mallard diff --by class --sort objects before.mallard after.mallard
  mallard diff --per second --min 1 before.mallard after.mallard
  mallard diff --per 1000,1200 --by method before.mallard after.mallard
  mallard diff --format html -o diff.html before.mallard after.mallard
  mallard diff a1.mallard a2.mallard a3.mallard -- b1.mallard b2.mallard b3.mallard`,
		Annotations: allAreRecordings,
		Args: func(cmd *cobra.Command, args []string) error {
			_, _, err := sidesOf(cmd, args)
			return err
		},
	}
	flags := cmd.Flags()
	by := addBy(cmd)
	sort := addChoice(cmd, "sort", "sort rows by the change of this, largest first", sorts...)
	per := perFlag{}
	flags.Var(&per, "per", "divide by what each side did: second, transaction (or request), or a number, e.g. 1000, "+
		"or one for each side, e.g. 1000,1200")
	completeFlag(cmd, "per", []string{"second", "transaction", "request"})
	format := addChoice(cmd, "format", "form of the answer",
		diffFormat{"text", (*export.DiffReport).Text},
		diffFormat{"json", (*export.DiffReport).JSON},
		diffFormat{"csv", (*export.DiffReport).CSV},
		diffFormat{word: diffHTML})
	top := flags.Int("top", 0, fmt.Sprintf("print the first `N` rows, 0 for all (default %d in text, else all)",
		textRows))
	minimum := percentage(0)
	flags.Var(&minimum, "min", fmt.Sprintf("leave out changes below this `PERCENT` of the whole; in html combine "+
		"smaller frames (default %g in text and html, else 0)", diffShare))
	all := flags.Bool("all", false, "list all rows: within the noise, below --min, unchanged")
	own := flags.String("mine", "", "lines of your own code, which is these `CLASSES`, e.g. 'org.foo.*', or auto; "+
		"with --by context or html all other code is folded")
	completeFlag(cmd, "top", nil)
	completeFlag(cmd, "min", nil)
	completeFlag(cmd, "mine", []string{mineAuto})
	destination := addDestination(cmd)
	filter := addFilters(cmd)
	span := addSpan(cmd, "allocated", snapshotBounds)
	p.bound.addFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		page := format.word == diffHTML
		if *own != "" && !page && !flags.Changed("by") {
			by.value = profile.ByCaller
		}
		switch {
		case per.unit == perTransaction && filter.Thread != "":
			return usagef("--per transaction cannot be combined with --thread: transactions are counted for all " +
				"threads together")
		case *top < 0:
			return usagef("--top: %d is not a number of rows, 0 or more", *top)
		case page && (flags.Changed("by") || flags.Changed("top") || *all):
			return usagef("--format html has all rows, by context or by site: --by, --top and --all need another form")
		case *own != "" && !page && by.value != profile.ByCaller && by.value != profile.ByContext:
			return usagef("--mine needs --by caller or context, or --format html")
		}
		if !flags.Changed("top") && format.word == "text" {
			*top = textRows
		}
		if !flags.Changed("min") && (page || format.word == "text") {
			minimum = diffShare
		}
		if err := span.check(); err != nil {
			return err
		}
		output, err := destination.name(p, format.word, args[0])
		if err != nil {
			return err
		}
		before, after, err := sidesOf(cmd, args)
		if err != nil {
			return err
		}
		d := differing{program: p}
		if err := d.open(before, after, span); err != nil {
			return err
		}
		if page && d.haveContexts() == nil {
			by.value = profile.ByContext
		}
		if by.value == profile.ByContext || by.value == profile.ByTransaction || asksForContexts(filter) {
			if err := d.haveContexts(); err != nil {
				return err
			}
		}
		mine := d.recordings[0].mine(*own)
		if mine == nil && by.value == profile.ByCaller {
			mine = d.recordings[len(d.recordings)-1].profile.GuessMine()
		}
		none := d.checkFilter(filter)
		if none == nil && mine != nil {
			none = d.unlessOne(func(r *recording) error { return r.checkMine(mine) })
		}
		if none != nil && (page || format.word == "text") {
			return none
		}
		if err := d.divide(&per, filter.Transaction); err != nil {
			return err
		}
		d.report.Answer = diff.Compare(&d.report.A.Side, &d.report.B.Side, diff.Query{
			Query: profile.Query{By: by.value, Sort: sort.value, Top: *top, Filter: *filter, Mine: mine},
			Min:   float64(minimum), All: *all || page})
		err = destination.write(p, output, func(w io.Writer) error {
			if page {
				return d.report.Page(w, float64(minimum))
			}
			return format.value(&d.report, w)
		}, d.recordings...)
		return cmp.Or(err, none)
	}
	return cmd
}

// sidesOf divides the arguments: two, or those before -- and those behind it.
func sidesOf(cmd *cobra.Command, args []string) (a, b []string, err error) {
	dash := cmd.ArgsLenAtDash()
	switch {
	case dash > 0:
		for _, name := range args[dash:] {
			if strings.HasPrefix(name, "-") && name != stdoutName {
				return nil, nil, usagef("%s: flags stand before --, the recordings of B behind it", name)
			}
		}
		if dash == len(args) {
			return nil, nil, usagef("missing argument: recordings of B behind --")
		}
		return args[:dash], args[dash:], nil
	case len(args) == 2:
		return args[:1], args[1:], nil
	case len(args) < 2:
		return nil, nil, usagef("expected two recording files; usage: %s A B", cmd.CommandPath())
	}
	return nil, nil, usagef("%d recording files: which are A, which B? usage: %s A1 A2 A3 -- B1 B2 B3", len(args),
		cmd.CommandPath())
}

// differing is two sides on their way to a report.
type differing struct {
	*program
	recordings []*recording // those of A first
	report     export.DiffReport
}

// open reads the recordings.
func (d *differing) open(before, after []string, span *spanFlags) error {
	d.expectAlso(slices.Concat(before, after)[1:])
	for i, side := range []*export.DiffSide{&d.report.A, &d.report.B} {
		side.Files = [][]string{before, after}[i]
		for _, name := range side.Files {
			r, err := d.openWithin(name, span, nil)
			if err != nil {
				return err
			}
			d.recordings = append(d.recordings, r)
			side.Recordings = append(side.Recordings, r.profile)
		}
	}
	return nil
}

// unlessOne gives the first recording's complaint where all have one.
func (d *differing) unlessOne(check func(*recording) error) (first error) {
	for _, r := range d.recordings {
		err := check(r)
		if err == nil {
			return nil
		}
		first = cmp.Or(first, err)
	}
	return first
}

func (d *differing) checkFilter(f *profile.Filter) error {
	return d.unlessOne(func(r *recording) error { return r.checkFilter(f) })
}

// haveContexts refuses questions about contexts where a recording has none.
func (d *differing) haveContexts() error {
	for _, r := range d.recordings {
		if err := hasContexts(r); err != nil {
			return err
		}
	}
	return nil
}

// divide finds out how many units each recording ran.
func (d *differing) divide(per *perFlag, transactions string) error {
	if per.unit == "" {
		return nil
	}
	d.report.Unit = per.unit
	for i, side := range []*export.DiffSide{&d.report.A, &d.report.B} {
		for k, p := range side.Recordings {
			units, what := per.numbers[i], "the program did not run"
			switch per.unit {
			case perSecond:
				units = p.Seconds()
			case perTransaction:
				units = float64(p.TransactionCount(transactions))
				what = `no transaction was counted ("mallard help transactions"; recordings of older versions do not ` +
					`count them); --per N takes a number`
			}
			if units <= 0 {
				return fmt.Errorf("--per %s: %s: %s", per.unit, side.Files[k], what)
			}
			side.Units = append(side.Units, units)
		}
	}
	return nil
}

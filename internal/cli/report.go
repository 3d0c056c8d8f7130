package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"mallard/internal/budget"
	"mallard/internal/export"
	"mallard/internal/observe/snapshots"
	"mallard/internal/profile"
	"mallard/internal/waste"
)

// How much a text report has unless told otherwise.
const (
	textRows    = 20
	textColumns = 6 // of a table over time
	treeNodes   = 100
	treeShare   = 1.0 // percent
	wastePlaces = 5   // of each kind
)

func (p *program) reportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report FILE...",
		Short: "Print what was allocated, by site, class, method, thread, context, element, transaction or program",
		Long: `Print what the program of a recording allocated.

A row stands for a site (a place in a method that allocates one class), for an
allocated class, for a method, for a thread, for a context (the chain of calls
that led to the site, innermost first), or for all arrays with elements of one
basic type, or of references. Objects include arrays. Bytes are those that the
objects take on the heap, headers and alignment included. Shares are in percent
of everything recorded, before filters.

--class, --method and --under take names as people write them: String, Shop.slow,
Shop and org.foo are whole parts of a name, between dots. With * a pattern stands
for a whole name ('java.util.*'), or, without a dot, for its last part (String*).
Several are separated by commas. A filter that matches nothing is an error, which
names what is most like it.

--by caller has a row for each line of your own code that led to allocations, with all
that it caused, including in methods that it called, and the part of that which no other
line of your own code caused (self); self adds up to the total. Your code is what --mine
names; by default it is the package of the main class, and what is in folders of the
class path, or in jars built with the main class's (by Maven's groups), as far as these
are still there. A line says what was assumed. Without contexts only lines that allocate
themselves are known.

--by waste lists allocations that the program may be able to avoid, by kind, with the
lines that led to them and a line of advice: exceptions with stack traces, values() of
enum classes, boxes, capturing lambdas, iterators, empty arrays, arrays that were
replaced by larger ones, copies, arrays for variable arguments, collections that stayed
empty, and strings that are concatenated in loops. An object counts for the first kind
that fits, so that sums are right; "mallard help waste" says how each is recognized.

--by transaction has a row for each transaction name, given by the program or by
"mallard run --transaction-at" ("mallard help transactions"): how many there were, how
large they were, and what they allocated, not counting transactions inside them; one row
is for what belongs to none.

Several recordings are added up, as "mallard merge" does. --by program has a row for
each JVM, in the order of the recordings.

--by method has, besides what a method itself allocates, what it and all that it called
allocated (Incl., once where it called itself), if contexts were recorded; methods that
only called have rows then, too. --sort inclusive puts the largest of these first.

--format tree prints contexts as a tree of calls, from the outside: for each
method what was allocated in it and in what it called, and how often it was
called there. Shares are in percent of what passed the filters.

--over-time prints what was allocated between snapshots, in intervals that
begin and end with one ("mallard run --snapshots" says how many there are; those
of contexts are rarer where there are many). A count that a thread had made
ahead of an allocation, or not yet, when the snapshot came is in the interval
before or behind; the sum over all intervals is exact. Where snapshots were taken
every so many bytecodes, From and To are how many the classes of the program had
executed, unless --every is a time.

--from and --to select a span of the recording. It begins and ends with the
first snapshot from the given time on, so that spans that follow each other
add up; a method that ran at either end may have counted an allocation ahead. Of a
large recording no more is read than that takes.

Where bytecodes were counted ("mallard run --bytecodes"), rows of methods, threads,
contexts and transactions, and intervals, have how many were executed, and how many
objects and bytes were allocated for 1,000 of them. A context has a row of its own for
its bytecodes.

--fail-over fails if what the filters select exceeds a limit, such as 1MB or
1000objects; after the report it says by how much, and which line allocated most.
"mallard check" checks recordings against a file of such limits.

The header names the program, the total and how much of it is shown, then filters and
losses, if any. -v adds the command line, the JVM, each loss, and classes that could not
be counted. "mallard help formats" describes JSON and CSV.`,
		Example: `  mallard report app.mallard
  mallard report app.mallard --by class --sort objects --top 10
  mallard report app.mallard --class 'byte[],Point' --thread main
  mallard report app.mallard --by method --format json
  mallard report app.mallard --by thread --format csv
  mallard report app.mallard --by element
  mallard report app.mallard --by context --only 'byte[]' --under 'demo.App.*'
  mallard report app.mallard --by caller
  mallard report app.mallard --mine 'demo.*' --format tree
  mallard report app.mallard --by waste --mine auto
  mallard report app.mallard --under demo.App.main --fail-over 1MB
  mallard report app.mallard --by transaction
  mallard report app.mallard --format tree --min 5
  mallard report a1.mallard a2.mallard a3.mallard --by program
  mallard report app.mallard --from -60s
  mallard report app.mallard --over-time --every 1s
  mallard report app.mallard --over-time --by class --top 3`,
		Args:        someRecordings,
		Annotations: allAreRecordings,
	}
	by := addBy(cmd, option[profile.By]{"program", profile.ByProgram},
		option[profile.By]{wasteWord, profile.BySite}) // of sites
	sort := addChoice(cmd, "sort", "sort rows by this, largest first",
		append(slices.Clone(sorts), option[profile.Sort]{"bytecodes", profile.SortBytecodes},
			option[profile.Sort]{"inclusive", profile.SortInclusive})...)
	format := addChoice(cmd, "format", "form of the report",
		reportFormat{"text", (*export.Report).Text},
		reportFormat{"json", (*export.Report).JSON},
		reportFormat{"csv", (*export.Report).CSV},
		reportFormat{word: "tree"})
	top := cmd.Flags().Int("top", 0, fmt.Sprintf("print the first `N` rows, 0 for all (default %d in text, all in "+
		"other formats); of a tree the N largest nodes (default %d), of each kind of waste the N largest places "+
		"(default %d)", textRows, treeNodes, wastePlaces))
	minimum := percentage(treeShare)
	cmd.Flags().Var(&minimum, "min", "of a tree: omit what is less than this `PERCENT` of it")
	completeFlag(cmd, "top", nil)
	completeFlag(cmd, "min", nil)
	overTime := cmd.Flags().Bool("over-time", false, "print when it was allocated; with --by, a column for each of "+
		"the N largest rows")
	every := cmd.Flags().String("every", "", "with --over-time: intervals of `TIME` at least, e.g. 1s, or of "+
		"bytecodes, e.g. 1000000bc, where snapshots were taken by them (default about 40 intervals)")
	completeFlag(cmd, "every", []string{"100ms", "1s", "1000000bc"})
	own := cmd.Flags().String("mine", "", "lines of your own code, which is these `CLASSES`, e.g. 'org.foo.*', or "+
		"auto; with --by context or --format tree all other code is folded")
	completeFlag(cmd, "mine", []string{mineAuto})
	failOver := cmd.Flags().String("fail-over", "", "fail with exit code 1 where what the filters choose is more than "+
		"this `LIMIT`: 1MB, 1000objects")
	completeFlag(cmd, "fail-over", []string{"1MB", "1000objects"})
	verbose := cmd.Flags().BoolP("verbose", "v", false, "print all there is to say about the numbers above them")
	filter := addFilters(cmd)
	span := addSpan(cmd, "allocated", snapshotBounds)
	p.bound.addFlag(cmd)
	asked := addQuestions(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *top < 0 {
			return usagef("--top: %d is not a number of rows, 0 or more", *top)
		}
		tree, wasted := format.word == "tree", by.word == wasteWord
		question, err := asked.chosen(cmd, "by", "sort", "top", "min", "over-time", "every", "class", "only", "method",
			"under", "transaction", "thread", "mine", "fail-over")
		if err != nil {
			return err
		}
		if *own != "" && !tree && !cmd.Flags().Changed("by") {
			by.value = profile.ByCaller
		}
		switch given := cmd.Flags().Changed; {
		case *own != "" && !tree && !wasted && by.value != profile.ByCaller && by.value != profile.ByContext:
			return usagef("--mine needs --by caller, context or waste, or --format tree")
		case *overTime && wasted:
			return usagef("--over-time cannot be combined with --by waste")
		case *overTime && (by.value == profile.ByCaller || by.value == profile.ByProgram):
			return usagef("--over-time cannot be combined with --by %s", by.word)
		case tree && given("by") && by.value != profile.ByContext:
			return usagef("--format tree needs --by context")
		case !tree && given("min"):
			return usagef("--min needs --format tree")
		case sort.value == profile.SortBytecodes && !tree && by.value != profile.ByMethod &&
			by.value != profile.ByThread && by.value != profile.ByContext && by.value != profile.ByTransaction &&
			(!*overTime || given("by")):
			return usagef("--sort bytecodes needs --by method, thread, context or transaction: sites, classes and " +
				"elements execute nothing")
		case sort.value == profile.SortInclusive && (tree || *overTime || by.value != profile.ByMethod):
			return usagef("--sort inclusive needs --by method, and a recording with contexts")
		case *overTime && (tree || by.value == profile.ByContext):
			return usagef("--over-time cannot be combined with --by context; --under, --class and --transaction " +
				"select contexts")
		case tree && question != nil:
			return usagef("--format tree needs --by context")
		case given("every") && !*overTime:
			return usagef("--every needs --over-time")
		case *overTime && !given("top") && format.word == "text":
			*top = textColumns
		case !given("top") && wasted && format.word == "text":
			*top = wastePlaces
		case !given("top"):
			*top = map[string]int{"text": textRows, "tree": treeNodes}[format.word]
		}
		var limit budget.Limit
		if *failOver != "" {
			if limit, err = budget.ParseLimit(*failOver); err != nil {
				return usagef("--fail-over: %q: %w", *failOver, err)
			}
		}
		var interval snapshots.Interval
		if cmd.Flags().Changed("every") {
			var err error
			if interval, err = snapshots.ParseInterval(*every); err != nil {
				return usagef("--every: %q is %v", *every, err)
			}
		}
		if err := span.check(); err != nil {
			return err
		}
		var events profile.Events
		switch {
		case question != nil:
			events = eventsFor(*question)
		case *overTime:
			events = eventsFor(asked.list...)
		}
		recording, err := p.openAll(args, span, events)
		if err != nil {
			return err
		}
		switch {
		case question != nil:
			err = hasTimes(recording, question.Name)
		case *overTime:
			err = hasTimes(recording, "over-time")
		}
		if err != nil {
			return err
		}
		if question != nil {
			return p.reportQuestion(recording, question, format.word, *verbose)
		}
		if sort.value == profile.SortBytecodes && !recording.profile.Bytecodes {
			return fmt.Errorf(`%s was recorded without bytecodes; "mallard run --bytecodes" counts them`,
				recording.name)
		}
		if interval.Bytecodes > 0 && recording.profile.ProgramBytecodes == 0 {
			return fmt.Errorf(`%s has snapshots by time; "mallard run --snapshots 1000000bc" takes them by bytecodes`,
				recording.name)
		}
		if tree || by.value == profile.ByContext || by.value == profile.ByTransaction || asksForContexts(filter) ||
			sort.value == profile.SortInclusive {
			if err := hasContexts(recording); err != nil {
				return err
			}
		}
		none := recording.checkFilter(filter)
		if none == nil {
			p.sayUnmatched(recording, filter)
		}
		mine := recording.mine(*own)
		if mine == nil && by.value == profile.ByCaller {
			mine = recording.profile.GuessMine()
		}
		if mine != nil && none == nil {
			none = recording.checkMine(mine)
		}
		if none != nil && (tree || format.word == "text") {
			return none
		}
		if *failOver != "" && none == nil { // what is said behind the report
			rule := budget.Rule{Limit: limit, Filter: *filter}
			if wasted {
				rule.Waste = budget.AllWaste
			}
			none = recording.failOver(rule, mine)
		}
		if tree {
			report := &export.TreeReport{
				File: recording.name, Profile: recording.profile, Verbose: *verbose,
				Tree: recording.profile.Tree(profile.TreeQuery{Filter: *filter, Mine: mine,
					Bytecodes: sort.value == profile.SortBytecodes}),
				Filter: *filter, Mine: mine, Sort: sort.value, Top: *top, Min: float64(minimum),
			}
			return cmp.Or(p.print(report.Text), none)
		}
		if *overTime {
			query := profile.Query{By: by.value, Sort: sort.value, Top: *top, Filter: *filter}
			return cmp.Or(p.reportOverTime(recording, profile.TimeQuery{Every: interval.Time,
				EveryBytecodes: interval.Bytecodes, Parts: cmd.Flags().Changed("by"), Query: query}, format.word,
				*verbose), none)
		}
		if wasted {
			query := waste.Query{Filter: *filter, Mine: mine, Sort: sort.value, Top: *top}
			return cmp.Or(p.reportWaste(recording, query, format.word, *verbose), none)
		}
		query := profile.Query{By: by.value, Sort: sort.value, Top: *top, Filter: *filter, Mine: mine, Inclusive: true}
		report := &export.Report{File: recording.name, Profile: recording.profile,
			Answer: recording.profile.Rows(query), Verbose: *verbose}
		return cmp.Or(p.print(func(w io.Writer) error { return format.value(report, w) }), none)
	}
	return cmd
}

// addBy adds the flag that says what rows stand for: what all commands know, and more.
func addBy(cmd *cobra.Command, more ...option[profile.By]) *choice[profile.By] {
	return addChoice(cmd, "by", "what a row stands for", append([]option[profile.By]{
		{"site", profile.BySite},
		{"class", profile.ByClass},
		{"method", profile.ByMethod},
		{"thread", profile.ByThread},
		{"context", profile.ByContext},
		{"element", profile.ByElement},
		{"transaction", profile.ByTransaction},
		{"caller", profile.ByCaller},
	}, more...)...)
}

// reportFormat is a form of reports.
type reportFormat = option[func(*export.Report, io.Writer) error]

// sorts are the words for what is counted.
var sorts = []option[profile.Sort]{{"bytes", profile.SortBytes}, {"objects", profile.SortObjects}}

package cli

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mallard/internal/export"
	"mallard/internal/heap"
)

// heapQuestion is a flag for what is asked of all of a recording.
type heapQuestion struct {
	flag, help string
	rows       heapRows
	part       bool // a part of the recording answers it
	span       bool // --from and --to may say of what
	answer     func(*program, *heapRecording, heap.Query) (*export.HeapReport, error)
	// of a moment, an index in Pauses, in place of answer: --at says which, or, if that is not given, unless, where it
	// is not nil
	moment func(*heapRecording, int, heap.Query) (*export.HeapReport, error)
	unless func(*heap.History) (int, error)
	// of the last references that are recorded by a time, in place of answer; --at says which
	references func(*program, *heapRecording, time.Duration, heap.Query) (*export.HeapReport, error)
	names      bool // classes of one name are one, unless --by says loader
}

// heapRows says what rows of a question stand for.
type heapRows uint8

const (
	classRows     heapRows = iota // classes; --by may say site
	timeRows                      // moments, in order; all are printed
	nameRows                      // classes as sites name them; --by may say site
	referenceRows                 // of what is alive
	mapRows                       // places, in order
	otherRows
)

var heapQuestions = []heapQuestion{
	{flag: "objects", help: "list single objects, the largest first (run --each-object)",
		rows: classRows, moment: heapObjects},
	{flag: "map", help: "print what is where, by space, and with G1 by old region",
		rows: mapRows, part: true, moment: heapMap},
	{flag: "premature", help: "print what was promoted and soon found dead, by class (run --each-object)",
		rows: classRows, answer: heapPremature},
	{flag: "collections", help: "print what each collection did: born before it, died, promoted, survived, held",
		rows: timeRows, part: true, span: true, answer: heapCollections},
	{flag: "moved", help: "print what survived a collection, by class: what makes it expensive",
		rows: classRows, part: true, moment: heapMoved, unless: (*heap.History).Dearest},
	{flag: "lifetimes", help: "print how many collections objects survive, by class",
		rows: classRows, span: true, answer: heapLifetimes},
	{flag: "churn", help: "print what the first collection found dead, by class",
		rows: classRows, answer: heapChurn},
	{flag: "growth", help: "print how fast the heap after collections grows, by class",
		rows: classRows, answer: heapGrowth, names: true},
	{flag: "removed", help: "print what compilers removed, by class or site: counted, but never on the heap",
		rows: nameRows, answer: heapRemoved},
	{flag: retainedFlag, help: "print what each class keeps alive: what would be free without its objects",
		rows: referenceRows, references: heapRetained},
	{flag: "dominators", help: "print what single objects keep alive",
		rows: referenceRows, references: heapDominators},
	{flag: pathsFlag, help: "print what keeps the objects of a `CLASS` alive",
		rows: referenceRows, references: heapPaths},
	{flag: "check", help: "print what does not add up; fail if there is anything",
		rows: otherRows, answer: heapCheck},
}

// pathsFlag is the question whose value is a pattern of classes; the others have none.
const (
	pathsFlag    = "paths"
	retainedFlag = "retained"
)

// addHeapQuestions adds the flags.
func addHeapQuestions(flags *pflag.FlagSet) {
	for _, q := range heapQuestions {
		if q.flag == pathsFlag {
			flags.String(q.flag, "", q.help)
		} else {
			flags.Bool(q.flag, false, q.help)
		}
	}
}

// isAsked reports whether a question is.
func (q *heapQuestion) isAsked(flags *pflag.FlagSet) bool {
	if q.flag == pathsFlag {
		return flags.Changed(q.flag)
	}
	asked, _ := flags.GetBool(q.flag)
	return asked
}

// chosenHeapQuestion gives the question that is asked, nil for those about moments.
func chosenHeapQuestion(cmd *cobra.Command, by []heap.By) (chosen *heapQuestion, err error) {
	flags := cmd.Flags()
	for i, q := range heapQuestions {
		switch asked := q.isAsked(flags); {
		case asked && chosen != nil:
			return nil, usagef("--%s and --%s cannot be combined", chosen.flag, q.flag)
		case asked:
			chosen = &heapQuestions[i]
		}
	}
	if span := flags.Changed("from") || flags.Changed("to"); span && (chosen == nil || !chosen.span) {
		return nil, usagef("--from and --to need --collections or --lifetimes")
	}
	if chosen == nil {
		if flags.Changed("at") && flags.Changed("diff") {
			return nil, usagef("--at and --diff cannot be combined")
		}
		return nil, nil
	}
	others := []string{"diff"}
	if chosen.answer != nil {
		others = append(others, "at")
	} else if chosen.moment != nil && chosen.unless == nil {
		others = append(others, "sort")
	}
	if chosen.rows != classRows && chosen.rows != referenceRows && chosen.rows != nameRows {
		others = append(others, "by")
	}
	if chosen.rows == otherRows || chosen.rows == mapRows {
		others = append(others, "sort", "class")
	}
	if chosen.flag == pathsFlag {
		others = append(others, "class")
	}
	for _, other := range others {
		if flags.Changed(other) {
			return nil, usagef("--%s cannot be combined with --%s", other, chosen.flag)
		}
	}
	for _, b := range by {
		if !b.OfClass() {
			return nil, usagef("--by %s cannot be combined with --%s, whose rows are classes", b, chosen.flag)
		}
		if chosen.rows == nameRows && b != heap.ByClass && b != heap.BySite {
			return nil, usagef("--by %s cannot be combined with --%s, whose rows are classes or sites", b, chosen.flag)
		}
	}
	return chosen, nil
}

// at answers a question about a moment, which may be given.
func (q *heapQuestion) at(when moment, given bool, r *heapRecording, query heap.Query) (*export.HeapReport, error) {
	i, err := when.in(r.history, clockOf(r.profile))
	if !given && q.unless != nil {
		i, err = q.unless(r.history)
	}
	if err != nil {
		return nil, err
	}
	return q.moment(r, i, query)
}

// by answers a question about references that are recorded by a moment.
func (q *heapQuestion) by(p *program, when moment, r *heapRecording, query heap.Query) (*export.HeapReport, error) {
	until, err := when.time(r.history, clockOf(r.profile))
	if err != nil {
		return nil, err
	}
	return q.references(p, r, until, query)
}

func heapObjects(r *heapRecording, at int, q heap.Query) (*export.HeapReport, error) {
	r.beginSingles()
	answer, err := r.history.Objects(at, q)
	if err != nil {
		return nil, err
	}
	return export.NewObjectsReport(r.name, r.profile, r.history, answer), nil
}

func heapMap(r *heapRecording, at int, q heap.Query) (*export.HeapReport, error) {
	return export.NewHeapMapReport(r.name, r.profile, r.history, at, q), nil
}

func heapMoved(r *heapRecording, at int, q heap.Query) (*export.HeapReport, error) {
	answer, err := r.history.Moved(at, q)
	if err != nil {
		return nil, err
	}
	if r.part {
		answer.Alone()
	}
	return export.NewMovedReport(r.name, r.profile, r.history, answer, r.causes.Of(r.history, at)), nil
}

func heapPremature(_ *program, r *heapRecording, q heap.Query) (*export.HeapReport, error) {
	r.beginSingles()
	answer, err := r.history.Premature(q)
	if err != nil {
		return nil, err
	}
	return export.NewPrematureReport(r.name, r.profile, r.history, answer), nil
}

func heapCollections(_ *program, r *heapRecording, q heap.Query) (*export.HeapReport, error) {
	return export.NewCollectionsReport(r.name, r.profile, r.history, r.history.Collections(q)), nil
}

func heapLifetimes(_ *program, r *heapRecording, q heap.Query) (*export.HeapReport, error) {
	if r.history.HasSingles() {
		r.beginSingles()
		answer, err := r.history.Ages(q)
		if err != nil {
			return nil, err
		}
		return export.NewAgesReport(r.name, r.profile, r.history, answer), nil
	}
	return export.NewLifetimesReport(r.name, r.profile, r.history, r.history.Lifetimes(q)), nil
}

func heapChurn(_ *program, r *heapRecording, q heap.Query) (*export.HeapReport, error) {
	return export.NewChurnReport(r.name, r.profile, r.history, r.history.Churn(q)), nil
}

func heapGrowth(_ *program, r *heapRecording, q heap.Query) (*export.HeapReport, error) {
	answer, err := r.history.Growth(q)
	if err != nil {
		return nil, err
	}
	return export.NewGrowthReport(r.name, r.profile, r.history, answer), nil
}

func heapRemoved(_ *program, r *heapRecording, q heap.Query) (*export.HeapReport, error) {
	answer, err := r.history.Removed(r.profile, q)
	if err != nil {
		return nil, err
	}
	return export.NewRemovedReport(r.name, r.profile, r.history, answer), nil
}

func heapCheck(p *program, r *heapRecording, q heap.Query) (*export.HeapReport, error) {
	r.beginSingles()
	answer := r.history.Check(r.profile.Process.Feature())
	if len(answer.Violations) > 0 {
		p.exitCode = exitFailure
	}
	return export.NewHeapCheckReport(r.name, r.profile, r.history, answer, q.Top), nil
}

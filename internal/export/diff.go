package export

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"mallard/internal/diff"
	"mallard/internal/profile"
	"mallard/internal/symbols"
)

// DiffReport is what changed between two sides, ready to be written:
//
//	A           3 recordings, a1.mallard and others: demo.Main, OpenJDK 64-Bit Server VM 17.0.15, G1, ran 3.0 to 3.2 s
//	B           3 recordings, b1.mallard and others: demo.Main, OpenJDK 64-Bit Server VM 17.0.15, G1, ran 3.1 to 3.3 s
//	Total       A 40 objects, 960 bytes; B 70 objects, 1,680 bytes: +30 objects, +720 bytes (+75.0 %)
//	Noise       …
//	Showing     1 of 1 site that changed, sorted by change of bytes
//	            besides 2 sites within the noise: 0 objects, +16 bytes
//
//	+Bytes  +Bytes%  A bytes  B bytes  Noise  +Objects  A objects  B objects  Class       Site
//	  +720    +75.0      960    1,680      0       +30         40         70  demo.Point  Main.a(Main.java:9) ~ line 7
type DiffReport struct {
	A, B   DiffSide
	Answer *diff.Answer
	Unit   string // that amounts are divided by: second, transaction, 1,000; empty for none
}

// DiffSide is a side, and what the user called its recordings.
type DiffSide struct {
	diff.Side
	Files []string
}

func (s *DiffSide) first() *profile.Profile { return s.Recordings[0] }

// hasNoise reports whether it is known what is noise.
func (r *DiffReport) hasNoise() bool { return len(r.A.Recordings) > 1 || len(r.B.Recordings) > 1 }

// Text writes the report for a reader.
func (r *DiffReport) Text(w io.Writer) error {
	var f facts
	f.add("A", r.A.text())
	f.add("B", r.B.text())
	if warnings := r.warnings(); len(warnings) > 0 {
		f.add("Different", warnings...)
	}
	f.add("Total", r.totalText(&r.Answer.Total))
	if filter := r.Answer.Query.Filter; !filter.IsZero() {
		f.add("Filter", filterText(filter)+": "+r.totalText(&r.Answer.Selected))
	}
	if r.Unit != "" {
		f.add("Unit", r.unitText())
	}
	f.add("Noise", r.noiseText())
	f.add("Showing", r.rowsText()...)
	if kinds := r.lossKinds(); len(kinds) > 0 {
		f.add("Losses", strings.Join(kinds, ", "))
	}
	if err := f.writeTo(w); err != nil {
		return err
	}
	return r.columns().writeTo(w)
}

// text says what a side is.
func (s *DiffSide) text() string {
	p := s.first()
	var parts []string
	if p.Process != nil {
		parts = append(parts, cmp.Or(programText(p.Process.Command), s.Files[0]),
			p.Process.JVMName+" "+p.Process.JVMVersion)
		if p.Process.GC != "" {
			parts = append(parts, p.Process.GC)
		}
	}
	if n := len(s.Recordings); n > 1 {
		least, most := p.Duration, p.Duration
		for _, p := range s.Recordings {
			least, most = min(least, p.Duration), max(most, p.Duration)
		}
		ran := seconds(most)
		if seconds(least) != ran {
			ran = strings.TrimSuffix(seconds(least), " s") + " to " + ran
		}
		return fmt.Sprintf("%d recordings, %s and others: %s", n, s.Files[0], strings.Join(append(parts, "ran "+ran),
			", "))
	}
	parts = append(parts, whenText(p))
	if p.Span != nil {
		parts = append(parts, fmt.Sprintf("of that %s to %s", seconds(p.Span.From), seconds(p.Span.To)))
	}
	return s.Files[0] + ": " + strings.Join(parts, ", ")
}

// warnings name what makes the sides different besides what they allocated.
func (r *DiffReport) warnings() (lines []string) {
	a, b := r.A.first().Process, r.B.first().Process
	if a == nil || b == nil {
		return nil
	}
	differ := func(what, a, b string) {
		if a != b {
			lines = append(lines, fmt.Sprintf("%s: A %s, B %s", what, cmp.Or(a, unknown), cmp.Or(b, unknown)))
		}
	}
	mainOf := func(command []string) string {
		main, _ := profile.MainProgram(command)
		return main
	}
	differ("program", mainOf(a.Command), mainOf(b.Command))
	differ("JVM", a.JVMName+" "+a.JVMVersion, b.JVMName+" "+b.JVMVersion)
	differ("collector", a.GC, b.GC)
	tracks := len(lines)
	differ("recorded", trackText(a.Track), trackText(b.Track))
	if len(lines) > tracks {
		lines[tracks] += "; what both have is compared"
	}
	for _, side := range []*DiffSide{&r.A, &r.B} {
		for i, p := range side.Recordings[1:] {
			if p.Process != nil && mainOf(p.Process.Command) != mainOf(side.first().Process.Command) {
				lines = append(lines, side.Files[i+1]+" is of another program than "+side.Files[0])
			}
		}
	}
	return lines
}

// trackText names what was recorded, not how.
func trackText(track []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(track), func(t string) bool { return t == "hashed" }), ", ")
}

func (r *DiffReport) totalText(total *diff.Row) string {
	side := func(objects, bytes float64) string {
		return fmt.Sprintf("%s objects, %s bytes", mean(objects), mean(bytes))
	}
	o, b := &total.Objects, &total.Bytes
	return fmt.Sprintf("A %s; B %s: %s objects, %s bytes (%s)", side(o.A, b.A), side(o.B, b.B),
		signedMean(o.Change()), signedMean(b.Change()), changePercent(b)+" %")
}

// unitText says what amounts are divided by.
func (r *DiffReport) unitText() string {
	units := func(s *DiffSide) string {
		var list []string
		for _, u := range s.Units {
			list = append(list, mean(u))
		}
		return strings.Join(list, ", ")
	}
	noun := map[string]string{"second": ", of which the programs ran", "transaction": ", of which there were",
		"unit": ", of which there were"}[r.Unit]
	return fmt.Sprintf("per %s%s: A %s, B %s", r.Unit, noun, units(&r.A), units(&r.B))
}

// noiseText says what counts as a change.
func (r *DiffReport) noiseText() string {
	if !r.hasNoise() {
		return "unknown with one recording of each side: mallard diff A1 A2 A3 -- B1 B2 B3"
	}
	text := "a change counts beyond the spread of A (largest less smallest) plus that of B"
	if min(len(r.A.Recordings), len(r.B.Recordings)) < diff.Few {
		text += ", doubled: a side has fewer than four recordings"
	}
	return text
}

// rowsText says which rows follow, and which do not.
func (r *DiffReport) rowsText() (lines []string) {
	a := r.Answer
	noun := rowNouns[a.Query.By]
	what := " that changed"
	if a.Query.All {
		what = ""
	}
	lines = append(lines, fmt.Sprintf("%s of %s%s, sorted by change of %s", grouped(int64(len(a.Rows))),
		counted(int64(a.Count), noun), what, a.Query.Sort))
	rest := func(rest diff.Rest, why string) {
		if rest.Count > 0 {
			lines = append(lines, fmt.Sprintf("besides %s %s: %s objects, %s bytes", counted(int64(rest.Count), noun),
				why, signedMean(rest.Objects.Change()), signedMean(rest.Bytes.Change())))
		}
	}
	rest(a.Noise, "within the noise")
	rest(a.Small, fmt.Sprintf("that changed by less than %g %% of the whole", a.Query.Min))
	if mine := a.Query.Mine; mine != nil {
		head := Report{Profile: r.A.first(), Answer: &profile.Answer{Query: a.Query.Query}}
		lines = append(lines, head.mineLines()...)
	}
	return lines
}

func (r *DiffReport) lossKinds() (kinds []string) {
	for _, side := range []*DiffSide{&r.A, &r.B} {
		for i, p := range side.Recordings {
			for _, loss := range p.Losses {
				if kind := loss.Kind + " of " + side.Files[i]; !slices.Contains(kinds, kind) {
					kinds = append(kinds, kind)
				}
			}
		}
	}
	return kinds
}

// columns are what changed, then what it is.
func (r *DiffReport) columns() table {
	a := r.Answer
	unit := map[string]string{"": "", "second": "/s", "transaction": "/tx"}[r.Unit]
	if r.Unit != "" && unit == "" {
		unit = "/" + strings.ReplaceAll(r.Unit, ",", "")
	}
	measures := []profile.Sort{profile.SortBytes, profile.SortObjects}
	if a.Query.Sort == profile.SortObjects {
		slices.Reverse(measures)
	}
	var columns table
	for i, s := range measures {
		capital := map[profile.Sort]string{profile.SortBytes: "Bytes", profile.SortObjects: "Objects"}[s]
		change, share := column{title: "+" + capital + unit}, column{title: "+" + capital + "%"}
		before, after := column{title: "A " + s.String() + unit}, column{title: "B " + s.String() + unit}
		noise := column{title: "Noise"}
		for k := range a.Rows {
			row := &a.Rows[k]
			v := row.Value(s)
			change.cells = append(change.cells, signedMean(v.Change()))
			share.cells = append(share.cells, diffShare(row, v))
			before.cells, after.cells = append(before.cells, mean(v.A)), append(after.cells, mean(v.B))
			text := mean(v.Noise)
			if v.Change() != 0 && !v.IsSure() {
				text = "within " + text
			}
			noise.cells = append(noise.cells, text)
		}
		if i > 0 {
			columns = append(columns, change, before, after)
			continue
		}
		columns = append(columns, change, share, before, after)
		if r.hasNoise() {
			columns = append(columns, noise)
		}
	}
	return append(columns, r.names()...)
}

// names are what rows stand for, as B has it, and, behind a ~, as A has it where that is not the same.
func (r *DiffReport) names() []column {
	q, rows := r.Answer.Query, r.Answer.Rows
	entries, named := make([]*diff.Entry, len(rows)), make([]profile.Row, len(rows))
	for i := range rows {
		entries[i] = cmp.Or(rows[i].B, rows[i].A)
		named[i] = entries[i].Row()
	}
	columns := nameColumns(q.By, named, func(i int) string {
		return contextStack(entries[i].Profile, named[i], q.Mine)
	})
	if q.By == profile.ByThread {
		columns = columns[1:] // how many there are says nothing
	}
	last := &columns[len(columns)-1]
	for i := range rows {
		if was, moved := wasText(&rows[i], q.By); moved {
			last.cells[i] += " ~ " + was
		}
	}
	return columns
}

// wasText says what A has a row as, if that is not the same.
func wasText(r *diff.Row, by profile.By) (text string, is bool) {
	if !r.IsMoved || r.A == nil || r.B == nil {
		return "", false
	}
	rowA, rowB := r.A.Row(), r.B.Row()
	a, b := rowA.Site, rowB.Site
	switch {
	case by == profile.ByMethod:
		return methodName(a) + symbols.Parameters(a.Descriptor), true
	case a == nil || b == nil || rowA.Class != rowB.Class:
		return strings.TrimPrefix(rowA.Class+" "+placeText(a), " "), true
	case a.Class != b.Class || a.Method != b.Method:
		return placeText(a), true
	case a.Line != b.Line:
		return fmt.Sprint("line ", a.Line), true
	}
	return "other callers", by == profile.ByContext
}

func placeText(s *profile.Site) string {
	if s == nil {
		return ""
	}
	return stackLine(s, false)
}

// mean prints a mean: whole numbers, and what is 100 and more, without digits behind the point.
func mean(v float64) string {
	switch whole := math.Round(v); {
	case math.Abs(v) >= 1<<62:
		return strconv.FormatFloat(v, 'g', 3, 64)
	case math.Abs(v) >= 100 || math.Abs(v-whole) <= 1e-9*math.Abs(v):
		return grouped(int64(whole))
	case math.Abs(v) < 0.001:
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	digits := 1
	for limit := 10.0; math.Abs(v) < limit && digits < 5; limit /= 10 {
		digits++
	}
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(v, 'f', digits, 64), "0"), ".")
}

func signedMean(v float64) string {
	if v > 0 {
		return "+" + mean(v)
	}
	return mean(v)
}

// changePercent is a change in percent of A; a dash where A has nothing.
func changePercent(v *diff.Values) string {
	if v.A == 0 {
		return "-"
	}
	return fmt.Sprintf("%+.1f", 100*v.Change()/v.A)
}

// diffState says in one word what became of a row: new and gone are what the other side does not know; a site that it
// knows, and that allocated nothing there, began, or ended.
func diffState(r *diff.Row) string {
	switch {
	case r.A == nil:
		return "new"
	case r.B == nil:
		return "gone"
	case r.Objects.A == 0 && r.Bytes.A == 0:
		return "began"
	case r.Objects.B == 0 && r.Bytes.B == 0:
		return "ended"
	case r.IsMoved:
		return "moved"
	}
	return "both"
}

// diffShare is a row's change in percent, or in a word.
func diffShare(r *diff.Row, v *diff.Values) string {
	if state := diffState(r); state != "moved" && state != "both" {
		return state
	}
	return changePercent(v)
}

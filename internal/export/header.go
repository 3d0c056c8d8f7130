package export

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"mallard/internal/profile"
)

// writeFacts says what the numbers are of, in three lines where there is nothing out of the ordinary: what ran, how
// much it allocated, and, with the label, what follows. A verbose report has all there is to say.
func (r *Report) writeFacts(w io.Writer, label string, what ...string) error {
	var f facts
	p, filter := r.Profile, r.Answer.Query.Filter
	total := []string{amount(p.Total)}
	if p.IsUncounted() {
		total = append(total, "no site was counted (run --no-sites), see \"mallard replicas\"")
	} else if p.Reconciliation != nil {
		total = append(total, unattributedText(p.Reconciliation))
	}
	selected := []string{filterText(filter), amount(r.Answer.Selected)}
	if r.Verbose {
		f.add("Recording", r.File)
		addProcess(&f, p)
		if p.Reconciliation != nil {
			total = append(total, vmStartText(p.Reconciliation))
		}
		f.add("Total", total...)
	} else {
		addProgram(&f, r.File, p)
		f.add("Total", strings.Join(total, "; "))
		selected = []string{strings.Join(selected, ": ")}
	}
	if p.Bytecodes {
		f.add("Executed", executedText(p.Total))
	}
	if r.Verbose {
		f.add("Units", unitsText)
	}
	if !filter.IsZero() {
		f.add("Filter", selected...)
	} else if r.Verbose {
		f.add("Filter", "none")
	}
	f.add(label, what...)
	if r.Verbose {
		f.add("Losses", lossLines(p)...)
		f.add("Skipped", skippedLines(p, reportSkipped, r.File)...)
	} else {
		addLosses(&f, p)
	}
	return f.writeTo(w)
}

const unitsText = "objects include arrays; bytes are those on the heap, headers and alignment included"

// reportSkipped is how many skipped classes a report names.
const reportSkipped = 5

// addProgram says in one line what ran.
func addProgram(f *facts, file string, p *profile.Profile) {
	if p.Merged {
		addPrograms(f, p)
		return
	}
	var parts []string
	if p.Process != nil {
		parts = append(parts, cmp.Or(programText(p.Process.Command), file))
		parts = append(parts, p.Process.JVMName+" "+p.Process.JVMVersion)
		if p.Process.GC != "" {
			parts = append(parts, p.Process.GC)
		}
	} else {
		parts = append(parts, file)
	}
	f.add("Program", strings.Join(append(parts, whenText(p)), ", "))
	addSpan(f, p)
}

// programText is the main class with its arguments, as far as there is room for them.
func programText(command []string) string {
	const room = 60
	main, arguments := profile.MainProgram(command)
	if main == "" {
		return ""
	}
	text := commandLine(append([]string{main}, arguments...))
	if runes := []rune(text); len(runes) > room {
		return string(runes[:room-1]) + "…"
	}
	return text
}

// addLosses names the losses in one line, where there are any.
func addLosses(f *facts, p *profile.Profile, more ...string) {
	var kinds []string
	for i := 0; i < len(p.Losses); {
		kind, count := p.Losses[i].Kind, uint64(0)
		for ; i < len(p.Losses) && p.Losses[i].Kind == kind; i++ {
			count += p.Losses[i].Count
		}
		if count > 0 {
			kind += " (" + grouped(int64(count)) + ")"
		}
		kinds = append(kinds, kind)
	}
	kinds = append(kinds, more...)
	if n := len(p.Skipped); n > 0 {
		kinds = append(kinds, counted(int64(n), "class")+" not counted")
	}
	if len(kinds) > 0 {
		f.add("Losses", strings.Join(kinds, ", ")+"; see -v")
	}
}

// addProcess says what ran.
func addProcess(f *facts, p *profile.Profile) {
	if p.Merged {
		addPrograms(f, p)
		addEachProgram(f, p)
		return
	}
	if p.Process != nil {
		f.add("Program", commandLine(p.Process.Command))
		collector := ""
		if p.Process.GC != "" {
			collector = p.Process.GC + ", "
		}
		f.add("JVM", fmt.Sprintf("%s %s, %spid %d", p.Process.JVMName, p.Process.JVMVersion, collector, p.Process.PID))
	}
	f.add("Started", whenText(p))
	addSpan(f, p)
}

// whenText says when the program was started, in the time of who reads this, and how long it ran.
func whenText(p *profile.Profile) string {
	when := "ran " + seconds(p.Duration)
	if !p.Started.IsZero() {
		when = p.Started.Local().Format("2006-01-02 15:04:05 -07:00") + ", " + when
	}
	return when
}

func addSpan(f *facts, p *profile.Profile) {
	if span := p.Span; span != nil {
		f.add("Span", fmt.Sprintf("%s to %s, the snapshots nearest to what was asked for", seconds(span.From),
			seconds(span.To)))
	}
}

func amount(a profile.Amount) string {
	text := counted(a.Objects, "object") + ", "
	if !a.BytesKnown() {
		return text + "bytes unknown"
	}
	text += exactBytes(a.Bytes)
	if a.Unsized != 0 {
		text += " without " + counted(a.Unsized, "object") + " of unknown size"
	}
	return text
}

func filterText(filter profile.Filter) string {
	var parts []string
	for _, part := range []struct{ name, pattern string }{
		{"class", filter.Class}, {"method", filter.Method}, {"thread", filter.Thread}, {"under",
			filter.Under}, {"transaction", filter.Transaction},
	} {
		if part.pattern != "" {
			parts = append(parts, part.name+" "+part.pattern)
		}
	}
	return strings.Join(parts, ", ")
}

func lossLines(p *profile.Profile) []string {
	if len(p.Losses) == 0 {
		return []string{"none"}
	}
	var lines []string
	for _, loss := range p.Losses {
		lines = append(lines, lossLine(jsonLoss(loss)))
	}
	return lines
}

func lossLine(loss jsonLoss) string {
	kind := loss.Kind
	if loss.Count > 0 {
		kind += " (" + grouped(int64(loss.Count)) + ")"
	}
	return kind + ": " + loss.Detail
}

// skippedLines names classes that ran uncounted, at most limit of them.
func skippedLines(p *profile.Profile, limit int, file string) []string {
	if len(p.Skipped) == 0 {
		return []string{"none"}
	}
	lines := []string{counted(int64(len(p.Skipped)), "class") + " not counted"}
	for i, class := range p.Skipped {
		if i == limit {
			lines = append(lines, "more: mallard info "+file)
			break
		}
		lines = append(lines, class.Class+": "+class.Reason)
	}
	return lines
}

// omittedFacts says how much was left out since it is less than a share, percent, of what was selected.
func omittedFacts(omitted, selected profile.Amount, share float64) []string {
	if omitted.IsZero() {
		return nil
	}
	return []string{OmittedText(omitted, selected, share)}
}

// OmittedText says so in a line.
func OmittedText(omitted, selected profile.Amount, share float64) string {
	return fmt.Sprintf("%s stands for all frames below %g %%: %s, %s %% of the bytes", profile.Omitted, share,
		amount(omitted), percent(omitted.Bytes, selected.Bytes))
}

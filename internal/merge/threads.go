package merge

import (
	"path/filepath"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// addPrograms makes a source's programs known.
func (m *merger) addPrograms(s *Source) {
	p := s.Profile
	m.program = m.programs
	for _, program := range p.Programs {
		m.programs++
		program.Number = m.programs
		if !p.Merged {
			program.File = filepath.Base(s.File)
			program.Nanos = int64(p.Length())
			if p.Span != nil && program.Started != 0 {
				program.Started += int64(p.Span.From)
			}
			program.Increments, program.SiteIncrements = p.Increments, p.SiteIncrements
			if r := p.Reconciliation; r != nil {
				program.JVMBytes, program.VMStart, program.VMThreads = uint64(r.JVM), r.VMStart, r.VMThreads
				program.EscapeAnalysis, program.Unattributed = r.EscapeAnalysis, r.Unattributed
			}
		}
		m.emit(&program)
	}
}

// addThreads adds what the threads of a source allocated.
func (m *merger) addThreads(p *profile.Profile) {
	for i := range p.Threads {
		t := &p.Threads[i]
		m.threads++
		m.emit(&trace.Thread{ID: m.threads, Name: t.Name, Carrier: t.Carrier, JavaID: t.JavaID})
		for cells := range chunks(t.Cells) {
			sums := &trace.Sums{Program: m.program + 1 + trace.ProgramID(t.Program), Thread: m.threads,
				Threads: uint32(t.Merged)}
			for _, c := range cells {
				sums.Cells = m.appendCells(sums.Cells, &c, &p.Sites[c.Site])
			}
			m.emit(sums)
		}
	}
}

// appendCells adds a cell, or two where the size of some of its objects is not known.
func (m *merger) appendCells(cells []trace.SumCell, c *profile.Cell, site *profile.Site) []trace.SumCell {
	context := trace.ContextID(0)
	if m.tracked {
		context = m.ofContext[c.Context]
	}
	a := c.Amount
	if site.Executed {
		if m.bytecodes {
			cells = append(cells, trace.SumCell{Context: context, Site: m.ofSite[c.Site], Objects: a.Bytecodes})
		}
		return cells
	}
	elements := a.Elements
	if a.Unsized != 0 {
		unsized := trace.SumCell{Context: context, Site: m.sites[m.siteKey(site, true)], Objects: a.Unsized}
		if a.Unsized == a.Objects {
			unsized.Elements, elements = elements, 0
		}
		cells = append(cells, unsized)
	}
	sized := trace.SumCell{Context: context, Site: m.ofSite[c.Site], Objects: a.Objects - a.Unsized,
		Elements: elements, Bytes: a.Bytes}
	if sized.Objects != 0 || sized.Elements != 0 || sized.Bytes != 0 {
		cells = append(cells, sized)
	}
	return cells
}

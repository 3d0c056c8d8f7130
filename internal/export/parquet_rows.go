package export

import (
	"path/filepath"
	"time"

	"mallard/internal/profile"
)

// parquetRows makes the rows of a file.
type parquetRows struct {
	profile  *profile.Profile
	in       []int32      // by context: its transaction
	programs []parquetRow // what all rows of a program have
}

func newParquetRows(file string, p *profile.Profile, labels map[string]string) *parquetRows {
	r := &parquetRows{profile: p, in: p.Transactions()}
	for i := range p.Programs {
		program := &p.Programs[i]
		main, _ := profile.MainProgram(program.Command)
		row := parquetRow{Program: main, PID: program.PID, File: program.File, JVM: program.JVMVersion, GC: program.GC,
			Labels: labels}
		if !p.Merged {
			row.File = filepath.Base(file)
		}
		if program.Started != 0 {
			started := time.Unix(0, program.Started).UTC()
			since, until := started, started.Add(time.Duration(program.Nanos))
			if p.Span != nil {
				since, until = started.Add(p.Span.From), started.Add(p.Span.To)
			}
			row.Started, row.Since, row.Until = &started, &since, &until
		}
		r.programs = append(r.programs, row)
	}
	return r
}

// row is what a sample says.
func (r *parquetRows) row(s *profile.Sample) parquetRow {
	row := r.programs[s.Thread.Program]
	row.Thread, row.Class, row.Loader = s.Thread.Title(), optional(s.Site.Type), optional(s.Site.Loader)
	row.Transaction = optional(r.profile.TransactionName(r.in[s.Context]))
	for _, f := range r.profile.Stack(s.Site, s.Context) {
		row.Stack = append(row.Stack, parquetFrame{optional(f.Class), f.Name, f.Descriptor, optional(f.Source),
			known(f.Line), known(f.BCI)})
	}
	row.Site = row.Stack[0]
	row.Objects = s.Amount.Objects
	if s.Amount.BytesKnown() {
		row.Bytes = &s.Amount.Bytes
	}
	if s.Site.Array {
		row.Elements = &s.Amount.Elements
	}
	if r.profile.Bytecodes {
		row.Bytecodes = &s.Amount.Bytecodes
	}
	return row
}

// known is nil for -1, which stands for what is not.
func known(n int32) *int32 {
	if n < 0 {
		return nil
	}
	return &n
}

package profile

// programRows returns a row for each program, in their order.
func (p *Profile) programRows(f Filter) []Row {
	rows := make([]Row, len(p.Programs))
	for i := range rows {
		rows[i].Program = &p.Programs[i]
	}
	for s := range p.Samples(f) {
		rows[s.Thread.Program].Amount.Add(s.Amount)
	}
	return rows
}

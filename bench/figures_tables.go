package main

// tables has a part's figures; none if it was not measured.
func (f *Figures) tables(part string) []*table {
	var tables []*table
	switch part {
	case "rates":
		tables = bySubject(f.Rates, func(r Rate) subject { return r.subject }, func(jdk string, rows []Rate) *table {
			return ratesTable(jdk, f.Heap, rows)
		})
	case "increments":
		tables = bySubject(f.Increments, func(r Increments) subject { return r.subject }, incrementsTable)
	case "frequencies":
		tables = bySubject(f.Frequencies, func(r Frequencies) subject { return r.subject }, frequenciesTable)
	case "attribution":
		tables = bySubject(f.Attribution, func(r Attribution) subject { return r.subject }, attributionTable)
		tables = append(tables, bySubject(f.Attribution, func(r Attribution) subject { return r.subject },
			elementsTable)...)
	case "adaptation":
		tables = bySubject(f.Adaptation, func(r Adaptation) subject { return r.subject }, adaptationTable)
	case "instrumenting":
		if f.Instrumenting != nil {
			tables = append(tables, f.Instrumenting.table())
		}
	case "runtime":
		tables = runtimeTables(f.Heap, f.Cells)
	case "turns":
		tables = turnsTables(sitesInTurns, f.Turns)
	case "tracks":
		tables = turnsTables(tracksInTurns, f.Tracks)
	case "objects":
		tables = objectsTables(f.Objects)
	case "births":
		tables = birthsTables(f.Births)
	case "pauses":
		tables = pausesTables("pauses", f.Pauses)
	case "startup":
		tables = startupTables(f.Startup)
	case "counters":
		if len(f.Counters) > 0 {
			tables = append(tables, countersTable(f.Counters))
		}
	case "copies":
		tables = bySubject(f.Copies, func(r Copies) subject { return r.subject }, copiesTable)
	case "agreement":
		tables = bySubject(f.Agreement, func(r Agreement) subject { return r.subject }, agreementTable)
	case "attach":
		if len(f.Attached) > 0 {
			tables = append(tables, attachedTable(f.Attached))
		}
	case "events":
		if f.Events != nil {
			tables = f.Events.tables()
		}
	}
	return tables
}

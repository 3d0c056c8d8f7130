package main

import "fmt"

// tables are those of docs/benchmarks.md.
func (e *EventRings) tables() []*table {
	streams := newTable("events-streams", "Events through one ring into a recording",
		"bytes of a record", "contents", "MB/s", "recorder, ms/MB", "producer, ms/MB", "file, bytes for each byte")
	for _, s := range e.Streams {
		streams.row(fmt.Sprint(s.Size), s.Contents, s.Rate.text("%.0f"),
			s.Processor.text("%.2f"), s.Producer.text("%.2f"), s.File.text("%.2f"))
	}
	streams.note = "Processor time for a megabyte. Heap: addresses, classes and sites; random: incompressible."
	producer := newTable("events-producer", "What an event costs its producer, begun, copied and committed",
		"bytes of a record", "ns")
	for _, c := range e.Producer {
		producer.row(fmt.Sprint(c.Size), c.Nanos.text("%.1f"))
	}
	producer.note = fmt.Sprintf("Processor time. Reading a ring that nobody writes to takes %.0f us of it a second.",
		e.IdleMicros)
	return []*table{streams, producer, collectionsTable(e.Collections)}
}

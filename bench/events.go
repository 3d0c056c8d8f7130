package main

import "fmt"

// EventRings is what event rings can do and cost.
type EventRings struct {
	Streams    []EventStream `json:"streams"`
	Producer   []EventCost   `json:"producer"`
	IdleMicros float64       `json:"idle_us_per_second"` // processor time of the reader of an empty ring

	Collections []CollectionsCost `json:"collections"`
}

// EventStream is records of one size going through one ring into a recording as fast as they can.
type EventStream struct {
	Size      int    `json:"size"` // bytes of a record
	Contents  string `json:"contents"`
	Rate      Spread `json:"mb_per_second"`
	Processor Spread `json:"recorder_ms_per_mb"` // processor time of reading and recording
	Producer  Spread `json:"producer_ms_per_mb"`
	File      Spread `json:"file_share"` // bytes of the file for each byte of records
}

// EventCost is what a record costs its producer.
type EventCost struct {
	Size  int    `json:"size"`
	Nanos Spread `json:"nanos"`
}

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

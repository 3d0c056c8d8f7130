package main

import "fmt"

// CollectionsCost is what the observer of collections costs a JVM that does little else but collect.
type CollectionsCost struct {
	JDK         string  `json:"jdk"`
	PerSecond   Spread  `json:"per_second"`   // collections, recorded
	Plain       Spread  `json:"plain_us"`     // processor time of the JVM for each collection
	Recorded    Spread  `json:"recorded_us"`  // the same
	BytesEach   float64 `json:"bytes_each"`   // of the recording, for each collection
	BytesSecond float64 `json:"bytes_second"` // of it, for each second without any
}

func collectionsTable(rows []CollectionsCost) *table {
	t := newTable("events-collections", "The observer of collections, Serial, young generation of 1 MB",
		"JDK", "collections a second, recorded", "JVM, us for each, plain", "recorded",
		"bytes of the recording for each", "bytes for a second without any")
	for _, r := range rows {
		t.row(r.JDK, r.PerSecond.text("%.0f"), r.Plain.text("%.1f"), r.Recorded.text("%.1f"),
			fmt.Sprintf("%.1f", r.BytesEach), fmt.Sprintf("%.1f", r.BytesSecond))
	}
	t.note = "Processor time of the JVM; `--track gc` alone."
	return t
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"mallard/internal/jvmtest"
)

// CollectionsCost is what the observer of collections costs a JVM that does little else but collect.
type CollectionsCost struct {
	JDK         string  `json:"jdk"`
	PerSecond   Spread  `json:"per_second"`   // collections, recorded
	Plain       Spread  `json:"plain_us"`     // processor time of the JVM for each collection
	Recorded    Spread  `json:"recorded_us"`  // the same
	BytesEach   float64 `json:"bytes_each"`   // of the recording, for each collection
	BytesSecond float64 `json:"bytes_second"` // of it, for each second without any
}

// How long the programs collect, and do nothing.
const (
	timedCollections = 5000
	idleMillis       = 10_000
)

// measureCollections runs bench/events/Collects.java with and without the observer, which it has to itself.
func (s *session) measureCollections() (rows []CollectionsCost, err error) {
	for _, jdk := range s.jdks {
		classes, err := jdk.Javac(nil, filepath.Join(s.root, "bench", "events", "Collects.java"))
		if err != nil {
			return nil, err
		}
		run := func(wrap []string, collections, idle int) (wall, processor float64, err error) {
			output, err := jdk.Run(jvmtest.Command{
				Wrap: wrap, Options: []string{"-XX:+UseSerialGC", "-Xmx64m", "-Xmn1m"}, Classpath: []string{classes},
				Main: "Collects", Args: []string{strconv.Itoa(collections), strconv.Itoa(idle)},
			})
			if err == nil {
				_, err = fmt.Sscan(output.Stdout, &wall, &processor)
			}
			return wall, processor, err
		}
		recorded := func(collections, idle int) (wall, processor, bytes float64, err error) {
			folder, err := os.MkdirTemp("", "mallard-bench-")
			if err != nil {
				return 0, 0, 0, err
			}
			defer os.RemoveAll(folder)
			file := filepath.Join(folder, "run.mallard")
			wrap := []string{s.mallard, "run", "-q", "--track", "gc", "-o", file, "--"}
			if wall, processor, err = run(wrap, collections, idle); err != nil {
				return 0, 0, 0, err
			}
			info, err := os.Stat(file)
			if err != nil {
				return 0, 0, 0, err
			}
			return wall, processor, float64(info.Size()), nil
		}
		var rate, plain, observed []float64
		_, _, least, err := recorded(0, 0)
		if err != nil {
			return nil, err
		}
		_, _, idle, err := recorded(0, idleMillis)
		if err != nil {
			return nil, err
		}
		var bytes float64
		for range s.rounds {
			_, processor, err := run(nil, timedCollections, 0)
			if err != nil {
				return nil, err
			}
			plain = append(plain, processor/1e3/timedCollections)
			wall, processor, size, err := recorded(timedCollections, 0)
			if err != nil {
				return nil, err
			}
			rate = append(rate, timedCollections/(wall/1e9))
			observed = append(observed, processor/1e3/timedCollections)
			bytes = (size - least) / timedCollections
		}
		rows = append(rows, CollectionsCost{
			JDK: jdk.Version, PerSecond: spread(rate), Plain: spread(plain), Recorded: spread(observed),
			BytesEach: bytes, BytesSecond: (idle - least) / (idleMillis / 1e3),
		})
	}
	return rows, nil
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

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"mallard/internal/jvmtest"
)

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

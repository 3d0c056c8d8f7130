package main

import (
	"fmt"

	"mallard/internal/jvmtest"
)

// Runtime is a workload's time under `mallard run` as a factor of its plain time.
type Runtime struct {
	Workload     string  `json:"workload"`
	PlainSeconds float64 `json:"plain_seconds"` // median, whole process
	Whole        Spread  `json:"whole"`         // start-up included
	Steady       Spread  `json:"steady"`        // timed iterations only
	CPU          Spread  `json:"cpu"`           // processor time, that of the mallard process included
}

// measureRuntime runs each workload plain and profiled in turns. A ratio is that of two neighbouring runs.
func measureRuntime(s *session) error {
	var rows []Runtime
	err := s.eachWorkload(func(w Workload, plain jvmtest.Command) error {
		var seconds, whole, steady, cpu []float64
		for range s.runs {
			without, err := s.execute(plain)
			if err != nil {
				return err
			}
			profiled, recording, err := s.profiled(plain, "optimal")
			if err != nil {
				return err
			}
			with, err := s.execute(profiled)
			removeRecording(recording)
			if err != nil {
				return err
			}
			if with.checksum != without.checksum {
				return fmt.Errorf("checksum %s under mallard, %s without", with.checksum, without.checksum)
			}
			seconds = append(seconds, without.whole.Seconds())
			whole = append(whole, with.whole.Seconds()/without.whole.Seconds())
			steady = append(steady, with.steady.Seconds()/without.steady.Seconds())
			cpu = append(cpu, with.cpu.Seconds()/without.cpu.Seconds())
		}
		row := Runtime{w.Name, spread(seconds).Median, spread(whole), spread(steady), spread(cpu)}
		s.say("    whole process %v, steady state %v, CPU %v", row.Whole, row.Steady, row.CPU)
		rows = append(rows, row)
		return nil
	})
	s.figures.Runtime = rows
	return err
}

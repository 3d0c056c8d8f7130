package main

import (
	"fmt"

	"mallard/internal/jvmtest"
)

// measureIncrements runs each workload once for each placement, with few iterations: the ratio does not change with
// more of them.
func measureIncrements(s *session) error {
	return s.eachWorkload(func(w Workload, at setting, c jvmtest.Command) error {
		row := Increments{subject: subject{at.jdk.Version, w.Name}, Placements: map[string]float64{}}
		c.Args = []string{"0", "2"}
		for _, placement := range placements {
			info, err := s.count(at.jdk, c, placement)
			if err != nil {
				return fmt.Errorf("--placement %s: %w", placement, err)
			}
			row.Objects, row.Placements[placement] = info.Objects, info.each()
		}
		put(&s.figures.Increments, row, func(r Increments) subject { return r.subject })
		return nil
	})
}

package main

import (
	"fmt"
	"strings"
)

// measurePauses measures the variants that are asked for by name, else sites and objects. Their JVMs take turns, and
// each logs its safepoints.
func measurePauses(s *session) error {
	variants := s.variants
	if !s.named {
		var err error
		if variants, err = selectVariants(strings.Join([]string{mallard, mallardObjects}, ",")); err != nil {
			return err
		}
	}
	return s.measureInTurns(withSafepoints(variants), &s.figures.Pauses, sayPauses)
}

// sayPauses says what a round has of them.
func sayPauses(round map[string]Turn) string {
	without := round[plain].Pauses.Whole.all()
	text := fmt.Sprintf("%.3f s of pauses", without.Seconds)
	for _, v := range variants[1:] {
		if p := round[v.name].Pauses; p != nil {
			with := p.Whole.all()
			text += fmt.Sprintf(", %s %.2f times as long, the longest %.2f", v.name, with.Seconds/without.Seconds,
				with.Longest/without.Longest)
		}
	}
	return text
}

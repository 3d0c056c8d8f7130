package main

import "time"

// watchOthers is how long others are watched before it is said that they are quiet.
const watchOthers = 3 * time.Second

// awaitQuiet waits until others leave the processors alone, if that was asked for.
func (s *session) awaitQuiet() {
	for waiting := false; s.quiet > 0; waiting = true {
		before := readClock()
		time.Sleep(watchOthers)
		others := readClock().since(before).others()
		if others <= s.quiet {
			return
		}
		if !waiting {
			s.say("  waiting: others have %s of the processors", percent(others))
		}
	}
}

// quietly measures a round, and again as long as others had more than the share of the processors that they are
// allowed.
func (s *session) quietly(measure func() (Round, error)) (Round, error) {
	for {
		s.awaitQuiet()
		round, err := measure()
		most := 0.0
		for _, run := range round {
			most = max(most, run.Others)
		}
		if err != nil || s.quiet == 0 || most <= s.quiet {
			return round, err
		}
		s.say("  again: others had %s of the processors meanwhile", percent(most))
	}
}

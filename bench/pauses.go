package main

// Pauses are how long all threads of a JVM stood still, at safepoints: for collections, and for whatever else the VM,
// or an agent, has them wait.
type Pauses struct {
	Whole  PausesByOperation `json:"whole"`  // from the JVM's start to its end
	Steady PausesByOperation `json:"steady"` // while the timed iterations ran
}

// PausesByOperation sums pauses by the VM's operation for which threads stood still.
type PausesByOperation map[string]Paused

// Paused is what there was of some pauses.
type Paused struct {
	Count   int     `json:"count"`
	Seconds float64 `json:"seconds"` // all together
	Longest float64 `json:"longest"` // in seconds
}

// and joins what there was of others.
func (p Paused) and(others Paused) Paused {
	return Paused{p.Count + others.Count, p.Seconds + others.Seconds, max(p.Longest, others.Longest)}
}

// all are the pauses for any operation.
func (p PausesByOperation) all() (sum Paused) {
	for _, paused := range p {
		sum = sum.and(paused)
	}
	return sum
}

// collections are the pauses for operations that collect.
func (p PausesByOperation) collections() (sum Paused) {
	for operation, paused := range p {
		if collects(operation) {
			sum = sum.and(paused)
		}
	}
	return sum
}

// sumPauses of a JVM whose timed iterations ran between two times, in ms since 1970.
func sumPauses(list []safepoint, began, ended int64) *Pauses {
	sums := &Pauses{PausesByOperation{}, PausesByOperation{}}
	for _, s := range list {
		seconds := s.pause.Seconds()
		paused := Paused{1, seconds, seconds}
		sums.Whole[s.operation] = sums.Whole[s.operation].and(paused)
		if began <= s.ended && s.ended <= ended {
			sums.Steady[s.operation] = sums.Steady[s.operation].and(paused)
		}
	}
	return sums
}

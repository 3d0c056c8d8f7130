package view

import (
	"time"

	"mallard/internal/profile"
)

// mostCollections bounds how many a timeline tells apart.
const mostCollections = 1000

// Collections are garbage collections that come one behind the other: one, or as many as it takes for a timeline to
// have no more than it tells apart. What is said of one is said of that with the longest pause. Times are in seconds.
type Collections struct {
	At     float64 `json:"at"` // since the start
	Count  int     `json:"count"`
	Paused float64 `json:"paused"` // in all
	Pause  float64 `json:"pause"`  // the longest; 0 where the program went on
	Kind   string  `json:"kind"`
	Cause  string  `json:"cause,omitempty"`  // as the JVM's log has it
	Before int64   `json:"before,omitempty"` // bytes used; 0: unknown
	After  int64   `json:"after,omitempty"`
}

// collectionsOf gives those of a table, nil for none, in the order of time.
func collectionsOf(t *profile.EventTable) []Collections {
	list := []Collections{}
	if t == nil {
		return list
	}
	step := max(1, (len(t.Rows)+mostCollections-1)/mostCollections)
	for i, row := range t.Rows {
		c := Collections{At: row.At.Seconds(), Count: 1}
		if pause, is := t.Value(row, "pause").(time.Duration); is {
			c.Pause, c.Paused = pause.Seconds(), pause.Seconds()
		}
		c.Kind, _ = t.Value(row, "kind").(string)
		c.Cause, _ = t.Value(row, "cause").(string)
		c.Before, _ = t.Value(row, "before").(int64)
		c.After, _ = t.Value(row, "after").(int64)
		if i%step == 0 {
			list = append(list, c)
			continue
		}
		last := &list[len(list)-1]
		c.Count, c.Paused = last.Count+1, last.Paused+c.Paused
		if c.Pause <= last.Pause {
			last.Count, last.Paused = c.Count, c.Paused
			continue
		}
		*last = c
	}
	return list
}

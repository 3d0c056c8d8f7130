// Package metrics has counters for Prometheus of what programs allocate, made of spans of their recordings:
//
//	m := metrics.New(100)
//	m.Add(span, collections)    // of follow.Recording
//	http.Handle("/metrics", m.Handler())
//
// Counters never go down, and their number is bounded: names beyond that are "other". The sum over the packages, the
// classes, or the transactions of a program is its total.
package metrics

package main

// counted is what `mallard info --format json` says of a run.
type counted struct {
	Objects    int64 `json:"objects"`
	Increments int64 `json:"increments"`
	Adaptation *struct {
		Classes    uint64  `json:"classes"`     // retransformed
		JVMSeconds float64 `json:"jvm_seconds"` // that this took
		Increments int64   `json:"increments"`  // of adapted methods, afterwards
		Baseline   int64   `json:"baseline"`    // what they would have made without
	} `json:"adaptation,omitempty"`
	Reconciliation struct {
		Counted int64            `json:"mallard_bytes"`
		JVM     int64            `json:"jvm_bytes"`
		ByCause map[string]int64 `json:"by_cause"`
	} `json:"reconciliation"`
}

// each gives the updates for each object.
func (c *counted) each() float64 { return float64(c.Increments) / float64(c.Objects) }

// unadapted gives what they would have been with all counters where they were placed first.
func (c *counted) unadapted() float64 {
	if c.Adaptation == nil {
		return c.each()
	}
	return float64(c.Increments-c.Adaptation.Increments+c.Adaptation.Baseline) / float64(c.Objects)
}

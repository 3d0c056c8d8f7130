package main

import (
	"cmp"
	"fmt"
	"slices"
)

// Births is what one run's walks of the heap found to be born, against what code counted and what the JVM says that its
// threads allocated. Neither knows of the walks. Until JDK 18 int[] is left out of objects and bytes: the JVM fills
// unused memory with such arrays, and walks take these for objects.
type Births struct {
	subject
	Collector string  `json:"collector"`
	Variant   string  `json:"variant"`
	Born      objects `json:"born"`
	Counted   objects `json:"counted"`
	Fewer     objects `json:"fewer"`   // class by class, counted and not born: compilers may have removed them
	More      objects `json:"more"`    // born and not counted: the JVM has made them, or native code
	Unsited   objects `json:"unsited"` // counted at a site and born, but nobody knows where
	Threads   int64   `json:"threads"` // bytes that the JVM's threads say that they allocated
	File      int64   `json:"file"`    // bytes of the recording
}

// objects is a number of them, and their bytes.
type objects struct {
	Objects int64 `json:"objects"`
	Bytes   int64 `json:"bytes"`
}

func (o *objects) add(a objects) { o.Objects, o.Bytes = o.Objects+a.Objects, o.Bytes+a.Bytes }

// less is what there is more of here than there.
func (o objects) less(other objects) objects {
	return objects{max(0, o.Objects-other.Objects), max(0, o.Bytes-other.Bytes)}
}

// millionth is a part in a million.
func millionth(part, whole int64) string { return number("%.2f", 1e6*float64(part)/float64(whole)) }

// birthsTables has a table for each JDK and collector.
func birthsTables(rows []Births) []*table {
	var tables []*table
	for _, collector := range collectors {
		of := slices.DeleteFunc(slices.Clone(rows), func(r Births) bool { return r.Collector != collector })
		tables = append(tables, bySubject(of, func(r Births) subject { return r.subject },
			func(jdk string, rows []Births) *table { return birthsTable(settingKey{jdk, collector}, rows) })...)
	}
	return tables
}

func birthsTable(key settingKey, rows []Births) *table {
	t := newTable("births-"+key.file(), fmt.Sprintf("Births against counters and the JVM's bytes, %v", key), "program",
		"variant", "objects born", "fewer than counted", "more", "in a million", "site not known", "bytes born",
		"more than the JVM's", "in a million", "bytes of file", "an object")
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Births) int { return cmp.Compare(b.Variant, a.Variant) })
	for _, r := range rows {
		t.row(r.Workload, r.Variant, thousands(r.Born.Objects), fmt.Sprint(r.Fewer.Objects), fmt.Sprint(r.More.Objects),
			millionth(r.More.Objects, r.Born.Objects), fmt.Sprint(r.Unsited.Objects), thousands(r.Born.Bytes),
			fmt.Sprint(r.Born.Bytes-r.Threads), millionth(r.Born.Bytes-r.Threads, r.Threads), thousands(r.File),
			number("%.4f", float64(r.File)/float64(r.Born.Objects)))
	}
	return t
}

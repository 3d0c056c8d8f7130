package main

import (
	"fmt"
	"slices"
)

// A change does without objects that `mallard replicas` says are copies, as its finding suggests.
type change struct {
	name     string
	workload string
	jar      string // in jarFolder, whose classes are edited
	source   string // in bench/copies: what their code calls then
	edits    []edit
	class    string // of the finding
	method   string // of the finding, in which the objects are made
	about    string // what is done
}

// changes are in the order of tables. Nothing of the libraries is kept here: edits say which instructions are replaced.
var changes = []change{
	{name: "groovy: decimals", workload: "groovy", jar: "groovy-all", source: "Decimals",
		edits: []edit{{what: staticCalls, owner: "org/codehaus/groovy/runtime/typehandling/BigDecimalMath",
			name: "toBigDecimal", types: "(Ljava/lang/Number;)Ljava/math/BigDecimal;",
			by: "copies/Decimals.toBigDecimal"}},
		class: "java.math.BigDecimal", method: "NumberMath.toBigDecimal",
		about: "cache of decimals of 0 to 1,023"},
	{name: "groovy: parameters", workload: "groovy", jar: "groovy-all", source: "Parameters",
		edits: []edit{{what: staticCalls, owner: "org/codehaus/groovy/runtime/MetaClassHelper",
			name: "convertToTypeArray", types: "([Ljava/lang/Object;)[Ljava/lang/Class;",
			by: "copies/Parameters.convertToTypeArray"}},
		class: "java.lang.Class[]", method: "MetaClassHelper.convertToTypeArray",
		about: "shared arrays for none and for one argument"},
	{name: "hsqldb: tables", workload: "hsqldb", jar: "hsqldb", source: "SmallMaps",
		edits: []edit{{class: "org/hsqldb/navigator/RowSetNavigatorDataChangeMemory", what: constructions,
			owner: "org/hsqldb/lib/OrderedLongKeyHashMap", types: "(IZ)V", by: "copies/SmallMaps.make"}},
		class: "int[]", method: "HashIndex.reset",
		about: "tables begin with 8 places in the place of 64"},
	{name: "hsqldb: padding", workload: "hsqldb", jar: "hsqldb", source: "PaddedStrings",
		edits: []edit{{what: staticCalls, owner: "org/hsqldb/types/CharacterType", name: "padString",
			types: "(Ljava/lang/String;I)Ljava/lang/String;", by: "copies/PaddedStrings.padString"}},
		class: "char[]", method: "CharacterType.padString",
		about: "cache of padded strings, 8,192 places"},
	{name: "lucene: buckets", workload: "lucene", jar: "lucene-core-4.10.4", source: "LazyBuckets",
		edits: []edit{
			{class: "org/apache/lucene/search/BooleanScorer$BucketTable", what: constructions,
				owner: "org/apache/lucene/search/BooleanScorer$Bucket", types: "()V",
				by: "org/apache/lucene/search/LazyBuckets.none"},
			{class: "org/apache/lucene/search/BooleanScorer$BooleanScorerCollector", what: elementReads,
				owner: "org/apache/lucene/search/BooleanScorer$Bucket",
				by:    "org/apache/lucene/search/LazyBuckets.bucket"}},
		class: "org.apache.lucene.search.BooleanScorer$Bucket", method: "BucketTable.<init>",
		about: "buckets are made when they are used first"},
}

// Copies is what a change came to: the program as it is, and changed, in turns.
type Copies struct {
	subject
	Change  string            `json:"change"`
	Finding Finding           `json:"finding"` // of one iteration, as it is
	Objects map[string]int64  `json:"objects"` // of a whole run, by plain and changed
	Bytes   map[string]int64  `json:"bytes"`
	Rounds  []map[string]Turn `json:"rounds"`
}

// A Finding is what `mallard replicas` says of one row, in JSON.
type Finding struct {
	Class   string  `json:"class"`
	Method  string  `json:"method"`
	Objects int64   `json:"objects"`
	Bytes   int64   `json:"bytes"`
	Saved   int64   `json:"bytes_saved"`
	Share   float64 `json:"copies_percent"`
	Groups  int64   `json:"groups"`
	Largest int64   `json:"largest_group"`
}

// withChange is the variant beside plain.
const withChange = "changed"

// copiesTable has one row for each change.
func copiesTable(jdk string, rows []Copies) *table {
	t := newTable("copies-"+jdk,
		fmt.Sprintf("What findings of `mallard replicas` are worth, as factors of the program as it is, JDK %s", jdk),
		"change", "what is done", "copies of", "bytes that copies have", "objects", "bytes allocated",
		"processor time, steady state", "whole process", "memory resident")
	for _, c := range changes {
		i := slices.IndexFunc(rows, func(r Copies) bool { return r.Change == c.name })
		if i < 0 || len(rows[i].Rounds) == 0 {
			continue
		}
		r := rows[i]
		of := func(value func(Turn) float64) string {
			var ratios []float64
			for _, round := range r.Rounds {
				ratios = append(ratios, value(round[withChange])/value(round[plain]))
			}
			return spread(ratios).String()
		}
		ratio := func(counts map[string]int64) string {
			return number("%.3f", float64(counts[withChange])/float64(counts[plain]))
		}
		t.row(c.name, c.about, fmt.Sprintf("%s, %.1f %% of %d", r.Finding.Class, r.Finding.Share, r.Finding.Objects),
			fmt.Sprintf("%.1f MB", float64(r.Finding.Saved)/1e6), ratio(r.Objects), ratio(r.Bytes),
			of(func(t Turn) float64 { return t.Steady }), of(func(t Turn) float64 { return t.Whole }),
			of(func(t Turn) float64 { return t.Memory }))
		t.note = fmt.Sprintf("%d rounds, in turns; medians, with the smallest and the largest.", len(r.Rounds))
	}
	return t
}

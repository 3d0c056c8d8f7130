package objects_test

import (
	"strconv"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
)

// tagged is what one method of the program makes of one class: how many in n rounds.
type tagged struct{ class, method string }

// taggedOnes are what the program's methods make in so many rounds, a multiple of 420.
func taggedOnes(n int64) map[tagged]int64 {
	return map[tagged]int64{
		{"Tagged$Node", "one"}: n, {"Tagged$Node", "nested"}: n + n/2,
		{"int[]", "nested"}: n, {"int[]", "ints"}: n, {"int[]", "constantInts"}: n,
		{"int[][]", "table"}: n, {"int[]", "table"}: 3 * n,
		{"Tagged$Node[]", "references"}: n, {"Tagged$Node[]", "cloned"}: n, {"Tagged$Node[]", "copied"}: n,
		{"Tagged$Shown", "shown"}: n, {"Tagged$Shown", "shownToo"}: n,
		{"Tagged$Hashed", "hashedOne"}: n, {"Tagged$Hashed", "hashedTwo"}: n,
		{"Tagged$Copied", "make"}: n, {"Tagged$Copied", "copy"}: n,
		{"java.lang.String", "text"}: 2 * n, {"java.lang.String", "concatenated"}: n,
		{"Tagged$Interrupted", "interrupted"}: 20,
	}
}

// TestTagged holds the objects of each site, born and held at the end, against a program that knows them.
func TestTagged(t *testing.T) {
	const rounds = 42_000
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, collector := range collectors {
			for i, options := range heaps[collector] {
				if !jvmtest.IsTurn(t, jdk, i) {
					continue
				}
				t.Run(collector+" "+strings.Join(options, " "), func(t *testing.T) {
					command := mallardtest.Compiled(t, jdk, "Tagged")
					command.Options = append(options, "-XX:+Use"+collector+"GC")
					command.Args = []string{strconv.Itoa(rounds)}
					history, p, output := recordedBoth(t, jdk, command)
					if !strings.HasSuffix(output.Stdout, ", 0 hashes have changed\n") {
						t.Errorf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
					}
					checkHeap(t, jdk, history)
					history = history.BySites(p.Tagged)
					born, held := map[tagged]int64{}, map[tagged]int64{}
					end := len(history.Pauses) - 1
					for _, row := range history.Diff(heap.Start, end, heap.Query{By: []heap.By{heap.BySite}}).Rows {
						of := tagged{class: history.Name(row.Class)}
						if site := history.Site(row.Class); site != nil && site.Class == "Tagged" ||
							site != nil && site.Class == "Tagged$Copied" {
							of.method = site.Method
						}
						born[of] += row.Born.Objects
						held[of] += row.After.Objects
					}
					for of, n := range taggedOnes(rounds) {
						// one whose constructor a collection interrupts may die before the next one sees its tag
						missing := int64(len(history.Pauses))
						if of.class == "Tagged$Shown" && jdk.Feature < 21 {
							missing = n / 3 // others may have locked it
						}
						all := born[tagged{class: of.class}]
						if got := born[of]; got > n || got < n-min(missing, all) {
							t.Errorf("%v: %d were born, want %d; %d without a site", of, got, n, all)
						}
						kept := n / 10
						switch {
						case of.method == "nested" && of.class == "Tagged$Node":
							kept = 2 * rounds / 10
						case of.method == "table" && of.class == "int[]":
							kept = 3 * rounds / 10
						case of.method == "interrupted":
							kept = n
						case of.method == "make" || of.method == "text":
							continue // others keep it, or not
						}
						if got := held[of]; got > kept+2 || got < kept-min(missing, all) {
							t.Errorf("%v: %d are held, want %d", of, got, kept)
						}
					}
				})
			}
		}
	})
}

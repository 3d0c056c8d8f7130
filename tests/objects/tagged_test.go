package objects_test

import (
	"strconv"
	"strings"
	"testing"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
)

// tagged is what one method of the program makes of one class: how many in n rounds.
type tagged struct{ class, method string }

// taggedOnes are what the program's methods make in so many rounds, a multiple of 420.
func taggedOnes(n int64) map[tagged]int64 {
	return map[tagged]int64{
		{"Tagged$Node", "one"}: 3 * n, {"Tagged$Node", "nested"}: n + n/2,
		{"int[]", "nested"}: n, {"int[]", "ints"}: n, {"int[]", "constantInts"}: n,
		{"int[][]", "table"}: n, {"int[]", "table"}: 3 * n,
		{"Tagged$Node[]", "references"}: n, {"Tagged$Node[]", "cloned"}: n, {"Tagged$Node[]", "copied"}: n,
		{"Tagged$Shown", "shown"}: n, {"Tagged$Shown", "shownToo"}: n,
		{"Tagged$Hashed", "hashedOne"}: n, {"Tagged$Hashed", "hashedTwo"}: n,
		{"Tagged$Copied", "make"}: n, {"Tagged$Copied", "copy"}: n,
		{"java.lang.String", "text"}: 2 * n, {"java.lang.String", "concatenated"}: n,
		{"Tagged$Interrupted", "interrupted"}: 20, {"Tagged$Interrupted", "uninterrupted"}: n,
		{"Tagged$Locked", "locked"}: 4, {"Tagged$Locked", "unlocked"}: n,
		{"Tagged$Raw", "made"}: n,
	}
}

// tracks are the ways to record with tags.
var tracks = []string{"sites,objects", "contexts,objects --contexts hashed", "contexts,objects --contexts tree",
	"contexts,objects --contexts encoded"}

// noDead has full collections leave nothing that is dead. Else those of G1 (17) leave regions alone that are nearly all
// alive, with what is dead in them.
const noDead = "-XX:MarkSweepDeadRatio=0"

// untagged has sites give no tags as soon as may be, where others can be told by theirs.
const untagged = "sites,objects " + mallardtest.AdaptSoon

// TestTagged holds the objects of each site, born and held at the end, against a program that knows them. For each
// collector there is a run in which sites give no tags.
func TestTagged(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for c, collector := range collectors {
			several := []string{untagged}
			for i, options := range heaps[collector] {
				if !jvmtest.IsTurn(t, jdk, i) {
					continue
				}
				for _, track := range append(several, tracks[(i/2*len(collectors)+c)%len(tracks)]) {
					t.Run(strings.Join(append(options, collector, track), " "), func(t *testing.T) {
						testTagged(t, jdk, append(options, "-XX:+Use"+collector+"GC"), track)
					})
				}
				several = nil
			}
		}
	})
}

func testTagged(t *testing.T, jdk jvmtest.JDK, options []string, track string) {
	rounds := int64(25_200)
	if jvmtest.Long() {
		rounds = 42_000
	}
	if track == untagged { // the recorder needs time to choose
		rounds *= 5
	}
	command := mallardtest.Compiled(t, jdk, "Tagged")
	command.Options = append(options, noDead)
	command.Args = []string{strconv.FormatInt(rounds, 10)}
	history, p, output := recordedAll(t, jdk, command, strings.Fields(track)...)
	if !strings.HasSuffix(output.Stdout, ", 0 hashes have changed\n") {
		t.Errorf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
	}
	checkHeap(t, jdk, history)
	if p.Tracked {
		checkContexts(t, jdk, history, p, rounds)
	}
	history = history.BySites(p.Tagged)
	checkHeap(t, jdk, history)
	slow := jvmtest.RaceDetector() // the recorder may not have chosen by then
	if n := history.Implied(); n > 0 && track != untagged || n == 0 && track == untagged && !slow {
		t.Errorf("%d sites give no tags", history.Implied())
	}
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
		all := born[tagged{class: of.class}]
		more := int64(0)
		switch {
		case of.method == "interrupted" || of.method == "locked": // it lives
			missing = 0
		case track == untagged: // then it may be taken for one of the site that gives none
			more, all = missing, all+missing
		}
		raw := int64(0) // that are taken for such
		if track == untagged && of.class == "Tagged$Raw" {
			raw = n / 200
		}
		more += raw
		if got := born[of]; got > n+more || got < n-min(missing, all) {
			t.Errorf("%v: %d were born, want %d; %d without a site", of, got, n, all)
		}
		kept := n / 10
		switch {
		case of.method == "one":
			kept = 3 * n / 30
		case of.method == "nested" && of.class == "Tagged$Node":
			kept = 2 * rounds / 10
		case of.method == "table" && of.class == "int[]":
			kept = 3 * rounds / 10
		case of.method == "interrupted" || of.method == "locked":
			kept = n
		case of.method == "make" || of.method == "text":
			continue // others keep it, or not
		}
		if got := held[of]; got > kept+raw+2 || got < kept-min(missing, all) {
			t.Errorf("%v: %d are held, want %d", of, got, kept)
		}
	}
}

// checkContexts holds what one site has made, called from three places, against what the program says.
func checkContexts(t *testing.T, jdk jvmtest.JDK, history *heap.History, p *profile.Profile, rounds int64) {
	t.Helper()
	history = history.ByContexts(p.Tagged)
	checkHeap(t, jdk, history)
	counts, born, held := heap.NewCounts(history, p), map[string]int64{}, map[string]int64{}
	q := heap.Query{By: []heap.By{heap.ByContext}, Class: "Tagged$*", Counts: counts}
	for _, row := range history.Diff(heap.Start, len(history.Pauses)-1, q).Rows {
		stack := counts.Stack(row.Class)
		if stack == nil || stack[0].Name != "one" {
			continue
		}
		var names []string
		for _, f := range stack {
			names = append(names, f.Name)
		}
		born[strings.Join(names, " < ")] += row.Born.Objects
		held[strings.Join(names, " < ")] += row.After.Objects
	}
	for _, stack := range []string{"one < main", "one < left < main", "one < right < main"} {
		missing := int64(len(history.Pauses))
		if n := born[stack]; n > rounds || n < rounds-missing {
			t.Errorf("%s: %d were born, want %d", stack, n, rounds)
		}
		if n := held[stack]; n > rounds/10 || n < rounds/10-missing {
			t.Errorf("%s: %d are held, want %d", stack, n, rounds/10)
		}
	}
	if len(born) != 3 {
		t.Errorf("it was called from %v", born)
	}
}

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

// TestEarly holds births against a program that is read while it runs: with threads whose buffers are never full,
// constructors that end when their object was read, objects that are locked then, classes that are new then, and a
// world that is stopped in between.
func TestEarly(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, track := range []string{"sites,objects", "contexts,objects", untagged, "sites,objects --no-tags"} {
			for k, collector := range collectors {
				if collector == "G1" || jvmtest.IsTurn(t, jdk, i+k) {
					t.Run(collector+" "+track, func(t *testing.T) { testEarly(t, jdk, collector, track) })
				}
			}
		}
	})
}

func testEarly(t *testing.T, jdk jvmtest.JDK, collector, track string) {
	t.Helper()
	const rounds, idle = 2000, 10
	want := map[tagged]int64{
		{"Early$Plain", "plain"}: 2 * rounds * 500, {"Early$Plain", "other"}: 2 * rounds * 300,
		{"Early$Locked", "locked"}: 2 * rounds * 20, {"Early$Plain[]", "locked"}: 2 * rounds * 20,
		{"byte[]", "other"}: 2 * rounds * 300, {"double[]", "round"}: rounds, {"Early$Kept", "round"}: rounds,
		{"Early$Slow", "slow"}: rounds / 20, {"Early$Slow", "<init>"}: rounds / 20 * 2,
		{"byte[]", "<init>"}:     rounds / 20 * 3,
		{"Early$Late0", "round"}: rounds / 400, {"Early$Late1", "round"}: rounds / 400,
		{"Early$Late2", "round"}: rounds / 400, {"Early$Late3", "round"}: rounds / 400,
	}
	classes := map[string]int64{"Early$Idle": idle, "Early$Passing": rounds / 10 * 100}
	command := mallardtest.Compiled(t, jdk, "Early")
	command.Options = []string{"-XX:+Use" + collector + "GC", "-Xmx200m", "-Xmn40m", "-XX:-DoEscapeAnalysis"}
	command.Args = []string{strconv.Itoa(rounds), strconv.Itoa(idle)}
	history, p, output := recordedAll(t, jdk, command, strings.Fields(track)...)
	if output.ExitCode != 0 || output.Stdout != strconv.Itoa(rounds)+"\n" {
		t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
	}
	checkHeap(t, jdk, history)
	check := history.Check(jdk.Feature)
	t.Logf("%.1f %% of %d MB in %d walks were read early", 100*float64(check.Early)/float64(check.Eden),
		check.Eden>>20, check.Walks)
	if check.Early == 0 || history.Pauses[0].Early == 0 {
		t.Errorf("%d bytes were read early, %d of them before the first collection", check.Early,
			history.Pauses[0].Early)
	}
	all := born(t, history)
	for class, n := range classes {
		if got := all[class].Objects; got != n {
			t.Errorf("%s: %d were born, want %d", class, got, n)
		}
	}
	for of, n := range want {
		if of.class != "byte[]" && all[of.class].Objects < n {
			t.Errorf("%s: %d were born, want %d of %s alone", of.class, all[of.class].Objects, n, of.method)
		}
	}
	if strings.Contains(track, "no-tags") {
		return
	}
	sites := map[tagged]int64{}
	history = history.BySites(p.Tagged)
	end, err := history.End()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range history.Diff(heap.Start, end, heap.Query{By: []heap.By{heap.BySite}}).Rows {
		of := tagged{class: history.Name(row.Class)}
		if site := history.Site(row.Class); site != nil && strings.HasPrefix(site.Class, "Early") {
			of.method = site.Method
		}
		sites[of] += row.Born.Objects
	}
	for of, n := range want {
		// one whose constructor a collection interrupts may be dead before the next; where a site of its class gives
		// no tags it has counted as that one's
		most := n
		if track == untagged {
			most += int64(check.Walks)
		}
		if got := sites[of]; got > most || got < n-int64(check.Walks) {
			t.Errorf("%v: %d were born, want %d; %d without a site", of, got, n,
				sites[tagged{class: of.class}])
		}
	}
}

// TestContended has a program lock what was just moved, and ask for its hashes, while that is read and written to.
func TestContended(t *testing.T) {
	const rounds, cells = 120, 8192
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "Contended")
		command.Options = []string{"-XX:+UseG1GC", "-Xmx64m", "-Xmn4m"}
		command.Args = []string{strconv.Itoa(rounds)}
		history, p, output := recordedAll(t, jdk, command, "sites,objects")
		want := strconv.Itoa(rounds) + " rounds, 0 hashes have changed, 0 locks and 0 increments were lost\n"
		if output.ExitCode != 0 || output.Stdout != want {
			t.Fatalf("exit code %d\n%s%s", output.ExitCode, output.Stdout, output.Stderr)
		}
		checkHeap(t, jdk, history)
		history = history.BySites(p.Tagged)
		sites := map[profile.Site]int64{}
		for _, row := range inAll(t, history, heap.BySite) {
			if site := history.Site(row.Class); site != nil && site.Class == "Contended" && site.Method == "make" {
				sites[*site] += row.Born.Objects
			}
		}
		for site, n := range sites {
			if want := int64(rounds * cells / 8); n > want || n < want-int64(len(history.Pauses)) {
				t.Errorf("%v: %d were born, want %d", site, n, want)
			}
		}
		if len(sites) != 8 {
			t.Errorf("%d sites, want 8", len(sites))
		}
	})
}

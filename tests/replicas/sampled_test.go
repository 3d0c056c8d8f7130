package replicas_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/profile"
	"mallard/internal/replica"
)

// largest is what a program knows of a kind: the share of the largest group, and how many objects there are.
type largest struct {
	share   float64
	objects int64
}

// samplesOf runs Copied.java for so many seconds, and gives what samples say of each kind, and what the program knows.
func samplesOf(t *testing.T, jdk jvmtest.JDK, seconds int, order string,
	flags ...string) (map[string]replica.SampledRow, map[string]largest) {
	t.Helper()
	command := mallardtest.Compiled(t, jdk, "Copied")
	command.Options = []string{"-Xmx128m"}
	if slices.Contains(flags, "--no-sites") { // what C2 removes is never allocated, and nothing counts it
		command.Options = append(command.Options, "-XX:TieredStopAtLevel=1")
	}
	command.Args = []string{fmt.Sprint(seconds), order}
	events := profile.Events{replica.Observer: nil}
	flags = append([]string{"-q", "--replicas", "sampled", "--sampling-pause", "0"}, flags...)
	command, file := mallardtest.Profiled(t, command, flags...)
	output := jdk.MustRun(t, command)
	if output.ExitCode != 0 {
		t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
	}
	p := mallardtest.Read(t, file, events)
	if !p.Complete || len(p.Losses) > 0 {
		t.Fatalf("complete %v, losses %v\n%s", p.Complete, p.Losses, output.Stderr)
	}
	samples := replica.ReadSamples(events[replica.Observer])
	if samples == nil {
		t.Fatal("no samples")
	}
	if p.IsUncounted() {
		checkUncounted(t, p)
	}
	answer := samples.Ask(p, replica.SampledQuery{})
	if answer.Lost > 0 || answer.Damaged > 0 {
		t.Errorf("%d lost, %d damaged", answer.Lost, answer.Damaged)
	}
	rows := map[string]replica.SampledRow{}
	for _, row := range answer.Rows {
		rows[row.Class+" "+row.Stack[0].Name] = row
	}
	known := map[string]largest{}
	for line := range strings.Lines(output.Stdout) {
		var kind string
		var of largest
		if _, err := fmt.Sscan(line, &kind, &of.share, &of.objects); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		known[kind] = of
	}
	if len(known) != 16 {
		t.Fatalf("%d kinds", len(known))
	}
	return rows, known
}

// checkUncounted: what the JVM made for itself is all that is known of sites.
func checkUncounted(t *testing.T, p *profile.Profile) {
	t.Helper()
	for i := range p.Sites {
		if s := &p.Sites[i]; s.Amount.Objects > 0 && s.Class != "(JVM)" {
			t.Errorf("%s.%s has counted %d objects", s.Class, s.Method, s.Amount.Objects)
		}
	}
	if seen := p.Classes.Classes; seen != 1 {
		t.Errorf("%d classes came to the recorder, want java.lang.Thread alone", seen)
	}
}

// classOfSampled gives the class, and the method that makes it, of a kind of Copied.java.
func classOfSampled(kind string) string {
	class := map[string]string{"fields": "Copied$Point", "mutated": "Copied$Point", "passed": "Copied$Point",
		"ints": "int[]", "element": "int[]", "result": "double[]", "row": "double[]",
		"buffer": "char[]"}[strings.TrimRight(kind, "0123456789")]
	if kind == "fields50" {
		kind = "pair"
	}
	return class + " " + kind
}

// TestSampled: samples say of what a program makes which group is the largest, for copies in runs and shuffled ones,
// read by the thread that made them or another, in each way that contexts are kept; and all objects are counted. What
// only looks equal where it is read is no finding.
func TestSampled(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, flags := range [][]string{
			{"--track", "replicas"}, {"--track", "contexts,replicas"},
			{"--track", "contexts,replicas", "--contexts", "tree"},
			{"--track", "contexts,replicas", "--contexts", "encoded"},
		} {
			if !jvmtest.IsTurn(t, jdk, i) {
				continue
			}
			t.Run(strings.Join(flags, " "), func(t *testing.T) {
				order := []string{"shuffled", "runs"}[i/2]
				// as long as the JVM interprets, beside other tests, a run takes 20 ms; some 10 objects of all kinds
				// are looked at in that time
				inOneRun := []float64{1, 4}[i/2]
				// how many samples there are in a second is the machine's load's: too few say nothing
				for seconds := 6; ; seconds *= 3 {
					rows, known := samplesOf(t, jdk, seconds, order, flags...)
					enough := sampledEnough(rows)
					if enough < 6 && seconds < 100 {
						t.Logf("%d s: %d kinds have pairs enough; once more, for longer", seconds, enough)
						continue
					}
					if enough < 6 {
						t.Errorf("%d kinds have pairs enough", enough)
					}
					checkSampled(t, rows, known, inOneRun)
					break
				}
			})
		}
	})
}

// sampledEnough counts the kinds of which samples can say something.
func sampledEnough(rows map[string]replica.SampledRow) int {
	enough := 0
	for _, row := range rows {
		if row.Count() >= replica.FewestPairs && row.IsByWhole() {
			enough++
		}
	}
	return enough
}

// checkSampled compares; objects of one run that were looked at say as much as one of them.
func checkSampled(t *testing.T, rows map[string]replica.SampledRow, known map[string]largest, inOneRun float64) {
	t.Helper()
	for kind, of := range known {
		row, there := rows[classOfSampled(kind)]
		if there && (!row.Counted || row.All.Objects != of.objects) {
			t.Errorf("%s: %d objects were counted, counted %v, want %d", kind, row.All.Objects, row.Counted, of.objects)
		}
		checkWhole(t, kind, row, of.share, inOneRun)
		if row.Count() < replica.FewestPairs {
			continue
		}
		// 95 % of intervals have it; twice as wide, all but one of ten thousand
		low, high := row.Omega-2*(row.Omega-row.OmegaLow), row.Gamma+2*(row.GammaHigh-row.Gamma)
		if of.share < low-0.02 || of.share > high+0.02 {
			t.Errorf("%s: the largest group has %.2f; samples say %.2f to %.2f, of %+v", kind, of.share, row.OmegaLow,
				row.GammaHigh, row.Pairs)
		}
		switch finding := row.IsFinding(); {
		case row.IsByWhole(): // then that says it
		case isMinor(row):
		case row.Count() < 3*replica.FewestPairs: // of 20 with 90 % copies one in thirty is no finding
		case of.share > 0.85 && !finding:
			t.Errorf("%s: %.2f are copies, and it is no finding: %+v", kind, of.share, row.Pairs)
		case of.share < 0.4 && finding:
			t.Errorf("%s: %.2f are copies, and it is a finding: %+v", kind, of.share, row.Pairs)
		}
	}
	for _, kind := range []string{"element", "buffer"} {
		row := rows[classOfSampled(kind)]
		if row.Count() >= replica.FewestPairs && !row.IsLookalike() {
			t.Errorf("%s is not said to look equal only: θ %.2f, γ %.2f", kind, row.Theta, row.Gamma)
		}
	}
}

// checkWhole holds what was seen of a kind's objects that were looked at whole against what share has one contents, all
// others being different.
func checkWhole(t *testing.T, kind string, row replica.SampledRow, share, inOneRun float64) {
	t.Helper()
	n := float64(row.Whole.Objects)
	off := 4*math.Sqrt(share*(1-share)*inOneRun/max(n, 1)) + 0.02 // four standard deviations: one in 16,000
	if n < replica.FewestPairs {
		return
	}
	if got := row.AsWhole.Repeated; math.Abs(got-share) > off || row.AsWhole.RepeatedLow > share+off/2 {
		t.Errorf("%s: %.3f of %.0f objects are copies, at least %.3f, want %.3f", kind, got, n, row.AsWhole.RepeatedLow,
			share)
	}
	if got := row.AsWhole.Largest; math.Abs(got-share) > off+1/n {
		t.Errorf("%s: %.3f of %.0f objects have the same contents, want %.3f", kind, got, n, share)
	}
	if finding := row.IsFinding(); !isMinor(row) && finding != (share >= replica.FindingShare) &&
		math.Abs(share-0.6) > off {
		t.Errorf("%s: %.3f are copies, and that is a finding: %v; %+v", kind, share, finding, row.Whole)
	}
}

// isMinor reports whether a row has so little of what samples stand for that its copies may be too few to be a finding.
// Each kind has 3 % or more of what Copied.java makes; but where the machine is busy samples are few, and stand for
// amounts that differ, so that one of 2 % was seen with 1.2.
func isMinor(row replica.SampledRow) bool { return row.SampledShare < 0.02 }

// TestSampledAlone: with samples alone, what they say of copies is as true, and how many objects of a kind there are is
// an estimate; no class but java.lang.Thread comes to the recorder, so none is another than without Mallard.
func TestSampledAlone(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for seconds := 6; ; seconds *= 3 {
			rows, known := samplesOf(t, jdk, seconds, "shuffled", "--track", "replicas", "--no-sites")
			enough := 0
			for _, row := range rows {
				if row.IsByWhole() {
					enough++
				}
			}
			if enough < 8 && seconds < 100 {
				t.Logf("%d s: of %d kinds enough objects were looked at; once more, for longer", seconds, enough)
				continue
			}
			if enough < 8 {
				t.Errorf("of %d kinds enough objects were looked at", enough)
			}
			checkAlone(t, rows, known)
			return
		}
	})
}

func checkAlone(t *testing.T, rows map[string]replica.SampledRow, known map[string]largest) {
	t.Helper()
	for kind, of := range known {
		row, there := rows[classOfSampled(kind)]
		if !there {
			t.Errorf("%s: no row", kind)
			continue
		}
		checkWhole(t, kind, row, of.share, 1)
		// each sample stands for about as many objects; where the sampler's interval changes, for more or fewer
		n := float64(row.Watched)
		if got := float64(row.All.Objects) / float64(of.objects); n >= 50 && math.Abs(got-1) > 0.25+4/math.Sqrt(n) {
			t.Errorf("%s: %.2f times as many objects are estimated, from %.0f samples", kind, got, n)
		}
		if row.Counted || row.Count() > 0 {
			t.Errorf("%s: counted %v, %d pairs, want neither", kind, row.Counted, row.Count())
		}
	}
}

// TestSampledLarge: arrays that are too large to be looked at are taken for no copies: those of a site whose small ones
// are all equal, and have hardly any of the bytes, and those of one that makes no others.
func TestSampledLarge(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command := mallardtest.Compiled(t, jdk, "TooLarge")
		command.Options, command.Args = []string{"-Xmx128m"}, []string{"3"}
		events := profile.Events{replica.Observer: nil}
		command, file := mallardtest.Profiled(t, command, "-q", "--track", "replicas", "--replicas", "sampled")
		if output := jdk.MustRun(t, command); output.ExitCode != 0 {
			t.Fatalf("exit code %d\n%s", output.ExitCode, output.Stderr)
		}
		p := mallardtest.Read(t, file, events)
		answer := replica.ReadSamples(events[replica.Observer]).Ask(p, replica.SampledQuery{Class: "int[]"})
		for _, row := range answer.Rows {
			switch name := row.Stack[0].Name; {
			case name != "some" && name != "huge":
			case row.Whole.Objects < 3:
				t.Errorf("%s: %d were looked at", name, row.Whole.Objects)
			case row.AsWhole.Repeated > 0.3 || row.IsFinding():
				t.Errorf("%s: %.2f of %d are copies", name, row.AsWhole.Repeated, row.Whole.Objects)
			}
		}
	})
}

// TestHeldBriefly: a program that waits until something is collected, and allocates nothing, does not wait for ever.
func TestHeldBriefly(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		command, _ := mallardtest.Profiled(t, mallardtest.Compiled(t, jdk, "Held"), "-q", "--track", "replicas",
			"--replicas", "sampled")
		output := jdk.MustRun(t, command)
		if got := strings.TrimSpace(output.Stdout); output.ExitCode != 0 || got != "20" {
			t.Errorf("exit code %d, %s of 20 arrays were collected\n%s", output.ExitCode, got, output.Stderr)
		}
	})
}

// TestSampledTable writes the table of docs/replicas.md, given MALLARD_TABLE=FILE: of runs of half a minute, which
// findings are right.
func TestSampledTable(t *testing.T) {
	file := os.Getenv("MALLARD_TABLE")
	if file == "" {
		t.Skip("MALLARD_TABLE is not set")
	}
	var table strings.Builder
	right, more, less := 0, 0, 0
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, order := range []string{"shuffled", "runs"} {
			rows, known := samplesOf(t, jdk, 25, order, "--track", "replicas")
			for kind, of := range known {
				share := of.share
				row := rows[classOfSampled(kind)]
				is, said := share >= replica.FindingShare, row.IsFinding()
				verdict := "right"
				switch {
				case is == said:
					right++
				case said:
					verdict = "false positive"
					more++
				default:
					verdict = "false negative"
					less++
				}
				fmt.Fprintf(&table, "| %s, JDK %d, %s | %.2f | %d | %.2f | %.2f | %.2f | %s |\n", kind, jdk.Feature,
					order, share, row.Count(), row.Theta, row.Omega, row.Gamma, verdict)
			}
		}
	})
	fmt.Fprintf(&table, "%d right, %d false positives, %d false negatives\n", right, more, less)
	if err := os.WriteFile(file, []byte(table.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

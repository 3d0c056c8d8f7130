package objects_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"mallard/internal/heap"
	"mallard/internal/jvmtest"
	"mallard/internal/mallardtest"
	"mallard/internal/observe/collections"
	"mallard/internal/profile"
)

// way is how the program Keeps keeps objects, or none, and what is sure to be said of that: "" for nothing.
type way struct {
	name       string
	full       int // collections that it asks for
	perSecond  int
	options    []string
	collectors []string
	growing    string // class and method
	others     string // of other verdicts: which, and the method, where it has one
	orOthers   string // the same, where there may be time for more
}

var small = []string{"-Xmx96m", "-Xmn16m", "-XX:MaxTenuringThreshold=1"}

// mixed has G1 collect old regions all the time, all of them that have garbage, and never all of the heap.
var mixed = []string{"-Xmx96m", "-Xmn6m", "-XX:+UnlockExperimentalVMOptions", "-XX:G1HeapRegionSize=1m",
	"-XX:InitiatingHeapOccupancyPercent=5", "-XX:-G1UseAdaptiveIHOP", "-XX:G1MixedGCLiveThresholdPercent=100",
	"-XX:G1HeapWastePercent=0", "-XX:MaxTenuringThreshold=1"}

var ways = []way{
	{"static", 30, 20_000, small, collectors, "Keeps$Registered of register", "churn of run", ""},
	{"listener", 30, 20_000, small, collectors, "Keeps$Heard of listen", "churn of run", ""},
	{"thread", 30, 20_000, small, collectors, "Keeps$Session of begin", "churn of run", ""},
	{"loader", 30, 300, small, collectors, "Keeps$Loader of plug", "churn of run", ""},
	{"slow", 30, 100, small, collectors, "Keeps$Slow of slowly", "churn of run", ""},
	{"cache", 30, 20_000, small, collectors, "", "bounded of newNode, churn of run", ""},
	{"beside", 0, 20_000, mixed, []string{"G1"}, "Keeps$Slow of slowly", "bounded of newNode",
		"bounded of newNode, churn of run"}, // its garbage may be too little of all that dies
	{"requests", 5, 40_000, []string{"-Xmx96m", "-Xmn2m", "-XX:MaxTenuringThreshold=1"}, collectors, "",
		"premature of <init>, churn of run", ""},
	{"churn", 0, 0, small, collectors, "", "churn of run", ""},
	{"large", 0, 300, []string{"-Xmx64m", "-XX:G1HeapRegionSize=1m", "-XX:-G1UseAdaptiveIHOP",
		"-XX:InitiatingHeapOccupancyPercent=20"}, []string{"G1"}, "", "humongous of large", ""},
	{"crowd", 0, 0, []string{"-Xmx32m"}, collectors, "", "nearly full",
		"nearly full, churn of crowd"}, // its garbage dies young, where young collections come at all
}

// holders are what has all objects that a way keeps.
var holders = map[string]string{
	"static":   "static Keeps.registry > java.util.ArrayList.elementData[]",
	"slow":     "static Keeps.registry > java.util.ArrayList.elementData[]",
	"listener": "static Keeps.button > Keeps$Button.listeners > java.util.ArrayList.elementData[]",
	"thread": "thread Thread-* > java.lang.Thread.threadLocals > java.lang.ThreadLocal$ThreadLocalMap.table[] > " +
		"java.lang.ThreadLocal$ThreadLocalMap$Entry.value > java.util.ArrayList.elementData[]",
	"loader": "static Keeps.plugins > java.util.ArrayList.elementData[] > Keeps$Plugin.class > " +
		"java.lang.Class.classLoader",
}

// TestVerdicts has a program keep objects in all ways that are told apart, and holds what is said of each to what it
// does: what grows, and what holds it. Over time, too: a full cache is not said to grow, and what is said of the others
// goes on being said.
func TestVerdicts(t *testing.T) {
	jvmtest.ForEachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i, w := range ways {
			for k, collector := range w.collectors {
				if len(w.collectors) == 1 || jvmtest.IsTurn(t, jdk, i+k) {
					t.Run(w.name+" "+collector, func(t *testing.T) { w.test(t, jdk, collector) })
				}
			}
		}
	})
}

func (w *way) test(t *testing.T, jdk jvmtest.JDK, collector string) {
	const runs = 4
	milliseconds := 2000
	if w.full == 0 && w.growing != "" { // there are fewer series of mixed collections than there are full ones
		milliseconds = 4000
	}
	if w.name == "crowd" && !jvmtest.Long() { // it is collected all the time
		milliseconds = 800
	}
	command := mallardtest.Compiled(t, jdk, "Keeps")
	command.Options = append(slices.Clone(w.options), "-XX:+Use"+collector+"GC")
	for run := 1; ; run++ {
		command.Args = []string{w.name, fmt.Sprint(milliseconds), fmt.Sprint(w.full), fmt.Sprint(w.perSecond)}
		s := recordedVerdicts(t, jdk, command)
		last := len(s.list) - 1
		growing, others := s.growing(last), otherVerdicts(s.list[last])
		if w.growing == "" && len(growing) > 0 {
			t.Errorf("%q grow", growing)
		}
		if b := s.list[last].Bounded; b != nil {
			for i, at := range s.times {
				isPlanted := func(class string) bool { return class == w.growing }
				if list := slices.DeleteFunc(s.growing(i), isPlanted); at > b.Since*3/2 && len(list) > 0 {
					t.Errorf("at %v %q grow, full since %v", at, list, b.Since)
				}
			}
		}
		found := (others == w.others || w.orOthers != "" && others == w.orOthers) &&
			(w.growing == "" || slices.Contains(growing, w.growing))
		if found {
			w.checkHolder(t, s.file)
			s.log(t, w)
			return
		}
		milliseconds *= 2 // on a busy machine a program may not be steady enough
		if run == runs {
			t.Fatalf("%q grow; %s; want %q; %s", growing, others, w.growing, w.others)
		}
	}
}

// checkHolder asks mallard what is sure of a recording, and looks at what holds that which grows.
func (w *way) checkHolder(t *testing.T, file string) {
	t.Helper()
	want, planted := holders[w.name]
	if !planted {
		return
	}
	var answer struct {
		Verdicts []struct {
			Class  string
			HeldBy string `json:"held_by"`
		}
	}
	out, err := exec.Command(mallardtest.Binary(t), "heap", file, "--format", "json").Output()
	if err == nil {
		err = json.Unmarshal(out, &answer)
	}
	if err != nil {
		t.Fatal(err)
	}
	class, _, _ := strings.Cut(w.growing, " of ")
	for _, v := range answer.Verdicts {
		if v.Class == class && v.HeldBy == want {
			return
		}
	}
	t.Errorf("%s has to be held by %s:\n%+v", class, want, answer.Verdicts)
}

// said is what was sure at moments of a recording.
type said struct {
	file    string
	history *heap.History
	times   []time.Duration
	list    []*heap.Verdicts
}

// moments is at how many the verdicts are asked for. For each of them all that came before is read.
func moments() int {
	if jvmtest.Long() {
		return 40
	}
	return 20
}

func recordedVerdicts(t *testing.T, jdk jvmtest.JDK, command jvmtest.Command) *said {
	t.Helper()
	events := profile.Events{heap.Observer: nil, collections.Name: nil}
	command, file := mallardtest.Profiled(t, command, "-q", "--track", "sites,objects", "--references", "end")
	output := jdk.MustRun(t, command)
	p := mallardtest.Read(t, file, events)
	if output.ExitCode != 0 || !p.Complete || len(p.Losses) > 0 {
		t.Fatalf("exit code %d, complete %v, losses %v\n%s", output.ExitCode, p.Complete, p.Losses, output.Stderr)
	}
	history := heap.NewHistory(events[heap.Observer])
	checkHeap(t, jdk, history)
	s := &said{file: file, history: history.BySites(p.Tagged)}
	causes := collections.Causes(p.Process, events[collections.Name])
	end := s.history.Pauses[len(s.history.Pauses)-1].Time()
	n := moments()
	for k := range n {
		at, err := s.history.At(end * time.Duration(k+1) / time.Duration(n))
		if err != nil {
			continue // no collection has come yet
		}
		if k == n-1 {
			at = len(s.history.Pauses) - 1
		}
		s.times = append(s.times, s.history.Pauses[at].Time())
		s.list = append(s.list, s.history.Verdicts(at, heap.Query{}, causes))
	}
	return s
}

// growing are the classes that are said to grow, with the methods that make them.
func (s *said) growing(moment int) (list []string) {
	for _, g := range s.list[moment].Growing {
		list = append(list, g.Name+by(g.Site))
	}
	return list
}

func by(site *profile.Site) string {
	if site == nil {
		return ""
	}
	return " of " + site.Method
}

// otherVerdicts are those that are not of growth.
func otherVerdicts(v *heap.Verdicts) (text string) {
	add := func(what string) {
		if text != "" {
			text += ", "
		}
		text += what
	}
	if v.Crowded != nil {
		add("nearly full")
	}
	if v.Bounded != nil {
		add("bounded" + by(v.Bounded.Site))
	}
	if v.Early != nil {
		add("premature" + by(v.Early.Site))
	}
	if v.Oversized != nil {
		add("humongous" + by(v.Oversized.Site))
	}
	if v.Churning != nil {
		add("churn" + by(v.Churning.Site))
	}
	return text
}

// log says from when on what is said at the end has been said, after how many collections.
func (s *said) log(t *testing.T, w *way) {
	since := func(what string, holds func(i int) bool) {
		i := len(s.list) - 1
		for i > 0 && holds(i-1) {
			i--
		}
		all, full := 0, 0
		for _, p := range s.history.Pauses {
			if p.Ended || p.Time() > s.times[i] || p.Collected == heap.Nothing {
				continue
			}
			if all++; p.Collected == heap.Everything {
				full++
			}
		}
		t.Logf("%s: %s from %.1f s of %.1f s on, %d collections, %d full ones", w.name, what, s.times[i].Seconds(),
			s.times[len(s.times)-1].Seconds(), all, full)
	}
	if b := s.list[len(s.list)-1].Bounded; b != nil {
		t.Logf("%s: full from %.1f s on, by full collections: %t", w.name, b.Since.Seconds(), b.Full)
		since("bounded", func(i int) bool { return s.list[i].Bounded != nil })
	}
	if w.growing != "" {
		since("growing", func(i int) bool { return slices.Contains(s.growing(i), w.growing) })
		return
	}
	if s.list[len(s.list)-1].Bounded != nil {
		since("not growing", func(i int) bool { return len(s.growing(i)) == 0 })
	}
	since(w.others, func(i int) bool { return otherVerdicts(s.list[i]) == w.others })
}

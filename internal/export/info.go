package export

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"mallard/internal/profile"
)

// Info is what is known about a recording as a whole, ready to be written.
type Info struct {
	File    string // the recording, as the user named it
	Size    int64  // of the file, bytes
	Profile *profile.Profile
}

// The JSON form of Info. Null means unknown.
type (
	jsonInfo struct {
		File           string             `json:"file"`
		JVM            *jsonJVM           `json:"jvm"`
		Track          []string           `json:"track"`
		Placement      *string            `json:"placement"`
		Started        *string            `json:"started"`
		Seconds        float64            `json:"seconds"`
		Complete       bool               `json:"complete"`
		KeptFrom       *float64           `json:"kept_from,omitempty"` // seconds; events before that were given up
		ExitReason     *string            `json:"exit_reason"`
		Objects        int64              `json:"objects"`
		Bytes          *int64             `json:"bytes"`
		Bytecodes      *int64             `json:"bytecodes,omitempty"`
		Increments     int64              `json:"increments"`
		SiteIncrements int64              `json:"site_increments"`
		Sites          jsonSites          `json:"sites"`
		Contexts       *jsonContexts      `json:"contexts"`
		Threads        int                `json:"threads"`
		Classes        jsonClasses        `json:"classes"`
		Methods        jsonMethods        `json:"methods"`
		Adaptation     *jsonAdaptation    `json:"adaptation"`
		Losses         []jsonLoss         `json:"losses"`
		Reconciliation jsonReconciliation `json:"reconciliation"`
	}
	jsonJVM struct {
		Version string   `json:"version"`
		Name    string   `json:"name"`
		GC      string   `json:"gc"`
		PID     int64    `json:"pid"`
		Command []string `json:"command"`
	}
	jsonSites struct {
		Defined   int `json:"defined"`
		Allocated int `json:"allocated"`
	}
	jsonContexts struct {
		Count          int           `json:"count"`
		Deepest        int           `json:"deepest"`
		Calls          int64         `json:"calls"` // 0 but with trees
		UnknownObjects int64         `json:"unknown_objects"`
		Confused       float64       `json:"confused"`
		Bytes          *uint64       `json:"bytes"`
		Asked          *uint64       `json:"asked"` // context lookups that threads waited for
		Encoding       *jsonEncoding `json:"encoding,omitempty"`
	}
	jsonEncoding struct {
		Epochs      uint64 `json:"epochs"`
		Calls       uint64 `json:"calls"`
		GraphBytes  uint64 `json:"graph_bytes"`
		Anchors     uint64 `json:"anchors"`
		AnchorBytes uint64 `json:"anchor_bytes"`
	}
	jsonClasses struct {
		Seen         *uint64       `json:"seen"`
		Instrumented *uint64       `json:"instrumented"`
		Unchanged    *uint64       `json:"unchanged"`
		Hidden       *uint64       `json:"hidden"`
		Cached       *uint64       `json:"cached"`
		Skipped      []jsonSkipped `json:"skipped"`
	}
	jsonSkipped struct {
		Class  string `json:"class"`
		Reason string `json:"reason"`
	}
	jsonMethods struct {
		Instrumented     *uint64 `json:"instrumented"`
		Calling          *uint64 `json:"calling"`
		Adapted          *uint64 `json:"adapted"`
		Fallback         *uint64 `json:"fallback"`
		Executed         int     `json:"executed"`
		ExecutedFallback int     `json:"executed_fallback"`
		FallbackObjects  int64   `json:"fallback_objects"`
	}
	jsonAdaptation struct {
		Batches         uint64  `json:"batches"`
		Classes         uint64  `json:"classes"`
		Live            uint64  `json:"live"`
		Refused         uint64  `json:"refused"`
		JVMSeconds      float64 `json:"jvm_seconds"`
		DecisionSeconds float64 `json:"decision_seconds"`
		Increments      int64   `json:"increments"`
		Baseline        int64   `json:"baseline"`
	}
	jsonReconciliation struct {
		MallardBytes *int64           `json:"mallard_bytes"`
		JVMBytes     *int64           `json:"jvm_bytes"`
		ByCause      map[string]int64 `json:"by_cause"`
	}
)

// JSON writes the facts as one JSON object.
func (i *Info) JSON(w io.Writer) error {
	p := i.Profile
	info := jsonInfo{
		File:           i.File,
		Seconds:        math.Round(p.Duration.Seconds()*1000) / 1000,
		Complete:       p.Complete,
		ExitReason:     optional(p.Reason),
		Objects:        p.Total.Objects,
		Bytes:          newJSONAmount(p.Total).Bytes,
		Increments:     p.Increments,
		SiteIncrements: p.SiteIncrements,
		Sites:          jsonSites{Defined: p.SitesDefined, Allocated: p.SitesAllocated},
		Threads:        p.ThreadsRecorded,
		Classes:        jsonClasses{Skipped: []jsonSkipped{}},
		Methods: jsonMethods{Executed: p.Executed.Methods, ExecutedFallback: p.Executed.Fallback,
			FallbackObjects: p.Executed.FallbackObjects},
		Losses:         newJSONLosses(p),
		Reconciliation: jsonReconciliation{MallardBytes: newJSONAmount(p.Total).Bytes},
	}
	if p.Kept != nil {
		from := time.Duration(p.Kept.From).Seconds()
		info.KeptFrom = &from
	}
	if process := p.Process; process != nil {
		info.JVM = &jsonJVM{process.JVMVersion, process.JVMName, process.GC, process.PID, process.Command}
		info.Track = process.Track
		info.Placement = optional(process.Placement)
		info.Started = optional(p.Started.UTC().Format(time.RFC3339Nano))
	}
	if seen := p.Classes; seen != nil {
		info.Classes.Seen, info.Classes.Instrumented = &seen.Classes, &seen.Instrumented
		info.Classes.Unchanged, info.Classes.Hidden, info.Classes.Cached = &seen.Unchanged, &seen.Hidden, &seen.Cached
		info.Methods.Instrumented, info.Methods.Adapted, info.Methods.Fallback = &seen.Methods, &seen.Adapted,
			&seen.Fallback
		info.Methods.Calling = &seen.Calling
	}
	if p.Bytecodes {
		info.Bytecodes = &p.Total.Bytecodes
	}
	if c := p.ContextFacts(); c != nil {
		info.Contexts = &jsonContexts{Count: c.Contexts, Deepest: c.Deepest, Calls: c.Calls,
			UnknownObjects: c.Unknown.Objects, Confused: c.Confused}
		if m := p.ContextTotals; m != nil {
			info.Contexts.Bytes, info.Contexts.Asked = &m.Bytes, &m.Asked
			if m.Epochs > 0 {
				info.Contexts.Encoding = &jsonEncoding{m.Epochs, m.Calls, m.GraphBytes, m.Anchors, m.AnchorBytes}
			}
		}
	}
	if a := p.Adaptation; a != nil {
		info.Adaptation = &jsonAdaptation{a.Batches, a.Classes, a.Live, a.Refused, time.Duration(a.JVMNanos).Seconds(),
			time.Duration(a.DecisionNanos).Seconds(), a.Increments, a.Baseline}
	}
	for _, class := range p.Skipped {
		info.Classes.Skipped = append(info.Classes.Skipped, jsonSkipped(class))
	}
	if r := p.Reconciliation; r != nil {
		info.Reconciliation.JVMBytes = &r.JVM
		info.Reconciliation.ByCause = map[string]int64{}
		for _, c := range causes(r) {
			info.Reconciliation.ByCause[c.name] = c.bytes
		}
	}
	text, err := marshal(info, "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// contextsText says how many contexts there are, and what is not sure of them.
func contextsText(c *profile.ContextFacts, total profile.Amount) string {
	text := fmt.Sprintf("%s of calls of up to %s", counted(int64(c.Contexts), "chain"),
		counted(int64(c.Deepest), "frame"))
	if c.Calls > 0 {
		text += fmt.Sprintf(", entered %s times", grouped(c.Calls))
	}
	text += fmt.Sprintf("; %s %% of the objects with unknown caller",
		percent(c.Unknown.Objects, total.Objects))
	if c.Confused > 0 {
		text += fmt.Sprintf("; probability of a hash collision below %.0e", c.Confused)
	}
	return text
}

// Text writes the facts for a reader.
func (i *Info) Text(w io.Writer) error {
	var f facts
	p := i.Profile
	f.add("Recording", fmt.Sprintf("%s, %s", i.File, exactBytes(i.Size)))
	addProcess(&f, p)
	if p.Process != nil {
		f.add("Tracked", fmt.Sprintf("%s, placement %s, by mallard %s", strings.Join(p.Process.Track, ", "),
			p.Process.Placement, p.Process.MallardVersion))
	}
	f.add("Complete", completeText(p))
	if k := p.Kept; k != nil {
		f.add("Kept", fmt.Sprintf("from %s on (run --keep %s): earlier events were discarded; counts cover the "+
			"whole run", seconds(time.Duration(k.From)), time.Duration(k.For)))
	}
	f.add("Total", amount(p.Total))
	if p.Bytecodes {
		f.add("Executed", executedText(p.Total))
	}
	f.add("Sites", fmt.Sprintf("%s allocated, %s known", counted(int64(p.SitesAllocated), "site"),
		grouped(int64(p.SitesDefined))))
	if c := p.ContextFacts(); c != nil {
		f.add("Contexts", contextsText(c, p.Total))
	}
	if p.ContextTotals != nil {
		f.add("Memory", memoryText(p))
		f.add("Asked", fmt.Sprintf("threads waited for a context lookup %s times",
			grouped(int64(p.ContextTotals.Asked))))
	}
	f.add("Threads", fmt.Sprintf("%s allocated, %s known", counted(allocatingThreads(p), "thread"),
		grouped(int64(p.ThreadsRecorded))))
	f.add("Increments", incrementsText(p))
	f.add("Classes", classesText(p))
	f.add("Methods", methodsText(p))
	if p.Adaptation != nil {
		f.add("Adapted", adaptationText(p))
	}
	f.add("Losses", lossLines(p)...)
	f.add("Reconciled", reconciliationLines(p.Reconciliation)...)
	f.add("Skipped", skippedLines(p, len(p.Skipped), i.File)...)
	return f.writeTo(w)
}

func memoryText(p *profile.Profile) string {
	m := p.ContextTotals
	text := counted(int64(m.Bytes), "byte") + " in the program for contexts"
	if m.Epochs > 0 {
		text += fmt.Sprintf(", of these %s for %s with constants (%s) and %s for %s", grouped(int64(m.GraphBytes)),
			counted(int64(m.Calls), "call"), counted(int64(m.Epochs), "epoch"),
			grouped(int64(m.AnchorBytes)), counted(int64(m.Anchors), "anchor"))
	}
	return text
}

func completeText(p *profile.Profile) string {
	text := "no: there is no last snapshot, counts are exact except for methods still on a stack"
	if p.Complete {
		text = "yes: the last snapshot was taken, methods still on a stack included"
	}
	if p.Reason != "" {
		text += " (" + p.Reason + ")"
	}
	return text
}

func allocatingThreads(p *profile.Profile) (n int64) {
	for _, thread := range p.Threads {
		n += int64(thread.Merged)
	}
	return n
}

func incrementsText(p *profile.Profile) string {
	text := fmt.Sprintf("%s made, %s with one counter per site", grouped(p.Increments), grouped(p.SiteIncrements))
	if p.Total.Objects > 0 {
		text += fmt.Sprintf("; %.2f for each object", float64(p.Increments)/float64(p.Total.Objects))
	}
	return text
}

func classesText(p *profile.Profile) string {
	seen := p.Classes
	if seen == nil {
		return unknown
	}
	return fmt.Sprintf("%s seen: %s instrumented, %s without allocations, %s skipped; %s of them from the class "+
		"cache; %s hidden classes in addition",
		grouped(int64(seen.Classes)), grouped(int64(seen.Instrumented)), grouped(int64(seen.Unchanged)),
		grouped(int64(seen.Skipped)), grouped(int64(seen.Cached)), grouped(int64(seen.Hidden)))
}

func methodsText(p *profile.Profile) string {
	seen := p.Classes
	if seen == nil {
		return unknown
	}
	e := p.Executed
	text := fmt.Sprintf("%s instrumented, %s adapted, %s with a weaker placement than requested: %s of the %s that "+
		"allocated, %s %% of the objects",
		grouped(int64(seen.Methods)), grouped(int64(seen.Adapted)), grouped(int64(seen.Fallback)),
		grouped(int64(e.Fallback)), grouped(int64(e.Methods)),
		percent(e.FallbackObjects, p.Total.Objects))
	if p.Tracked {
		text += fmt.Sprintf("; %s more that only call others, for their contexts", grouped(int64(seen.Calling)))
	}
	return text
}

func adaptationText(p *profile.Profile) string {
	a := p.Adaptation
	milliseconds := func(nanos int64) string { return fmt.Sprintf("%.1f ms", time.Duration(nanos).Seconds()*1000) }
	text := fmt.Sprintf("%s retransformed, %s, in %s; %s to decide", counted(int64(a.Classes), "class"),
		counted(int64(a.Batches), "time"),
		milliseconds(a.JVMNanos), milliseconds(a.DecisionNanos))
	if a.Baseline > 0 {
		text += fmt.Sprintf("; the adapted methods then made %s increments instead of %s", grouped(a.Increments),
			grouped(a.Baseline))
	}
	return text
}

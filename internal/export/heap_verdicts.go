package export

import (
	"fmt"
	"math"
	"time"

	"mallard/internal/heap"
	"mallard/internal/profile"
)

// addVerdicts says what is sure, and what holds each class that grows; nil: that is not known.
func (r *HeapReport) addVerdicts(v *heap.Verdicts, holders []string) {
	for i := range v.Growing {
		holder := ""
		if i < len(holders) {
			holder = holders[i]
		}
		r.addGrowing(&v.Growing[i], holder)
	}
	if v.Crowded != nil {
		r.addVerdict(crowdedVerdict(v.Crowded))
	}
	if v.Bounded != nil {
		r.addVerdict(boundedVerdict(v.Bounded))
	}
	if v.Early != nil {
		r.addVerdict(earlyVerdict(v.Early))
	}
	if v.Oversized != nil {
		r.addVerdict(oversizedVerdict(v.Oversized))
	}
	if v.Churning != nil {
		r.addVerdict(churningVerdict(v.Churning))
	}
}

// verdictLabels are the labels of lines of text, by what JSON calls them.
var verdictLabels = map[string]string{"growing": "Growing", "nearly_full": "Nearly full", "bounded": "Bounded",
	"premature": "Premature", "humongous": "Humongous", "churn": "Churn"}

func (r *HeapReport) addVerdict(v jsonVerdict) {
	r.head.Verdicts = append(r.head.Verdicts, v)
	r.facts.add(verdictLabels[v.Verdict], v.Text)
}

func (r *HeapReport) addGrowing(g *heap.Growing, holder string) {
	looked, after := "full", "full collection"
	if !g.Full {
		looked, after = "all", "collection"
	}
	if r.head.Growing == nil {
		r.head.Growing = &jsonGrowing{g.Name, newJSONSite(g.Site), g.Slope, g.Fit, g.Stayed(), looked, holder}
	}
	kept, born := g.Kept()
	stayed := fmt.Sprintf("%.1f %% of what was born stayed", g.Stayed())
	switch {
	case r.history.IsLate(): // what was there then counts as born
		stayed = fmt.Sprintf("%.1f %% of what was there at %.1f s, or was born since, stayed", g.Stayed(),
			r.history.Begin().Seconds())
	case g.Held == g.Born:
		stayed = "none was ever found dead"
	case g.Stayed() < 50:
		stayed += fmt.Sprintf(", %s of every %s", roundBytes(kept), roundBytes(born))
	}
	text := fmt.Sprintf("%s grows by %s a minute, %s from one %s to the next (R² %.2f); %s",
		madeAt(g.Name, g.Loaders, g.Site),
		roundBytes(g.Slope*time.Minute.Seconds()), roundBytes(g.Each), after, g.Fit, stayed)
	verdict := jsonVerdict{Verdict: "growing", verdictClass: newVerdictClass(g.Name, g.Loaders, g.Site),
		HeldBy: holder, Figures: map[string]float64{
			"bytes_per_second": g.Slope, "bytes_per_collection": g.Each, "r_squared": g.Fit,
			"stayed_percent": g.Stayed(), "held_bytes": float64(g.Held.Bytes), "born_bytes": float64(g.Born.Bytes)}}
	if name, each, ended := r.transactionsOf(g); ended > 0 {
		text += fmt.Sprintf("; %s of it for each of %s %s", roundBytes(each), counted(ended, "transaction"), name)
		verdict.Transaction = name
		verdict.Figures["transactions"], verdict.Figures["bytes_per_transaction"] = float64(ended), each
	}
	if holder != "" {
		text += "; held by " + holder
	}
	verdict.Text = text
	r.addVerdict(verdict)
}

// transactionsOf gives the transactions in which what grows is made, how much of what each made is held, in bytes, and
// how many have ended; 0 where there are none, or where the answer is of an earlier moment: how many there had been
// then is not known.
func (r *HeapReport) transactionsOf(g *heap.Growing) (name string, each float64, ended int64) {
	if g.Site == nil || g.Born.Bytes == 0 || !r.profile.HasTransactionSizes() || r.head.At.State != "end" {
		return "", 0, 0
	}
	name, made := r.profile.TransactionOf(g.Site)
	sizes := r.profile.TransactionSizes(name)
	if sizes == nil || sizes.Ended == 0 {
		return "", 0, 0
	}
	each = float64(made.Bytes) / float64(sizes.Ended) * float64(g.Held.Bytes) / float64(g.Born.Bytes)
	return name, each, sizes.Ended
}

func boundedVerdict(b *heap.Bounded) jsonVerdict {
	looked := "each of " + counted(int64(b.Collections), "full collection")
	if !b.Full {
		looked = fmt.Sprintf("%s series of mixed collections, the least of any %d in turn",
			grouped(int64(b.Collections)), b.Over)
	}
	text := fmt.Sprintf("%s grew until %.1f s, and has been full since: %s after %s, within %.0f %%, while %s "+
		"were born", madeAt(b.Name, b.Loaders, b.Site), b.Since.Seconds(), roundBytes(float64(b.Level.Bytes)), looked,
		100*b.Within, roundBytes(float64(b.Born.Bytes)))
	return jsonVerdict{Verdict: "bounded", verdictClass: newVerdictClass(b.Name, b.Loaders, b.Site),
		Text: text, Figures: map[string]float64{
			"since_seconds": b.Since.Seconds(), "held_bytes": float64(b.Level.Bytes),
			"collections": float64(b.Collections), "born_bytes": float64(b.Born.Bytes)}}
}

func earlyVerdict(e *heap.Early) jsonVerdict {
	share := 100 * float64(e.Died.Bytes) / float64(e.Promoted.Bytes)
	text := fmt.Sprintf("%s was promoted in vain: of %s at least %.1f %% were dead at the next full collection "+
		"(%d of them)", madeAt(e.Name, e.Loaders, e.Site), roundBytes(float64(e.Promoted.Bytes)), floored(share),
		e.Collections)
	return jsonVerdict{Verdict: "premature", verdictClass: newVerdictClass(e.Name, e.Loaders, e.Site),
		Text: text, Figures: map[string]float64{
			"promoted_bytes": float64(e.Promoted.Bytes), "died_bytes": float64(e.Died.Bytes), "died_percent": share,
			"collections": float64(e.Collections)}}
}

func churningVerdict(c *heap.Churning) jsonVerdict {
	share := 100 * float64(c.Died.Bytes) / float64(c.Born.Bytes)
	filled := 100 * float64(c.Filled.Bytes) / float64(c.Born.Bytes)
	stopped := 100 * c.Stopped.Seconds() / c.Time.Seconds()
	text := fmt.Sprintf("at least %.1f %% of what was born died in its first collection; %s was %.1f %% of what "+
		"filled eden, %s died in a second; %s stopped the program for %.3f s (%.1f %% of the time)", floored(share),
		madeAt(c.Name, c.Loaders, c.Site), filled, roundBytes(c.Rate()),
		counted(int64(c.Collections), "young collection"), c.Stopped.Seconds(), stopped)
	return jsonVerdict{Verdict: "churn", verdictClass: newVerdictClass(c.Name, c.Loaders, c.Site),
		Text: text, Figures: map[string]float64{
			"died_percent": share, "class_percent": filled, "bytes_per_second": c.Rate(),
			"collections": float64(c.Collections), "stopped_seconds": c.Stopped.Seconds(), "stopped_percent": stopped}}
}

func oversizedVerdict(o *heap.Oversized) jsonVerdict {
	text := fmt.Sprintf("%d of %s came because of humongous objects, and stopped the program for %.3f s; %s was %s %% "+
		"of their %s", o.Collections, counted(int64(o.All), "collection"), o.Stopped.Seconds(),
		madeAt(o.Name, o.Loaders, o.Site),
		percent(o.Made.Bytes, o.Born.Bytes), roundBytes(float64(o.Born.Bytes)))
	return jsonVerdict{Verdict: "humongous", verdictClass: newVerdictClass(o.Name, o.Loaders, o.Site),
		Text: text, Figures: map[string]float64{
			"collections": float64(o.Collections), "all_collections": float64(o.All),
			"stopped_seconds": o.Stopped.Seconds(), "born_bytes": float64(o.Born.Bytes),
			"class_bytes": float64(o.Made.Bytes)}}
}

func crowdedVerdict(c *heap.Crowded) jsonVerdict {
	share := 100 * float64(c.Left) / float64(c.Found)
	text := fmt.Sprintf("the last %d full collections, which came for want of room, left %.1f %% of what they found, "+
		"%s at most; the last was at %.1f s", c.Collections, share, roundBytes(float64(c.Most)), c.Last.Seconds())
	return jsonVerdict{Verdict: "nearly_full", Text: text, Figures: map[string]float64{
		"collections": float64(c.Collections), "left_percent": share, "found_bytes": float64(c.Most),
		"last_seconds": c.Last.Seconds()}}
}

// madeAt is a class, with the site that makes it, where that is known, and its loaders where the name has several.
func madeAt(class string, loaders heap.Loaders, site *profile.Site) string {
	if loaders.Count > 1 {
		class += fmt.Sprintf(" of %s loaders", grouped(int64(loaders.Count)))
	} else if site == nil || site.Loader != loaders.Title {
		class += inLoader(loaders.Title)
	}
	if site == nil {
		return class
	}
	return class + " made at " + stackLine(site, false) + inLoader(site.Loader)
}

// newVerdictClass is what a verdict is about.
func newVerdictClass(name string, loaders heap.Loaders, site *profile.Site) verdictClass {
	return verdictClass{name, loaders.Title, loaders.Count, newJSONSite(site)}
}

// floored has one digit behind the point, and is no more than what is at least.
func floored(percent float64) float64 { return math.Floor(10*percent) / 10 }

// newJSONSite is nil where there is none.
func newJSONSite(s *profile.Site) *jsonSite {
	if s == nil {
		return nil
	}
	return &jsonSite{s.Class, s.Method, s.Descriptor, &s.Line, &s.BCI}
}

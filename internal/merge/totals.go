package merge

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"

	"mallard/internal/profile"
	"mallard/internal/trace"
)

// Observers whose counts can be added up.
const (
	sitesObserver     = "sites"
	contextsObserver  = "contexts"
	bytecodesObserver = "bytecodes"
)

// newProcess says what the sources have in common.
func newProcess(sources []Source, version string) *trace.Process {
	process := &trace.Process{MallardVersion: version, Track: []string{sitesObserver}}
	if allTracked(sources) {
		process.Track = append(process.Track, contextsObserver)
	}
	if allBytecodes(sources) {
		process.Track = append(process.Track, bytecodesObserver)
	}
	main := ""
	for i, s := range sources {
		p := s.Profile.Process
		if p == nil {
			continue
		}
		of, _ := profile.MainProgram(p.Command)
		if i == 0 {
			process.JVMVersion, process.JVMName, process.GC = p.JVMVersion, p.JVMName, p.GC
			process.Placement, process.Arch, process.Command, main = p.Placement, p.Arch, p.Command, of
		}
		if process.Started == 0 || p.Started != 0 && p.Started < process.Started {
			process.Started = p.Started
		}
		for _, fact := range []struct {
			common *string
			own    string
		}{{&process.JVMVersion, p.JVMVersion}, {&process.JVMName, p.JVMName}, {&process.GC, p.GC},
			{&process.Placement, p.Placement}, {&process.Arch, p.Arch}} {
			if *fact.common != fact.own {
				*fact.common = ""
			}
		}
		if of != main {
			process.Command = nil
		}
	}
	return process
}

// addLosses says what a source lacks, and of which classes it has nothing.
func (m *merger) addLosses(s *Source) {
	for _, l := range s.Profile.Losses {
		if !s.Profile.Merged {
			l.Detail = filepath.Base(s.File) + ": " + l.Detail
		}
		m.emit(&l)
	}
	for _, skipped := range s.Profile.Skipped {
		m.emit(&trace.Skipped{Name: internalName(skipped.Class), Reason: skipped.Reason})
	}
}

// addInvocations says how often contexts were entered.
func (m *merger) addInvocations() {
	var list []trace.ContextInvocations
	for i, n := range m.invocations {
		if n > 0 {
			list = append(list, trace.ContextInvocations{Context: trace.ContextID(i + 1), Count: n})
		}
	}
	for part := range chunks(list) {
		m.emit(&trace.ContextCounts{Thread: m.threads, Invocations: part})
	}
}

// addSizes adds up the sizes of transactions.
func (m *merger) addSizes(sources []Source) {
	for _, key := range slices.SortedFunc(maps.Keys(m.methods), func(a, b methodKey) int {
		return cmp.Compare(m.methods[a], m.methods[b])
	}) {
		if !key.transaction {
			continue
		}
		sum, steps := trace.TransactionSizes{Number: m.methods[key]}, map[uint32]uint64{}
		for _, s := range sources {
			sizes := s.Profile.TransactionSizes(profile.Unbracketed(key.name))
			if sizes == nil {
				continue
			}
			sum.Ended += uint64(sizes.Ended)
			sum.Bytes += uint64(sizes.Bytes)
			sum.Most = max(sum.Most, uint64(sizes.Most))
			for _, step := range sizes.Steps() {
				steps[step.Step] += step.Count
			}
		}
		if sum.Ended == 0 {
			continue
		}
		for _, step := range slices.Sorted(maps.Keys(steps)) {
			sum.Sizes = append(sum.Sizes, trace.SizeCount{Step: step, Count: steps[step]})
		}
		m.emit(&sum)
	}
}

// addTotals adds up what recordings say of their classes and contexts.
func (m *merger) addTotals(sources []Source) {
	var seen trace.Seen
	var adapted trace.Adaptation
	var contexts trace.ContextTotals
	for _, s := range sources {
		if c := s.Profile.Classes; c != nil {
			seen.Classes += c.Classes
			seen.Instrumented += c.Instrumented
			seen.Unchanged += c.Unchanged
			seen.Skipped += c.Skipped
			seen.Hidden += c.Hidden
			seen.Methods += c.Methods
			seen.Adapted += c.Adapted
			seen.Fallback += c.Fallback
			seen.Cached += c.Cached
			seen.Calling += c.Calling
		}
		if a := s.Profile.Adaptation; a != nil {
			adapted.Batches += a.Batches
			adapted.Classes += a.Classes
			adapted.Live += a.Live
			adapted.Refused += a.Refused
			adapted.JVMNanos += a.JVMNanos
			adapted.DecisionNanos += a.DecisionNanos
			adapted.Increments += a.Increments
			adapted.Baseline += a.Baseline
		}
		if c := s.Profile.ContextTotals; c != nil && m.tracked {
			contexts.Bytes += c.Bytes
			contexts.Pairs += c.Pairs
			contexts.Epochs += c.Epochs
			contexts.Calls += c.Calls
			contexts.GraphBytes += c.GraphBytes
			contexts.Anchors += c.Anchors
			contexts.AnchorBytes += c.AnchorBytes
			contexts.Asked += c.Asked
		}
	}
	if seen != (trace.Seen{}) {
		m.emit(&seen)
	}
	if adapted != (trace.Adaptation{}) {
		m.emit(&adapted)
	}
	if contexts != (trace.ContextTotals{}) {
		m.emit(&contexts)
	}
}

// newEnd says how long the sources ran, together.
func newEnd(sources []Source) *trace.End {
	end := &trace.End{Complete: true, ExitReason: "merged"}
	for _, s := range sources {
		end.Nanos = saturated(end.Nanos, int64(s.Profile.Length()))
		end.Complete = end.Complete && s.Profile.Complete
	}
	return end
}

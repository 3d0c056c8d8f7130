package merge

import (
	"mallard/internal/trace"
)

// merger numbers what sources have in common.
type merger struct {
	yield   func(trace.Record) bool
	stopped bool

	tracked, bytecodes bool // in all sources
	names              names
	classes            trace.ClassID
	methods            map[methodKey]trace.MethodID
	sites              map[siteKey]trace.SiteID
	contexts           map[contextKey]trace.ContextID
	invocations        []int64 // by ContextID - 1
	programs           trace.ProgramID
	threads            trace.ThreadID

	// of the source that is being added
	ofSite    []trace.SiteID
	ofContext []trace.ContextID
	program   trace.ProgramID // the one before its first
}

func newMerger(yield func(trace.Record) bool, sources []Source) *merger {
	m := &merger{yield: yield, tracked: allTracked(sources), bytecodes: allBytecodes(sources), names: names{},
		methods: map[methodKey]trace.MethodID{}, sites: map[siteKey]trace.SiteID{},
		contexts: map[contextKey]trace.ContextID{}}
	return m
}

func (m *merger) emit(r trace.Record) { m.stopped = m.stopped || !m.yield(r) }

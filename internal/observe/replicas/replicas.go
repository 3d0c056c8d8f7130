// Package replicas observes which objects are copies of others: of one class, made by one site, with equal contents.
// The agent (agent/replicas.c) hashes what was born when the world has stopped for a collection; package replica adds
// that up, here, where only totals are recorded, and when the recording is read.
package replicas

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"mallard/internal/abi"
	"mallard/internal/counters"
	"mallard/internal/heap"
	"mallard/internal/instrument"
	"mallard/internal/observe"
	"mallard/internal/observe/objects"
	"mallard/internal/observe/sites"
	"mallard/internal/recording"
	"mallard/internal/replica"
	"mallard/internal/trace"
	"mallard/internal/transport"
	"mallard/internal/transport/events"
)

// Name is the observer's, in --track and in recordings.
const Name = replica.Observer

// uncountedName is what recordings have besides where no site counts.
const uncountedName = "uncounted"

const (
	defaultPause = 100 * time.Millisecond
	maxDepth     = 16
	maxPatterns  = 4096
	firstTotals  = time.Minute // until totals are recorded, in case there is no end; each time later twice as long

	defaultSamplingPause = 2 * time.Minute
)

// settings are what users choose.
type settings struct {
	exact, sampled bool
	uncounted      bool // nothing else is recorded: no site counts
	samplingPause  time.Duration
	pause          time.Duration // for each; 0: no limit
	depth          uint32
	values         bool   // contents of some objects are recorded
	classes        string // patterns for classes whose objects are hashed; "": all
	methods        string // the same for methods that make them
}

// check refuses choices that come to nothing; counts reports whether other observers need what code counts.
func (s *settings) check(walked *objects.Settings, counts func() bool) error {
	switch {
	case !s.exact && s.classes+s.methods != "":
		return errors.New("--replicas-of and --replicas-in choose objects that are hashed, and none is with " +
			"--replicas sampled: leave them out, or say --replicas both")
	case s.uncounted && s.exact:
		return errors.New("--no-sites has samples alone, so it goes with --replicas sampled")
	case s.uncounted && counts():
		return errors.New("--no-sites has nothing counted: with it --track names replicas alone, or replicas,gc")
	case s.methods != "" && walked.Untagged():
		return errors.New("--replicas-in needs objects that know their sites: leave out --no-tags")
	}
	return nil
}

// setPatterns is how patterns for something are set.
func setPatterns(of string, to *string) func(text string) error {
	return func(text string) error {
		if strings.Trim(text, " ,") == "" || len(text) > maxPatterns {
			return fmt.Errorf("name %s, in at most %d characters", of, maxPatterns)
		}
		*to = text
		return nil
	}
}

// Define defines the observer, for objects as they are walked, where others may need what code counts.
func Define(walked *objects.Settings, counts func() bool) *observe.Definition {
	chosen := settings{exact: true, samplingPause: defaultSamplingPause, pause: defaultPause}
	return &observe.Definition{
		Name: Name, Choice: observe.Tracked, About: about,
		Check: func() error { return chosen.check(walked, counts) },
		Recorded: func() []string {
			if chosen.uncounted {
				return []string{Name, uncountedName}
			}
			return []string{Name}
		},
		Variant: func() string {
			if chosen.uncounted {
				return "-" + uncountedName
			}
			return ""
		},
		Needs: func() []string {
			switch {
			case chosen.uncounted:
				return nil
			case !chosen.exact:
				return []string{sites.Name}
			}
			return []string{sites.Name, objects.Name}
		},
		Options: []observe.Option{
			{
				Name: "replicas", Value: "HOW", Choices: []string{"exact", "sampled", "both"}, Closed: true,
				Default: "exact",
				Help: "with replicas: `HOW` copies are found: exact, by the contents of all objects that are born; " +
					"sampled, by what code reads of a few of them; both",
				Set: func(text string) error {
					if text != "exact" && text != "sampled" && text != "both" {
						return errors.New("choose exact, sampled or both")
					}
					chosen.exact, chosen.sampled = text != "sampled", text != "exact"
					return nil
				},
			},
			{
				Name: "replicas-pause", Value: "DURATION", Choices: []string{"20ms", "100ms", "0"},
				Default: defaultPause.String(),
				Help: "with replicas: a `DURATION` that hashing may add to each pause on average; beyond it whole " +
					"collections are left out; 0: no limit",
				Set: func(text string) (err error) {
					pause, err := time.ParseDuration(text)
					if err != nil || pause < 0 {
						return errors.New("say how long, e.g. 100ms, or 0")
					}
					chosen.pause = pause
					return nil
				},
			},
			{
				Name: "sampling-pause", Value: "DURATION", Choices: []string{"5s", "2m", "0"},
				Default: defaultSamplingPause.String(),
				Help: "with --replicas sampled: a `DURATION` of the program's processor time between moments in " +
					"which code tells what it reads of objects, and before the first, which comes after 80 s at the " +
					"latest; with a shorter one more is known of who reads, and the program is slower; 0: none",
				Set: func(text string) (err error) {
					pause, err := time.ParseDuration(text)
					if err != nil || pause < 0 {
						return errors.New("say how long, e.g. 2m, or 0")
					}
					chosen.samplingPause = pause
					return nil
				},
			},
			observe.Switch("no-sites",
				"with --replicas sampled: count nothing and leave all code as it is, so that the program runs at its "+
					"own speed; how many objects a site makes is an estimate then, who reads them is not known, and "+
					"\"mallard report\" has nothing to say",
				&chosen.uncounted),
			{
				Name: "deep", Value: "N", Choices: []string{"1", "3"}, Default: "0",
				Help: "with replicas: compare what objects refer to by contents, too, `N` references deep: 1 for " +
					"strings with their arrays, 3 for lists of strings",
				Set: func(text string) error {
					depth, err := strconv.ParseUint(text, 10, 32)
					if err != nil || depth > maxDepth {
						return fmt.Errorf("choose from 0 to %d", maxDepth)
					}
					chosen.depth = uint32(depth)
					return nil
				},
			},
			{
				Name: "replicas-of", Value: "PATTERN", Choices: []string{"String", "'org.foo.*'"},
				Help: "with replicas: hash objects of classes alone whose names match `PATTERN`, as in reports, e.g. " +
					"'org.foo.*' or 'String,byte[]'; pauses are shorter then",
				Set: setPatterns("classes", &chosen.classes),
			},
			{
				Name: "replicas-in", Value: "PATTERN", Choices: []string{"Shop.slow", "'org.foo.*'"},
				Help: "with replicas: hash objects alone that methods make whose names match `PATTERN`, as in " +
					"\"report --method\", e.g. Shop.slow; with --replicas-of too, what matches both",
				Set: setPatterns("methods", &chosen.methods),
			},
			observe.Switch("show-values",
				"with replicas: record what some objects have in their fields and elements, of the largest groups of "+
					"copies and of sampled pairs that were equal whole, for \"mallard replicas "+
					"--show-values\"; the file has data of the program's then, perhaps secrets", &chosen.values),
		},
		Open: func(h *observe.Host) (observe.Observer, error) {
			o := newObserver(chosen, h.Recording)
			o.turned = h.Tags
			if chosen.exact && chosen.methods != "" {
				others := newOthers(chosen.methods, h.Memory, func() bool { return h.Classes().InContexts() })
				o.totals.Methods = chosen.methods
				o.totals.IsOther = func(tag uint32) bool { return h.Memory.IsLeftAlone(tag & abi.TagOthers) }
				h.Recording.Watch(others.see)
			}
			return o, nil
		},
	}
}

func newObserver(chosen settings, out *recording.Recording) *observer {
	o := &observer{settings: chosen, out: out, totals: replica.NewTotals(), started: time.Now(), next: firstTotals}
	o.totals.Classes = chosen.classes
	if chosen.sampled {
		o.samples = newSamples()
	}
	return o
}

// observer adds up what walks find.
type observer struct {
	observe.Base
	settings
	samples *samples // nil where objects are not sampled
	out     *recording.Recording

	mu      sync.Mutex
	totals  *replica.Totals
	started time.Time
	next    time.Duration // since then, when totals are recorded
	set     uint32        // that were recorded
	turned  *counters.Tags
}

// Greet tells the agent what is wanted.
func (o *observer) Greet(to *transport.HelloAnswer) {
	if o.samples != nil {
		to.ReplicaSampled = 1
		if o.values {
			to.ReplicaValues = 1
		}
	}
	to.ReplicaPause, to.ReplicaDepth, to.ReplicaClasses = uint64(o.pause), o.depth, o.classes
}

// Code has nothing counted where that is not wanted.
func (o *observer) Code(_ trace.LoaderID, code *instrument.Options) { code.Uncounted = o.uncounted }

// Flags tell the agent so.
func (o *observer) Flags() uint32 {
	if o.uncounted {
		return abi.Uncounted
	}
	return 0
}

// Facts has the runtime class defined that watches. A JVM that was started without Mallard has agents that come and go,
// and one that is gone must leave no object watched, nor code that tells.
func (o *observer) Facts(f *instrument.Facts) {
	if f.Attached && o.samples != nil {
		o.samples = nil
		o.out.Loss(Name, "nothing was sampled: that takes a JVM that Mallard has started")
	}
	f.Watched = o.samples != nil
}

// Messages are the agent's about what it watches.
func (o *observer) Messages() []abi.Type {
	if o.samples == nil {
		return nil
	}
	messages := []abi.Type{abi.SampledStack, abi.Sampled, abi.SampledWhole, abi.SampledPair}
	if o.values { // or else the agent reads none
		messages = append(messages, abi.SampledValue)
	}
	return messages
}

// Handle adds one up.
func (o *observer) Handle(f transport.Frame) ([]byte, error) { return nil, o.samples.handle(f) }

// Watches reports whether objects are watched, which code has to tell of.
func (o *observer) Watches() bool { return o.samples != nil && !o.uncounted }

// Pause is how long at most no class tells what it reads.
func (o *observer) Pause() time.Duration { return o.settings.samplingPause }

// Readers are the classes on stacks that make what is watched, and its own.
func (o *observer) Readers() map[string]float64 { return o.samples.likely() }

// Events are added up.
func (o *observer) Events() map[events.Kind]events.Handler {
	if !o.exact {
		return nil
	}
	handlers := map[events.Kind]events.Handler{abi.EventReplicaSums: o.take, abi.EventReplicaGroups: o.take,
		abi.EventReplicaLivedSums: o.take, abi.EventReplicaLivedGroups: o.take, abi.EventReplicaEnd: o.take,
		abi.EventHeapLoader: o.define, abi.EventHeapClass: o.define, abi.EventHeapGone: o.gone}
	if o.values { // or else the agent reads none
		handlers[abi.EventReplicaValue] = o.take
	}
	return handlers
}

func (o *observer) take(e events.Event) {
	for _, record := range o.add(e) {
		o.out.PutDetail(record)
	}
}

// define has the totals know what a class's number stands for.
func (o *observer) define(e events.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if e.Kind == abi.EventHeapClass {
		e.Data = heap.Turned(e.Data, o.turned.Turned)
	}
	o.totals.Define(uint16(e.Kind), e.Data)
}

// gone records what is known of classes that lose their numbers.
func (o *observer) gone(e events.Event) {
	for _, record := range o.goneRecords(e.Data) {
		o.out.PutDetail(record)
	}
}

func (o *observer) goneRecords(data []byte) []*trace.Events {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.set++
	return o.totals.Gone(o.set, data)
}

// add gives the totals where they are to be recorded.
func (o *observer) add(e events.Event) []*trace.Events {
	o.mu.Lock()
	defer o.mu.Unlock()
	ended, _ := o.totals.Add(uint16(e.Kind), e.Data)
	since := time.Since(o.started)
	if !ended || since <= o.next {
		return nil
	}
	o.next = 2 * since
	return o.records()
}

// records are the totals so far.
func (o *observer) records() (list []*trace.Events) {
	o.set++
	if o.exact {
		list = o.totals.Records(o.set)
	}
	if o.samples != nil {
		list = append(list, o.samples.records(o.set)...)
	}
	return list
}

// Finish records the totals. All events are handled.
func (o *observer) Finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, record := range o.records() {
		o.out.Put(record)
	}
	if n := o.totals.Incomplete; n > 0 {
		o.out.Losses(Name, "collections whose copies are not all known, as there was no room for them", uint64(n))
	}
}

// EventBytes is room for what a collection tells.
func (o *observer) EventBytes() int {
	if !o.exact {
		return 0
	}
	return ringBytes
}

const ringBytes = 16 << 20

// about is what "mallard help tracks" says.
const about = `which objects are copies of others: of the same class and site, with equal
contents when the first collection reaches them: "mallard replicas".
Includes objects. In each pause new objects are read once more and their
contents hashed, some ten nanoseconds each. Contents are recorded only
with --show-values. With --replicas sampled a few objects are looked at
instead, and compared where code reads them: without objects, with any
collector, and at little cost.`

package replicas

import (
	"mallard/internal/abi"
	"mallard/internal/counters"
	"mallard/internal/profile"
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// others have the agent leave alone what methods make that were not chosen. Their sites' tags are in what is recorded:
// those of a class before it runs, or soon after, where it comes out of the class cache; those in contexts once these
// are counted. Until then objects are hashed.
type others struct {
	tags       tags
	methods    string      // patterns for the chosen ones
	inContexts func() bool // a site has a tag in each

	sites    map[trace.ClassID]span // tags of a class's sites; in contexts its counters
	counters map[trace.CounterID]bool
}

// tags are those of all objects.
type tags interface {
	LeaveAlone(tag uint32, alone bool)
	IsLeftAlone(tag uint32) bool
}

// span is numbers in a row.
type span struct{ first, end trace.CounterID }

func newOthers(methods string, tags tags, inContexts func() bool) *others {
	return &others{tags: tags, methods: methods, inContexts: inContexts, sites: map[trace.ClassID]span{},
		counters: map[trace.CounterID]bool{}}
}

// see takes what is recorded, one record at a time.
func (o *others) see(record trace.Record) {
	switch r := record.(type) {
	case *trace.ClassDef:
		if o.inContexts() {
			o.defineInContexts(r)
		} else {
			o.define(r)
		}
	case *trace.ContextCounts:
		for _, v := range r.Values {
			if tag, ok := counters.ContextTag(v.Value); ok && o.counters[v.Counter] {
				o.tags.LeaveAlone(tag&abi.TagOthers, true)
			}
		}
	case *trace.Retired:
		o.retire(r.Class)
	}
}

func (o *others) isChosen(class *trace.ClassDef, method *trace.MethodDef) bool {
	return profile.MatchName(o.methods, symbols.ClassName(class.Name)+"."+method.Name)
}

// define says of all tags of a class what they are: others may have had them.
func (o *others) define(class *trace.ClassDef) {
	tag := class.CounterBase
	for i := range class.Methods {
		method := &class.Methods[i]
		if len(method.Sites) == 0 {
			continue
		}
		alone := !o.isChosen(class, method)
		for range method.Sites {
			o.tags.LeaveAlone(uint32(tag), alone)
			tag++
		}
	}
	if tag > class.CounterBase {
		o.sites[class.ID] = span{class.CounterBase, tag}
	}
}

// defineInContexts notes which counters have such tags. One that is given again is not left alone by then.
func (o *others) defineInContexts(class *trace.ClassDef) {
	for i := range class.Methods {
		method := &class.Methods[i]
		if len(method.Sites) == 0 {
			continue
		}
		alone := !o.isChosen(class, method)
		for _, c := range method.Counters {
			if number := class.CounterBase + trace.CounterID(c.Counter); alone && c.Kind == trace.Tag {
				o.counters[number] = true
			} else {
				delete(o.counters, number)
			}
		}
	}
	o.sites[class.ID] = span{class.CounterBase, class.CounterBase + trace.CounterID(class.Counters)}
}

// retire forgets a class: its numbers may be another's, of which the agent knows before it is recorded.
func (o *others) retire(class trace.ClassID) {
	numbers := o.sites[class]
	delete(o.sites, class)
	for n := numbers.first; n < numbers.end; n++ {
		if o.inContexts() {
			delete(o.counters, n)
		} else {
			o.tags.LeaveAlone(uint32(n), false)
		}
	}
}

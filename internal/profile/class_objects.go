package profile

import (
	"math"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// vmThread stands for the threads that made what the JVM needs for classes: which did is not known.
const vmThread trace.ThreadID = math.MaxUint32

// addClassObjects makes sites of what the JVM has made for classes.
func (f *folder) addClassObjects(r *trace.ClassObjects) {
	method := symbols.MethodKey{Class: symbols.VM, Name: f.symbols.Intern(r.What)}
	site := f.symbols.AddSite(method, trace.SiteDef{BCI: -1, Line: -1, Type: r.Type, Kind: trace.Called}, "")
	t := f.threads[vmThread]
	if t == nil {
		t = &thread{Thread: symbols.Thread{Name: symbols.VM}} // which is none: it stands for no number of threads
		f.threads[vmThread] = t
	}
	if t.sums == nil {
		t.sums = map[int32]cell{}
	}
	more := cell{site: site, objects: int64(r.Objects), elements: int64(r.Elements), bytes: int64(r.Bytes)}
	if f.changed != nil {
		f.changed(vmThread, symbols.Lost, more)
	}
	c := t.sums[site]
	more.objects, more.elements, more.bytes = more.objects+c.objects, more.elements+c.elements, more.bytes+c.bytes
	t.sums[site] = more
}

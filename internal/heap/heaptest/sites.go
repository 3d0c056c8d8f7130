package heaptest

import (
	"strings"

	"mallard/internal/trace"
)

// Site is a place in a program, and what it has counted.
type Site struct {
	Loader  trace.LoaderID
	Class   string // that has the method, as the JVM names it
	Method  string
	Type    string // allocated
	Size    uint32 // of an object, in bytes; of arrays their length
	Objects int64
}

// DemoSites are sites of Demo. One of a class, one of which more were born than it has counted, two of a class, none;
// and one of a class that was never born.
func DemoSites() []trace.Record {
	return Sites(
		Site{Class: "demo/Main", Method: "run", Type: "demo/Point", Size: 24, Objects: 4000},
		Site{Class: "demo/Cache", Method: "<init>", Type: "demo/Entry", Size: 32, Objects: 70},
		Site{Class: "demo/Cache", Method: "name", Type: "java/lang/String", Size: 24, Objects: 60},
		Site{Class: "demo/Main", Method: "name", Type: "java/lang/String", Size: 24, Objects: 50},
		Site{Class: "demo/Main", Method: "sizes", Type: "[I", Size: 22, Objects: 8},
		Site{Class: "demo/Main", Method: "sum", Type: "java/lang/Integer", Size: 16, Objects: 300})
}

// Sites are records that define sites and say what they have counted.
func Sites(sites ...Site) []trace.Record {
	records := []trace.Record{&trace.Thread{ID: 1, Name: "main"}}
	counts := &trace.Snapshot{Nanos: 5e9, Thread: 1, Full: true}
	for i, s := range sites {
		site := trace.SiteDef{BCI: int32(i), Line: int32(10 + i), Type: s.Type}
		if strings.HasPrefix(s.Type, "[") {
			site.Kind, site.Length = trace.ArrayConst, s.Size
		} else {
			records = append(records, &trace.ClassSize{Loader: s.Loader, Name: s.Type, Bytes: s.Size})
		}
		source := s.Class[strings.LastIndexByte(s.Class, '/')+1:] + ".java"
		records = append(records, &trace.ClassDef{ID: trace.ClassID(i), Loader: s.Loader, Name: s.Class, Source: source,
			SiteBase: trace.SiteID(i), CounterBase: trace.CounterID(i), Counters: 1, Methods: []trace.MethodDef{{
				Name: s.Method, Descriptor: "()V", Sites: []trace.SiteDef{site},
				Counters: []trace.CounterDef{{Semantics: []trace.Term{{Coefficient: 1}}}}}}})
		counts.Values = append(counts.Values, trace.CounterValue{Counter: trace.CounterID(i), Value: s.Objects})
	}
	return append(records, counts)
}

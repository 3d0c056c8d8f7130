// Package merge makes one recording of several: of a command that starts many JVMs, of many machines, of many runs.
//
// Sites, methods and contexts that have the same names, places and types are one; names are without what the JVM
// numbers. All amounts are sums. What each program allocated stays apart, and so do its threads:
//
//	merge.Write(w, []merge.Source{{"a.mallard", a}, {"b.mallard", b}}, version)
//	p := merge.Profile(sources, version)        // what folding that file gives, without the file
//
// A merged recording has no times between start and end, no events and no heap: these have a meaning in one JVM only.
package merge

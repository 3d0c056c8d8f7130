// Package symbols turns the definitions of a recording into names: of classes, methods, sites, loaders, threads, and of
// the frames of contexts. It is the same for all that is counted or observed, and knows nothing of either:
//
//	var t = symbols.New()
//	t.Add(record)                   // each record that names something; others it passes over
//	site, ok := t.Site(17)          // an index in t.Sites: java.util.ArrayList.grow, bytecode 8, Object[]
//	frames, ok := t.Stack(0x2c)     // of a context, innermost first
//
// A definition that is missing is no error. What needs it is told that it is not there.
package symbols

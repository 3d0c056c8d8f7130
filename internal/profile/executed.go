package profile

import (
	"mallard/internal/symbols"
	"mallard/internal/trace"
)

// executed looks at the methods of the sites that allocated.
func (f *folder) executed(totals []Amount) Executed {
	var e Executed
	methods := map[symbols.MethodKey]bool{}
	for i := range f.symbols.Sites {
		if totals[i].IsZero() || f.symbols.Sites[i].Def.Kind == trace.Executed {
			continue
		}
		key := f.symbols.Sites[i].Method
		_, fallback := f.fallback[key]
		if fallback {
			e.FallbackObjects += totals[i].Objects
		}
		if methods[key] {
			continue
		}
		methods[key] = true
		e.Methods++
		if fallback {
			e.Fallback++
		}
	}
	return e
}

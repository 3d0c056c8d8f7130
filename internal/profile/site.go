package profile

import (
	"strings"

	"mallard/internal/symbols"
	"mallard/internal/trace"
)

func exportedSite(t *symbols.Table, s *symbols.Site, amount Amount) Site {
	element := symbols.ElementClass(s.Def.Type)
	return Site{
		Class:      t.Intern(symbols.ClassName(s.Method.Class)),
		Method:     s.Method.Name,
		Descriptor: s.Method.Descriptor,
		BCI:        s.Def.BCI,
		Line:       s.Def.Line,
		Source:     s.Source,
		Type:       t.Intern(symbols.TypeName(s.Def.Type)),
		Executed:   s.Def.Kind == trace.Executed,
		Array:      strings.HasPrefix(s.Def.Type, "["),
		Loader:     t.Classes.Declaring(s.Method.Class, s.Method.Loader),
		TypeLoader: t.Classes.Allocated(element, s.Method.Loader),
		Amount:     amount,
	}
}

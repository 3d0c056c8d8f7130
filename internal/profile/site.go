package profile

import (
	"iter"
	"math"
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
		Looped:     s.Def.Looped,
		Copied:     s.Def.Copied,
		PassedTo:   int32(min(s.Def.PassedTo, math.MaxInt32)),
		Loader:     t.Classes.Declaring(s.Method.Class, s.Method.Loader),
		TypeLoader: t.Classes.Allocated(element, s.Method.Loader),
		Amount:     amount,
	}
}

// IdleSites yields the sites that are known and allocated nothing, in no order, without amounts.
func (p *Profile) IdleSites() iter.Seq[*Site] {
	return func(yield func(*Site) bool) {
		for i := range p.origin.sites {
			s := &p.table.Sites[i]
			if p.origin.sites[i] >= 0 || s.Def.Kind == trace.Executed {
				continue
			}
			if site := exportedSite(p.table, s, Amount{}); !yield(&site) {
				return
			}
		}
	}
}

package classes

import (
	"maps"
	"time"

	"mallard/internal/trace"
)

// InContexts reports whether a site has a tag in each context.
func (t *Table) InContexts() bool { return t.options.Contexts != nil }

// Untags reports whether Untag may give orders. With contexts there are none.
func (t *Table) Untags() bool { return t.options.Adapts && !t.InContexts() }

// Untag adds orders to retransform the classes of sites that are to give no tags any more, and those of earlier calls
// that had to wait.
func (t *Table) Untag(orders []Order, list []ImpliedSite) []Order {
	t.mu.Lock()
	defer t.mu.Unlock()
	orders = append(orders, t.waiting.due(time.Now())...)
	at := map[Key]int{}
	for i := range orders {
		at[orders[i].Key] = i
	}
	for _, s := range list {
		key, c, v := t.ownerOf(s.Tag)
		if c == nil || c.refused {
			continue
		}
		untagged := map[uint32]bool{uint32(s.Tag - v.counters.First): true}
		maps.Copy(untagged, c.untagged)
		c.untagged = untagged
		i, there := at[key]
		if !there {
			i = len(orders)
			at[key] = i
			orders = append(orders, Order{Key: key, class: c})
		}
		orders[i].Implied = append(orders[i].Implied, s)
	}
	return orders
}

// ownerOf finds the class, and its version, that has a counter; nil where it is gone.
func (t *Table) ownerOf(counter trace.CounterID) (Key, *class, *Version) {
	o, ok := t.owners.of(counter)
	if !ok {
		return Key{}, nil, nil
	}
	for _, l := range t.loaded[o.loader] {
		if l.counters == o.version.counters && l.hidden == nil {
			key := Key{Loader: o.loader, Name: l.name}
			return key, t.classes[key], o.version
		}
	}
	return Key{}, nil, nil
}

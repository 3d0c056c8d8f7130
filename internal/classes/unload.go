package classes

import (
	"mallard/internal/counters"
	"mallard/internal/trace"
)

// Unloaded are classes of which no frame and no object is left: their counts are final.
type Unloaded struct {
	Classes  []trace.ClassID
	Counters []counters.Range // free for others, once the counts are recorded

	loaders  []trace.LoaderID
	keys     []Key
	versions []*Version
	contexts Contexts // nil where there are none
}

// Recorded notes that the counts are recorded: what still has them counts for nobody.
func (u *Unloaded) Recorded() {
	for _, v := range u.versions {
		v.gone.Store(true)
	}
	if u.contexts == nil {
		return
	}
	u.contexts.LoadersGone(u.loaders)
	if len(u.Classes) > 0 {
		u.contexts.Gone(u.keys, u.versions, u.Classes[len(u.Classes)-1])
	}
}

// Unload forgets the classes of loaders that the collector has freed.
func (t *Table) Unload(loaders []trace.LoaderID) Unloaded {
	t.mu.Lock()
	defer t.mu.Unlock()
	gone := Unloaded{loaders: loaders, contexts: t.options.Contexts}
	for _, loader := range loaders {
		for _, c := range t.loaded[loader] {
			if c.hidden != nil {
				gone.versions = append(gone.versions, c.hidden)
				t.hidden--
			}
			if class := t.classes[Key{loader, c.name}]; class != nil {
				gone.keys = append(gone.keys, Key{loader, c.name})
				gone.versions = append(gone.versions, class.versions...)
			}
			delete(t.classes, Key{loader, c.name})
			gone.Classes = append(gone.Classes, c.id)
			gone.Counters = append(gone.Counters, c.counters)
		}
		delete(t.loaded, loader)
		delete(t.jdkLoaders, loader)
		t.leaves.unload(loader)
	}
	t.unshown.unload(loaders)
	t.owners.remove(loaders)
	t.missed.forget(loaders)
	gone.Counters = counters.Joined(gone.Counters)
	return gone
}

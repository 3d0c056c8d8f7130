// Package registry lists the observers that there are. A new one is one line here.
package registry

import (
	"slices"

	"mallard/internal/observe"
	"mallard/internal/observe/bytecodes"
	"mallard/internal/observe/collections"
	"mallard/internal/observe/constructors"
	"mallard/internal/observe/contexts"
	"mallard/internal/observe/natives"
	"mallard/internal/observe/objects"
	"mallard/internal/observe/replicas"
	"mallard/internal/observe/sites"
	"mallard/internal/observe/snapshots"
)

// New gives all observers, with their defaults.
func New() *observe.Set {
	var often snapshots.Settings
	var kept contexts.Settings
	var walked objects.Settings
	var set *observe.Set
	counts := func() bool {
		return slices.ContainsFunc([]string{sites.Name, objects.Name, contexts.Name, constructors.Name, bytecodes.Name,
			natives.Name}, set.Has)
	}
	set = observe.NewSet(
		sites.Define(),
		collections.Define(),
		objects.Define(&walked),
		replicas.Define(&walked, counts),
		contexts.Define(&kept),
		constructors.Define(),
		bytecodes.Define(),
		natives.Define(),
		snapshots.Define(&often),
	)
	kept.Tree = func() bool { return set.Has(constructors.Name) }
	kept.Every = often.Time
	return set
}

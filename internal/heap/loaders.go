package heap

import "mallard/internal/profile"

// NameLoaders has the history call loaders by their names, as those that are made of it from then on. Without it they
// have their numbers.
func (h *History) NameLoaders(title LoaderTitle) { h.classes.loaderTitle = title }

// HasLoaders reports whether the recording says of any class which loader it is of.
func (h *History) HasLoaders() bool { return h.classes.anyLoader }

// Loader is the number of a class's loader.
func (h *History) Loader(c Class) Loader { return h.classes.loader[c] }

// LoaderTitle names it: app @2; "" of what is no class.
func (h *History) LoaderTitle(c Class) string {
	if c == Other || c == Unused {
		return ""
	}
	title, _ := h.classes.loaderTitle.title(h.Name(c), h.Loader(c))
	return title
}

// TitleOf names a loader.
func (h *History) TitleOf(loader Loader) string {
	title, _ := h.classes.loaderTitle.title("", loader)
	return title
}

// Within names a class's loader where the program has loaded classes of its name by several; else it is "".
func (h *History) Within(c Class) string {
	name := h.Name(c)
	title, several := h.classes.loaderTitle.title(name, h.Loader(c))
	if h.classes.byLoader != apart || !several && !h.classes.several[name] {
		return ""
	}
	return title
}

// Title is a class's name, with its loader where Within has one.
func (h *History) Title(c Class) string {
	if loader := h.Within(c); loader != "" {
		return h.Name(c) + " in " + loader
	}
	return h.Name(c)
}

// ByNames is the same history where classes of one name are one, whoever has loaded them.
func (h *History) ByNames() *History {
	if h.classes.byLoader != apart || len(h.classes.several) == 0 {
		return h
	}
	return newHistory(h.events, h.classes.anew(h.classes.tagged, ignored), h.start)
}

// Loaders are those whose classes have one name.
type Loaders struct {
	Count int    // 0: the program has loaded classes of the name by one only
	Title string // where it is one
}

func (l *Loaders) set(h *History, classes []Class) {
	seen := map[Loader]bool{}
	for _, class := range classes {
		seen[h.Loader(class)] = true
		l.Title = h.Within(class)
	}
	if l.Title == "" {
		return
	}
	if l.Count = len(seen); l.Count > 1 {
		l.Title = ""
	}
}

// named are what verdicts are about: a class's name, and a site that makes its objects, or nil.
type named struct {
	name string
	site *profile.Site
}

// loadersUntil gives the classes that something stands for of which there were objects up to a moment, and those that
// have some then. Both are empty where no name has several loaders.
func (h *History) loadersUntil(to int) (born, held func(named) []Class) {
	wereBorn, areHeld := make([]bool, len(h.classes.names)), make([]bool, len(h.classes.names))
	if len(h.classes.several) > 0 {
		for i, s := range h.states(to) {
			for _, e := range s.born.all() {
				wereBorn[e.class] = true
			}
			if i == to {
				for _, e := range s.heap.all() {
					areHeld[e.class] = areHeld[e.class] || e.Objects > 0
				}
			}
		}
	}
	list := func(of []bool) func(named) []Class {
		return func(n named) (list []Class) {
			for class, is := range of {
				if is && h.Name(Class(class)) == n.name && (n.site == nil || h.Site(Class(class)) == n.site) {
					list = append(list, Class(class))
				}
			}
			return list
		}
	}
	return list(wereBorn), list(areHeld)
}

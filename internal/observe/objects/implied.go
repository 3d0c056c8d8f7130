package objects

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"mallard/internal/abi"
	"mallard/internal/classes"
	"mallard/internal/heap"
	"mallard/internal/trace"
)

// What makes a site one whose objects need no tags.
const (
	manyBirths = 200_000 // of its objects; fewer cost next to nothing
	soonMany   = 1_000   // for tests
	share      = 500     // at least one of so many births is its
	rare       = 100_000 // at most one of so many births of its class is without a tag, but for the first walk
	soonRare   = 2_000   // for tests
	maxImplied = 64      // sites at a time; the agent has room for 1,024

	// Births until sites are chosen for the first time; each time later there are twice as many. The JVM has to compile
	// anew what calls their methods: some seconds of processor time.
	firstChoice = 500_000_000
	// walks, in one of which its objects were born; several may come one upon the other, with hardly any births
	lately = 16
)

// impliedSites finds the site of each class that makes most of its objects, from what walks say is born. If that one
// gives no tags and all others do, a new object without a tag is of that site. So no class has two of them, and one
// whose objects are made without a tag, too, by the JVM or native code, has none.
//
// What it saves is the code that tags, over which C2 moves no access to memory, and the objects that compilers then do
// without. For arrays that code is no such barrier, and the JVM makes many of them: they keep their tags.
type impliedSites struct {
	mu      sync.Mutex
	sites   map[uint32]*births // by number of a class in walks
	classes map[*classBirths]bool
	walk    uint32 // of the last births
	all     int64  // births
	next    int64  // there are so many when sites are chosen again
}

// births are objects of one class and one site, which has a number as long as the agent meets such objects.
type births struct {
	class   *classBirths
	number  uint32
	tag     uint32 // 0: without a site
	at      int    // in the class's list
	last    uint32 // walk that has said so
	objects int64
}

// classBirths are those of a class.
type classBirths struct {
	sites    []*births
	gone     int64 // objects of those that have no number any more
	untagged int64 // objects without a tag, but for those of the first walk
	implied  bool  // one of its sites is
}

func newImpliedSites() *impliedSites {
	return &impliedSites{sites: map[uint32]*births{}, classes: map[*classBirths]bool{}, next: firstChoice}
}

// class takes an event of a class.
func (s *impliedSites) class(data []byte) {
	c, good := heap.DecodeDefinition(data)
	if !good {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b := &births{number: c.Number, tag: c.Tag}
	if base := s.sites[c.Same]; base != nil && c.Tag != 0 {
		b.class = base.class
	} else {
		b.class = &classBirths{}
		if c.Tag == 0 && !madeByJVM(c.Name) {
			s.classes[b.class] = true
		}
	}
	b.at = len(b.class.sites)
	b.class.sites = append(b.class.sites, b)
	s.sites[c.Number] = b
}

// gone takes an event of numbers that others may have from here on.
func (s *impliedSites) gone(data []byte) {
	gone, good := heap.DecodeGone(data)
	if !good {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for number := range gone {
		b := s.sites[number]
		if b == nil {
			continue
		}
		delete(s.sites, number)
		b.class.remove(b)
		if b.tag == 0 { // it was unloaded
			delete(s.classes, b.class)
		}
	}
}

// madeByJVM reports whether the JVM may make objects of a class at any time.
func madeByJVM(name string) bool {
	of := []string{"[", "java/lang/invoke/", "java/lang/reflect/", "java/lang/ref/", "java/lang/Thread",
		"java/lang/StackTraceElement", "java/lang/Class", "jdk/internal/"}
	return name == "java/lang/String" ||
		slices.ContainsFunc(of, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// rows takes an event of objects.
func (s *impliedSites) rows(data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	walk, born := heap.Births(data)
	for number, objects := range born {
		b := s.sites[number]
		if b == nil {
			continue
		}
		b.objects += objects
		s.all += objects
		b.last, s.walk = walk, walk
		if b.tag == 0 && walk > 0 {
			b.class.untagged += objects
		}
	}
}

// implied gives sites that need no tags.
func (s *impliedSites) implied(soon bool) (list []classes.ImpliedSite) {
	s.mu.Lock()
	defer s.mu.Unlock()
	many, oneOf := max(manyBirths, s.all/share), int64(rare)
	switch {
	case soon:
		many, oneOf = soonMany, soonRare
	case s.all < s.next:
		return nil
	}
	s.next = 2 * s.all
	var most []*births
	for c := range s.classes {
		if b := c.most(many, oneOf); b != nil && b.last+lately >= s.walk { // else it may be gone soon
			most = append(most, b)
		}
	}
	slices.SortFunc(most, (*births).compare)
	for _, b := range most[:min(len(most), maxImplied)] {
		b.class.implied = true
		list = append(list, classes.ImpliedSite{Tag: trace.CounterID(b.tag), Class: b.number})
	}
	return list
}

// remove has a site's objects be of one without a number.
func (c *classBirths) remove(b *births) {
	last := c.sites[len(c.sites)-1]
	c.sites[b.at], last.at = last, b.at
	c.sites = c.sites[:len(c.sites)-1]
	c.gone += b.objects
}

// compare puts most objects first.
func (b *births) compare(other *births) int {
	return cmp.Or(cmp.Compare(other.objects, b.objects), cmp.Compare(b.number, other.number))
}

// most is the site of a class that has made most of its objects, and so many at least, where no more than one of so
// many had no tag; else nil.
func (c *classBirths) most(many, rare int64) (most *births) {
	all := c.gone
	for _, b := range c.sites {
		all += b.objects
		if b.tag != 0 && b.tag < abi.TagNone && (most == nil || b.compare(most) < 0) {
			most = b
		}
	}
	if c.implied || most == nil || most.objects < many || c.untagged*rare > all {
		return nil
	}
	return most
}

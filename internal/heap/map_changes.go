package heap

// What maps have room for.
const (
	MostRegions  = 2048    // on one: those in which most is used
	MostInSpace  = 20      // classes
	MostMapWords = 300_000 // numbers of all together, as MapChanges.words has them
)

// MapQuery asks for maps.
type MapQuery struct {
	Query
	Moments []int   // in order, none twice
	Chosen  int     // that of Moments which has a map in any case, as the last one has
	Classes []Class // that are told apart in spaces
	Regions bool    // those of the old generation, as Regions has them
	Words   int     // bounds all maps together; 0: MostMapWords
}

// MapChanges is a map. The first one is against an empty heap.
type MapChanges struct {
	Moment  int            // in Pauses
	Sums    [Spaces]Amount // of all classes that the query selects
	Unused  [Spaces]int64  // bytes between objects
	Classes []ClassInSpace // nothing: it is not one of those any more that have most there
	Regions []Region       // nothing: there is none any more, or it is one of those that are left out
	Left    int            // how many regions are left out
	index   int            // in the moments that were asked for
}

// ClassInSpace is what a space has of a class.
type ClassInSpace struct {
	Space Space
	Class Class
	Amount
}

// words is how many numbers it takes to say it, given the classes that were named before.
func (m *MapChanges) words(named map[Class]bool) int {
	const sums, inSpace, region, name = 3*int(Spaces) + 2, 3, 7, 8
	n := sums + inSpace*len(m.Classes) + region*len(m.Regions)
	for _, r := range m.Regions {
		if !named[r.Largest] {
			named[r.Largest] = true
			n += name
		}
	}
	return n
}

// keeps reports whether there is a map of a moment where one in so many has one.
func (q *MapQuery) keeps(index, every int) bool {
	return (index+1)%every == 0 || index == len(q.Moments)-1 || q.Moments[index] == q.Chosen
}

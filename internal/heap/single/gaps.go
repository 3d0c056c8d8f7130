package single

// Gaps are what is not known of objects. The first two are counted at each collection that comes to one.
type Gaps struct {
	Late      int64    // nobody knows what they were before a collection: they had no order then, or were not told
	Unordered int64    // nobody knows whether they live: they had no order when a collection came
	Unseen    int64    // the same: not all was told of what a collection has left
	Remains   int64    // Late and Unordered behind collections without room: mostly what is left of what they copied
	Failed    int64    // Shared behind these: objects that have lost their identity in a collection that failed
	LeftOut   int64    // by walks, for want of room
	Unplaced  int64    // births that walks told without an address, for want of room
	Shared    int64    // objects with a hash that another one has
	Again     int64    // the same, since all orders had been given once
	Twice     []Object // seen where others had their orders
}

// Held is what a keyframe says.
type Held struct {
	objects pieces[Object]
	gaps    Gaps // without Twice
	doubts  doubts
	failed  bool // the collection before had no room for all
}

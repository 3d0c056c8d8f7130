package single

// doubt says why an order may stand for more than one object.
type doubt uint8

const (
	certain doubt = iota
	foreign       // no walk has given it: a program has hashed an object first
	shared        // two objects have had it at a time: it stands for none any more
)

// doubts are of few orders, and asked for about each object that is born: most are certain by one bit.
type doubts struct {
	filter []uint64 // a power of two
	orders map[uint32]doubt
}

// spacing is how many bits there are at least for each order.
const spacing = 16

func newDoubts() doubts { return doubts{make([]uint64, 1), map[uint32]doubt{}} }

// bit is an order's place in the filter, which it shares with others.
func (d *doubts) bit(order uint32) (word *uint64, mask uint64) {
	return &d.filter[int(order>>6)&(len(d.filter)-1)], 1 << (order & 63)
}

func (d *doubts) of(order uint32) doubt {
	if word, mask := d.bit(order); *word&mask == 0 {
		return certain
	}
	return d.orders[order]
}

func (d *doubts) set(order uint32, why doubt) {
	d.orders[order] = why
	if spacing*len(d.orders) > 64*len(d.filter) {
		d.filter = make([]uint64, 2*len(d.filter))
		for order := range d.orders {
			d.add(order)
		}
	}
	d.add(order)
}

func (d *doubts) add(order uint32) {
	word, mask := d.bit(order)
	*word |= mask
}

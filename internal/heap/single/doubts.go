package single

import "math/bits"

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
	added  int      // to the filter
	orders map[uint32]doubt
}

// spacing is how many bits there are at least for each order.
const spacing = 64

func newDoubts() doubts { return doubts{filter: make([]uint64, 1), orders: map[uint32]doubt{}} }

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

// certain is how many orders, from one on, are certain before the first one that is not, and no more than n.
func (d *doubts) certain(order, n uint32) uint32 {
	for i := uint32(0); i < n; {
		word, first := d.bit(order + i)
		for rest := *word &^ (first - 1); rest != 0; rest &= rest - 1 {
			at := i + uint32(bits.TrailingZeros64(rest)) - (order+i)&63
			if at >= n {
				break
			}
			if d.orders[order+at] != certain {
				return at
			}
		}
		i += 64 - (order+i)&63
	}
	return n
}

func (d *doubts) set(order uint32, why doubt) {
	d.orders[order] = why
	if spacing*d.added >= 64*len(d.filter) {
		d.sieve()
	}
	d.add(order)
}

// sieve makes the filter anew, without orders that are certain by now, and with room for more.
func (d *doubts) sieve() {
	words := len(d.filter)
	for 2*spacing*len(d.orders) > 64*words {
		words *= 2
	}
	d.filter, d.added = make([]uint64, words), 0
	for order := range d.orders {
		d.add(order)
	}
}

func (d *doubts) add(order uint32) {
	word, mask := d.bit(order)
	*word |= mask
	d.added++
}

// died has an order that no walk has given stand for nothing: nobody else has had it as long as the object has lived.
func (d *doubts) died(order uint32) {
	if d.of(order) == foreign {
		delete(d.orders, order)
	}
}

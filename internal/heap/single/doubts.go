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
	filter [1 << 12]uint64
	orders map[uint32]doubt
}

// bit is an order's place in the filter, which it shares with others.
func bit(order uint32) (word int, mask uint64) {
	return int(order >> 6 & (1<<12 - 1)), 1 << (order & 63)
}

func (d *doubts) of(order uint32) doubt {
	if word, mask := bit(order); d.filter[word]&mask == 0 {
		return certain
	}
	return d.orders[order]
}

func (d *doubts) set(order uint32, why doubt) {
	if d.orders == nil {
		d.orders = map[uint32]doubt{}
	}
	d.orders[order] = why
	word, mask := bit(order)
	d.filter[word] |= mask
}

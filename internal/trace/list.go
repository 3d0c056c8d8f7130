package trace

import "errors"

// listCodec is a slice of scalars: a count, then the items.
type listCodec[F any] struct{ item codec[F] }

func (c listCodec[F]) encode(e *encoder, v, _ []F) {
	e.uint(uint64(len(v)))
	var previous F
	for _, item := range v {
		c.item.encode(e, item, previous)
		previous = item
	}
}

func (c listCodec[F]) decode(d *decoder, _ []F) []F {
	n := d.count(1)
	if n == 0 {
		return nil
	}
	v := make([]F, n)
	var previous F
	for i := range v {
		v[i] = c.item.decode(d, previous)
		previous = v[i]
	}
	return v
}

func (c listCodec[F]) print(dst []byte, v []F) []byte {
	dst = append(dst, '[')
	for i, item := range v {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = c.item.print(dst, item)
	}
	return append(dst, ']')
}

func (c listCodec[F]) parse(s string) ([]F, error) {
	items, err := listItems(s)
	if err != nil {
		return nil, err
	}
	var v []F
	for _, s := range items {
		item, err := c.item.parse(s)
		if err != nil {
			return nil, err
		}
		v = append(v, item)
	}
	return v, nil
}

func (c listCodec[F]) zero(v []F) bool { return len(v) == 0 }
func (c listCodec[F]) String() string  { return "list of " + c.item.String() }

// fourCodec is an array of four scalars, without a count.
type fourCodec[F comparable] struct{ item codec[F] }

func (c fourCodec[F]) encode(e *encoder, v, _ [4]F) {
	for _, item := range v {
		c.item.encode(e, item, item)
	}
}

func (c fourCodec[F]) decode(d *decoder, previous [4]F) [4]F {
	var v [4]F
	for i := range v {
		v[i] = c.item.decode(d, previous[i])
	}
	return v
}

func (c fourCodec[F]) print(dst []byte, v [4]F) []byte { return listCodec[F](c).print(dst, v[:]) }

func (c fourCodec[F]) parse(s string) ([4]F, error) {
	v, err := listCodec[F](c).parse(s)
	if err == nil && len(v) != 4 {
		err = errors.New("needs four items")
	}
	if err != nil {
		return [4]F{}, err
	}
	return [4]F(v), nil
}

func (c fourCodec[F]) zero(v [4]F) bool { return v == [4]F{} }
func (c fourCodec[F]) String() string   { return "four " + c.item.String() }

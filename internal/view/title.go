package view

import (
	"encoding/base64"
	"hash/fnv"
	"strconv"
)

// title is what a reader sees.
func (r *Recording) title(n name) string {
	switch n.kind {
	case ofMethod:
		title := r.Profile.Methods[n.index].Title()
		if n.line >= 0 {
			title += ":" + strconv.Itoa(int(n.line))
		}
		return title
	case ofClass:
		return r.types[n.index]
	case folded:
		return "… other code"
	}
	return "everything"
}

// key stands for a name in addresses: the same in every recording, and of eight letters, digits, - and _.
func (r *Recording) key(n name) string {
	hash := fnv.New64a()
	hash.Write([]byte{byte(n.kind)})
	hash.Write([]byte(r.title(n)))
	return base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:6])
}

// method finds the method that has a key; -1 for none.
func (r *Recording) method(key string) int32 {
	for i := range r.named {
		if r.named[i] == int32(i) && r.key(name{ofMethod, int32(i), -1}) == key {
			return int32(i)
		}
	}
	return -1
}

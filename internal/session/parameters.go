package session

import (
	"slices"

	"mallard/internal/classes"
	"mallard/internal/instrument"
	"mallard/internal/transport"
)

// methodParameters are those of classes that the JVM hands over without them. It keeps what it has handed over first,
// so what is known then fits each time.
type methodParameters map[classes.Key][]instrument.MethodParameters

// of gives those of a class; nil for most.
func (p methodParameters) of(key classes.Key, m *transport.Class) []instrument.MethodParameters {
	if list, ok := p[key]; ok || len(m.Parameters) == 0 {
		return list
	}
	var list []instrument.MethodParameters
	for _, given := range m.Parameters {
		given.Attribute = slices.Clone(given.Attribute) // of the frame's memory
		list = append(list, instrument.MethodParameters(given))
	}
	p[key] = list
	return list
}

// complete gives a class file with what the JVM has left out of it.
func (p methodParameters) complete(key classes.Key, m *transport.Class) ([]byte, error) {
	list := p.of(key, m)
	if list == nil {
		return m.File, nil
	}
	return instrument.WithParameters(m.File, list)
}

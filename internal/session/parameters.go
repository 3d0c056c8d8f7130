package session

import (
	"slices"

	"mallard/internal/abi"
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

// completed gives a class file with what the JVM has left out of it. It is nil where the class is to stay as it is.
func (s *Session) completed(key classes.Key, m *transport.Class) []byte {
	list := s.parameters.of(key, m)
	if list == nil {
		return m.File
	}
	file, err := instrument.WithParameters(m.File, list)
	if err != nil {
		s.log.Debug("parameters of methods", "class", key.Name, "error", err)
		return nil
	}
	return file
}

// restoredClass answers for a class that is to be as it was before the agent was attached.
func (s *Session) restoredClass(key classes.Key, m *transport.Class) error {
	return s.conn.Answer(abi.OK, s.completed(key, m))
}

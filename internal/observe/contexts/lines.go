package contexts

import "mallard/internal/transport"

// tellLines takes the lines of a method. The agent tells them of the first class that an entry of the class cache is
// of, and of others only where it has to ask about them for another reason.
func (c *Contexts) tellLines(m *method, lines []transport.Line) {
	if m.lines == nil {
		m.lines = lines
	}
	if of, ok := m.ofEntry(); ok && len(lines) > 0 {
		c.lines[of] = m.lines
	}
}

// line gives the source line of a position in a method, -1 unknown.
func (c *Contexts) line(m *method, pc int) int32 {
	if of, ok := m.ofEntry(); ok && m.lines == nil {
		m.lines = c.lines[of]
	}
	return m.line(pc)
}

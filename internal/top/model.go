package top

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"mallard/internal/profile"
)

// Options say what is shown first, and how it is read.
type Options struct {
	First *Reading // nil: it is still to be read
	// Read gives what was allocated last.
	Read  func() (*Reading, error)
	Every time.Duration // between two readings
	Query profile.Query // without Top
	Paint bool          // the first line of the table in reverse

	Heap     bool // rows are classes in the heap, where that was recorded
	ByGrowth bool // and of these those that have grown
}

// Run shows it until a key ends it, or ctx is done.
func Run(ctx context.Context, o Options, in io.Reader, out io.Writer) error {
	m := newModel(o)
	_, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out)).Run()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// model is what is shown.
type model struct {
	Options
	width, height int
	last          *Reading // nil before the first
	err           error    // of the last reading
	paused        bool
	reading       bool
	editing       bool   // keys are a pattern
	pattern       string // of names of rows
}

func newModel(o Options) *model { return &model{Options: o, last: o.First, width: 80, height: 24} }

// Messages.
type (
	tick struct{}
	read struct {
		reading *Reading
		err     error
	}
)

// Init begins reading.
func (m *model) Init() tea.Cmd {
	if m.last != nil {
		return m.wait()
	}
	m.reading = true
	return m.readNow
}

func (m *model) readNow() tea.Msg {
	reading, err := m.Read()
	return read{reading, err}
}

// Update takes a message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tick:
		if m.reading = !m.paused; m.reading {
			return m, m.readNow
		}
	case read:
		m.reading = false
		if m.err = msg.err; msg.err == nil {
			m.last = msg.reading
		}
		return m, m.wait()
	case tea.KeyPressMsg:
		return m, m.key(msg)
	}
	return m, nil
}

// wait has it read again after a while, unless there is no more to come.
func (m *model) wait() tea.Cmd {
	if m.last != nil && m.last.Ended {
		return nil
	}
	return tea.Tick(m.Every, func(time.Time) tea.Msg { return tick{} })
}

// key does what a key says.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	if m.editing {
		return m.edit(k)
	}
	switch k.String() {
	case "q", "esc", "ctrl+c":
		return tea.Quit
	case "b":
		m.Query.By = m.nextBy(1)
	case "B":
		m.Query.By = m.nextBy(-1)
	case "s":
		m.Query.Sort = map[profile.Sort]profile.Sort{profile.SortBytes: profile.SortObjects,
			profile.SortObjects: profile.SortBytes}[m.Query.Sort]
	case "h":
		m.Heap = !m.Heap
	case "g":
		m.ByGrowth = !m.ByGrowth
	case "/":
		m.editing = true
	case "p", "space":
		if m.paused = !m.paused; !m.paused && !m.reading {
			m.reading = true
			return m.readNow
		}
	}
	return nil
}

// edit takes a key of the pattern.
func (m *model) edit(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "ctrl+c":
		return tea.Quit
	case "enter":
		m.editing = false
	case "esc":
		m.editing, m.pattern = false, ""
	case "backspace":
		if r := []rune(m.pattern); len(r) > 0 {
			m.pattern = string(r[:len(r)-1])
		}
	default:
		m.pattern += k.Text
	}
	return nil
}

// order is that of the kinds of rows.
var order = []profile.By{profile.BySite, profile.ByClass, profile.ByMethod, profile.ByThread, profile.ByTransaction,
	profile.ByContext, profile.ByCaller}

// nextBy is the kind of rows that comes so many after this one, of those that the recording has.
func (m *model) nextBy(step int) profile.By {
	list := order
	if m.last == nil || !m.last.Profile.Tracked {
		list = slices.Concat(order[:4], order[len(order)-1:])
	}
	for i, by := range list {
		if by == m.Query.By {
			return list[(i+step+len(list))%len(list)]
		}
	}
	return list[0]
}

// query is what is asked now, with as many rows as there is room for.
func (m *model) query(rows int) profile.Query {
	q := m.Query
	q.Top = max(1, rows)
	if m.pattern == "" {
		return q
	}
	pattern := m.pattern
	if !strings.ContainsAny(pattern, "*,.") {
		pattern = "*" + pattern + "*"
	}
	switch by := q.By; {
	case m.showsHeap():
		q.Filter.Class = pattern
	case by == profile.ByCaller && m.last.Profile.Tracked: // what its methods cause
		q.Filter.Under = pattern
	case by == profile.ByMethod || by == profile.BySite || by == profile.ByCaller:
		q.Filter.Method = pattern
	case by == profile.ByThread:
		q.Filter.Thread = pattern
	case by == profile.ByTransaction:
		q.Filter.Transaction = pattern
	default:
		q.Filter.Class = pattern
	}
	return q
}

// showsHeap reports whether rows are classes in the heap.
func (m *model) showsHeap() bool { return m.Heap && m.last != nil && m.last.History != nil }

// View draws it.
func (m *model) View() tea.View {
	v := tea.NewView(m.text())
	v.AltScreen, v.WindowTitle = true, "mallard top"
	return v
}

// keys says what they do.
func (m *model) keys() string {
	switch {
	case m.showsHeap():
		return "h rates   g growth   s sort   / filter   p pause   q quit"
	case m.last != nil && m.last.History != nil:
		return "b/B by   h heap   s sort   / filter   p pause   q quit"
	}
	return "b/B by   s sort   / filter   p pause   q quit"
}

func (m *model) text() string {
	var b strings.Builder
	if m.last == nil {
		b.WriteString("waiting for a snapshot")
		if m.err != nil {
			b.WriteString(": " + m.err.Error())
		}
		return b.String() + "\n\n" + m.keys()
	}
	used := len(m.last.Header()) + 4 // what rows are, an empty line, titles of columns, keys
	if m.showsHeap() {
		used++ // which heap it is
	}
	report := m.last.Report(m.query(m.height-used), m.showsHeap(), m.ByGrowth)
	lines := append(report.Header(), "Rows        "+report.RowsText(), "")
	var table strings.Builder
	if err := report.Table(&table); err != nil {
		return err.Error()
	}
	rows := strings.Split(strings.TrimSuffix(table.String(), "\n"), "\n")
	for i, line := range rows {
		if line = cut(line, m.width); i == 0 && m.Paint {
			const reverse, plain = "\x1b[7m", "\x1b[0m"
			line = reverse + line + strings.Repeat(" ", max(0, m.width-len([]rune(line)))) + plain
		}
		rows[i] = line
	}
	for i := range lines {
		lines[i] = cut(lines[i], m.width)
	}
	lines = append(lines, rows...)
	lines = lines[:min(len(lines), max(0, m.height-1))]
	for len(lines) < m.height-1 {
		lines = append(lines, "")
	}
	return strings.Join(append(lines, cut(m.foot(), m.width)), "\n")
}

// foot is the last line.
func (m *model) foot() string {
	switch {
	case m.editing:
		return "filter: " + m.pattern + "_   enter keeps it, esc removes it"
	case m.last.Ended:
		return "the recording has ended   " + m.keys()
	case m.err != nil:
		return m.err.Error() + "   " + m.keys()
	case m.paused:
		return "paused   " + m.keys()
	case m.pattern != "":
		return "filter: " + m.pattern + "   " + m.keys()
	}
	return m.keys()
}

// cut leaves out what there is no room for.
func cut(line string, width int) string {
	if r := []rune(line); len(r) > width {
		return string(r[:max(0, width)])
	}
	return line
}

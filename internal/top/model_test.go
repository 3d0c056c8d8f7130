package top

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"mallard/internal/export"
	"mallard/internal/heap"
	"mallard/internal/heap/heaptest"
	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

// folded is a reading of a recording that has not ended.
func folded(t *testing.T, text string) *Reading {
	t.Helper()
	p, err := profile.Fold(bytes.NewReader(profiletest.MustEncode(t, text)))
	if err != nil {
		t.Fatal(err)
	}
	return &Reading{RatesReport: export.RatesReport{File: "demo.mallard", Profile: p}}
}

// shown is what there is on the screen, after keys.
func shown(t *testing.T, m *model, keys ...string) string {
	t.Helper()
	for _, k := range keys {
		key := tea.Key{Text: k}
		switch {
		case k == "enter":
			key = tea.Key{Code: tea.KeyEnter}
		case k == "esc":
			key = tea.Key{Code: tea.KeyEscape}
		case k == "backspace":
			key = tea.Key{Code: tea.KeyBackspace}
		default:
			key.Code = rune(k[0])
		}
		m.Update(tea.KeyPressMsg(key))
	}
	text := m.View().Content
	for line := range strings.Lines(text) {
		if len([]rune(strings.TrimSuffix(line, "\n"))) > m.width {
			t.Errorf("%q is wider than %d", line, m.width)
		}
	}
	if n := strings.Count(text, "\n") + 1; m.last != nil && n > m.height {
		t.Errorf("%d lines, %d are there:\n%s", n, m.height, text)
	}
	return text
}

// has fails the test unless a text has all parts.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

func TestKeys(t *testing.T) {
	report := folded(t, profiletest.Transactions)
	readings := 0
	m := newModel(Options{Every: time.Second, Query: profile.Query{By: profile.ByClass, Sort: profile.SortBytes},
		Read: func() (*Reading, error) { readings++; return report, nil }})
	if text := shown(t, m); !strings.HasPrefix(text, "waiting for a snapshot") {
		t.Error(text)
	}
	_, next := m.Update(m.Init()())
	if next == nil || readings != 1 {
		t.Fatal("it does not go on")
	}
	m.Update(tea.WindowSizeMsg{Width: 100, Height: 12})
	has(t, shown(t, m), "Program     demo.Main", "Now ", "1 class, sorted by bytes", "Objects/s", "long[]",
		"b/B by   s sort")
	has(t, shown(t, m, "b"), "methods, sorted by bytes", "demo.Main.run()")
	has(t, shown(t, m, "s"), "sorted by objects", "Obj%")
	has(t, shown(t, m, "b", "b"), "3 transactions", "order", "(none)")
	has(t, shown(t, m, "b"), "contexts", "Main.helper:15")
	has(t, shown(t, m, "b"), "lines, sorted by objects; your code: demo.*", "Self Objects/s",
		"demo.Main.helper(line 15)")
	has(t, shown(t, m, "/", "h", "e", "l", "p", "enter"), "2 lines, sorted by objects; under *help*",
		"demo.Main.helper(line 15)", "demo.Main.run(line 7)")
	shown(t, m, "/", "esc")
	has(t, shown(t, m, "b", "B", "B", "B"), "transactions")
	if text := shown(t, m, "h"); !strings.Contains(text, "transactions") || strings.Contains(text, "h heap") {
		t.Errorf("a heap that was not recorded:\n%s", text)
	}
	shown(t, m, "h")
	has(t, shown(t, m, "/", "i", "t", "x", "backspace"), "filter: it_", "transaction *it*")
	text := shown(t, m, "enter")
	has(t, text, "filter: it ", "item")
	if strings.Contains(text, "order") {
		t.Errorf("what the filter leaves out:\n%s", text)
	}
	has(t, shown(t, m, "/", "q", "esc"), "order") // q was part of the pattern

	has(t, shown(t, m, "p"), "paused")
	if _, cmd := m.Update(tick{}); cmd != nil {
		t.Error("it reads while it is paused")
	}
	if _, cmd := m.Update(tea.KeyPressMsg(tea.Key{Text: "p", Code: 'p'})); cmd == nil {
		t.Error("it does not go on")
	}
	if _, cmd := m.Update(tea.KeyPressMsg(tea.Key{Text: "q", Code: 'q'})); cmd == nil {
		t.Error("q does not end it")
	} else if _, is := cmd().(tea.QuitMsg); !is {
		t.Error("q does not end it")
	}
}

// TestHeapKeys: classes in the heap, and those of them that grew, where objects were recorded.
func TestHeapKeys(t *testing.T) {
	report := folded(t, profiletest.Demo)
	report.History = heap.NewHistory(heaptest.Demo().All())
	m := newModel(Options{First: report, Query: profile.Query{By: profile.ByClass, Sort: profile.SortBytes}})
	m.Update(tea.WindowSizeMsg{Width: 100, Height: 12})
	has(t, shown(t, m), "Objects/s", "h heap")
	text := shown(t, m, "h")
	has(t, text, "Heap        after gc:2 (full) at 3.020 s: 57 objects, 1,848 bytes (1.80 KiB); -34 objects and -896 b",
		"3 classes, sorted by bytes", "+Objects", "demo.Entry", "h rates")
	if strings.Contains(text, "/s ") {
		t.Errorf("rates of what is held:\n%s", text)
	}
	has(t, shown(t, m, "g"), "Rows        0 classes, sorted by growth in bytes")
	has(t, shown(t, m, "g", "s"), "3 classes, sorted by objects")
	text = shown(t, m, "/", "E", "n", "t", "enter")
	has(t, text, "1 class, sorted by objects; class *Ent*")
	if strings.Contains(text, "demo.Point") {
		t.Errorf("what the filter leaves out:\n%s", text)
	}
	has(t, shown(t, m, "/", "esc", "h"), "Objects/s")
	report.History = heap.NewHistory(nil)
	has(t, shown(t, m, "h"), "Heap        not known before the second collection", "Rows        none")
}

// TestFailing: what was read before stays, with the reason for what is not.
func TestFailing(t *testing.T) {
	report := folded(t, profiletest.Demo)
	err := errors.New("the disk is gone")
	m := newModel(Options{Every: time.Second, Read: func() (*Reading, error) { return report, err }})
	m.Update(m.Init()())
	has(t, shown(t, m), "waiting for a snapshot: the disk is gone")
	err = nil
	m.Update(m.readNow())
	err = errors.New("the disk is gone")
	m.Update(m.readNow())
	has(t, shown(t, m), "sites, sorted by", "the disk is gone")
	if m.nextBy(1) == profile.ByContext || m.nextBy(-1) == profile.ByContext {
		t.Error("contexts of a recording without")
	}
	report.Ended, err = true, nil
	if _, cmd := m.Update(m.readNow()); cmd != nil {
		t.Error("it goes on reading what has ended")
	}
	has(t, shown(t, m), "the recording has ended")
	m.Update(tea.WindowSizeMsg{Width: 20, Height: 3})
	shown(t, m)
}

func TestRecordingOf(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "*.mallard")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	recording := profiletest.MustEncode(t, strings.Replace(profiletest.Transactions, "PID=7 ", "PID=1 ", 1))
	if _, err := file.Write(recording); err != nil {
		t.Fatal(err)
	}
	if name, err := RecordingOf(1); name != file.Name() || err != nil {
		t.Errorf("%q, %v", name, err)
	}
	if name, err := RecordingOf(os.Getpid()); name != "" || err != nil {
		t.Errorf("of a process without: %q, %v", name, err)
	}
	if _, err := RecordingOf(1 << 30); err == nil {
		t.Error("of no process")
	}
}

package view

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
	"mallard/internal/trace"
)

// recordings are those that answers are compared on.
func recordings(t *testing.T) map[string][]byte {
	t.Helper()
	var large bytes.Buffer
	if err := (profiletest.Large{Contexts: 600, Threads: 3, Rounds: 4}).Write(&large); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"demo":         profiletest.MustEncode(t, profiletest.Demo),
		"contexts":     profiletest.MustEncode(t, profiletest.Contexts),
		"transactions": profiletest.MustEncode(t, profiletest.Transactions),
		"large":        large.Bytes(),
	}
}

// opened is a recording with its changes.
func opened(t *testing.T, recording []byte) *Recording {
	t.Helper()
	p, err := profile.Fold(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	r := New(p, nil)
	changes, err := NewTiming(bytes.NewReader(recording)).Read(r)
	if err != nil {
		t.Fatal(err)
	}
	r.SetChanges(changes)
	return r
}

// queries are what answers are compared for: filters, and spans between snapshots.
func queries(r *Recording) []Query {
	list := []Query{{}}
	for _, f := range []profile.Filter{{Class: "*Node,byte[],long[]"}, {Method: "*.newNode,*.method3,*.helper"},
		{Thread: "main,thread-2"}, {Under: "demo.App.main,*Class7.method1,demo.Main"}, {Transaction: "order"},
		{Under: "demo.App.walk", Class: "demo.Point"}} {
		list = append(list, Query{Filter: f})
	}
	last := len(r.changes.intervals) - 1
	for i, interval := range r.changes.intervals {
		if i < last {
			list = append(list, Query{Span: profile.Span{From: interval.to}})
		}
		for _, from := range r.changes.intervals[:i] {
			list = append(list, Query{Span: profile.Span{From: from.to, To: interval.to},
				Filter: list[i%len(list)].Filter})
		}
	}
	return list
}

// alone reads what a query is about by itself.
func alone(t *testing.T, recording []byte, q Query) *profile.Profile {
	t.Helper()
	if q.Span == (profile.Span{}) {
		p, err := profile.Fold(bytes.NewReader(recording))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	file, err := trace.OpenFile(bytes.NewReader(recording), int64(len(recording)))
	if err != nil {
		t.Fatal(err)
	}
	reader, err := file.From(int64(q.Span.From))
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.FoldSpan(reader, q.Span)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// amountsOf sums samples by what they are called.
func amountsOf(p *profile.Profile, f profile.Filter, names func(s *profile.Sample) []string) map[string][2]int64 {
	sums := map[string][2]int64{}
	for s := range p.Samples(f) {
		if s.Site.Executed {
			continue
		}
		seen := map[string]bool{}
		for _, name := range names(&s) {
			if !seen[name] {
				sum := sums[name]
				sums[name] = [2]int64{sum[0] + s.Amount.Objects, sum[1] + s.Amount.Bytes}
			}
			seen[name] = true
		}
	}
	maps.DeleteFunc(sums, func(_ string, sum [2]int64) bool { return sum == [2]int64{} })
	return sums
}

// each runs a test for all recordings and queries.
func each(t *testing.T, test func(t *testing.T, r *Recording, q Query, alone *profile.Profile)) {
	for name, recording := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			r := opened(t, recording)
			for _, q := range queries(r) {
				t.Run(fmt.Sprint(q), func(t *testing.T) { test(t, r, q, alone(t, recording, q)) })
			}
		})
	}
}

// stackOf has the methods of a sample, the outermost first.
func stackOf(p *profile.Profile, s *profile.Sample, lines bool) (titles []string) {
	for _, f := range p.Stack(s.Site, s.Context) {
		title := f.Title()
		if lines && f.Line >= 0 {
			title += fmt.Sprint(":", f.Line)
		}
		titles = append(titles, title)
	}
	slices.Reverse(titles)
	return titles
}

// prefixes are the ways to all frames of a stack.
func prefixes(titles []string) (list []string) {
	for i := range titles {
		list = append(list, strings.Join(titles[:i+1], " / "))
	}
	return list
}

// explored has all frames of a tree, which is asked for piece by piece: what is cut, and what is smaller, by itself.
// What is smaller is one frame, whose numbers are those of all in it.
func explored(t *testing.T, r *Recording, q PieceQuery) map[string][2]int64 {
	t.Helper()
	found := map[string][2]int64{}
	asked := 0
	var explore func(path, way string, want [2]int64)
	explore = func(path, way string, want [2]int64) {
		q.Path = path
		if asked++; asked > 20000 {
			t.Fatal("that is too many pieces")
		}
		p, err := r.Piece(q)
		if err != nil {
			t.Fatal(err)
		}
		last := p.Trail[len(p.Trail)-1]
		if got := [2]int64{last[1], last[2]}; path != "" && got != want {
			t.Fatalf("%s: %v, %v in the piece below it", way, got, want)
		}
		above := [2]int64{} // of the frames that stand on this one
		type place struct{ path, way string }
		trail := []place{{path, way}}
		for i := 0; i < len(p.Frames); i += 6 {
			trail = trail[:len(trail)-int(p.Frames[i])]
			name, below := p.Names[p.Frames[i+1]], trail[len(trail)-1]
			at := place{strings.TrimPrefix(below.path+"."+name.Key, "."), below.way}
			amount := [2]int64{p.Frames[i+2], p.Frames[i+3]}
			if len(trail) == 1 {
				above[0] += amount[0]
				above[1] += amount[1]
			}
			if name.Kind != "smaller" {
				at.way = strings.TrimPrefix(below.way+" / "+name.Title, " / ")
				if _, twice := found[at.way]; twice {
					t.Errorf("%s is there twice", at.way)
				}
				found[at.way] = amount
			}
			if p.Frames[i+5] == 1 {
				explore(at.path, at.way, amount)
			}
			trail = append(trail, at)
		}
		if p.Names[last[0]].Kind == "smaller" && above != want {
			t.Errorf("%s: smaller are %v, those in it %v", way, want, above)
		}
		if p.IsCut {
			t.Errorf("nothing is known of %s", way)
		}
	}
	explore("", "", [2]int64{})
	return found
}

// TestTrees: all frames of all trees have the sums of the samples that are below them.
func TestTrees(t *testing.T) {
	each(t, func(t *testing.T, r *Recording, q Query, p *profile.Profile) {
		for _, lines := range []bool{false, true} {
			for _, bytes := range []bool{false, true} {
				if lines && bytes {
					continue
				}
				o := Options{Lines: lines, Bytes: bytes}
				calls := amountsOf(p, q.Filter, func(s *profile.Sample) []string {
					return prefixes(append(stackOf(p, s, lines), s.Site.Type))
				})
				got := explored(t, r, PieceQuery{Query: q, Options: o, Tree: Calls, Width: 300})
				if d := gocmp.Diff(calls, got); d != "" {
					t.Errorf("calls, %+v: -samples +pieces:\n%s", o, d)
				}
				classes := amountsOf(p, q.Filter, func(s *profile.Sample) []string {
					stack := stackOf(p, s, lines)
					slices.Reverse(stack)
					return prefixes(append([]string{s.Site.Type}, stack...))
				})
				got = explored(t, r, PieceQuery{Query: q, Options: o, Tree: Classes, Width: 100})
				if d := gocmp.Diff(classes, got); d != "" {
					t.Errorf("classes, %+v: -samples +pieces:\n%s", o, d)
				}
			}
		}
	})
}

// TestSandwich: what is above and below a method is what samples have outside and inside its outermost call.
func TestSandwich(t *testing.T) {
	each(t, func(t *testing.T, r *Recording, q Query, p *profile.Profile) {
		for _, method := range []string{"demo.App.walk", "java.util.HashMap.put", "demo.Main.run",
			"java.lang.Class2.method3"} {
			i := slices.IndexFunc(r.named, func(i int32) bool { return r.Profile.Methods[i].Title() == method })
			if i < 0 {
				continue
			}
			above := amountsOf(p, q.Filter, func(s *profile.Sample) []string {
				stack := stackOf(p, s, false)
				if at := slices.Index(stack, method); at >= 0 {
					outer := stack[:at]
					slices.Reverse(outer)
					return prefixes(outer)
				}
				return nil
			})
			below := amountsOf(p, q.Filter, func(s *profile.Sample) []string {
				stack := append(stackOf(p, s, false), s.Site.Type)
				if at := slices.Index(stack, method); at >= 0 {
					return prefixes(stack[at+1:])
				}
				return nil
			})
			ask := PieceQuery{Query: q, Tree: Callers, Method: r.key(name{ofMethod, r.named[i], -1}), Width: 300}
			if d := gocmp.Diff(above, explored(t, r, ask)); d != "" {
				t.Errorf("callers of %s: -samples +pieces:\n%s", method, d)
			}
			ask.Tree = Callees
			if d := gocmp.Diff(below, explored(t, r, ask)); d != "" {
				t.Errorf("callees of %s: -samples +pieces:\n%s", method, d)
			}
		}
	})
}

// TestRows: rows are those of reports; methods have what samples say that have them in their stacks.
func TestRows(t *testing.T) {
	each(t, func(t *testing.T, r *Recording, q Query, p *profile.Profile) {
		rows := func(by string) (self, all map[string][2]int64) {
			self, all = map[string][2]int64{}, map[string][2]int64{}
			for from := 0; ; from += 100 {
				answer, err := r.Rows(RowsQuery{Query: q, By: by, Sort: "all", From: from, Count: 100})
				if err != nil {
					t.Fatal(err)
				}
				for _, row := range answer.Rows {
					title := row.Title
					if by == "site" {
						title = row.Class + " " + row.Title
					}
					add := func(to map[string][2]int64, a [2]int64) {
						if sum := to[title]; a != [2]int64{} {
							to[title] = [2]int64{sum[0] + a[0], sum[1] + a[1]}
						}
					}
					add(self, row.Self)
					add(all, row.All)
				}
				if len(answer.Rows) < 100 {
					return self, all
				}
			}
		}
		compare := func(by string, want, got map[string][2]int64) {
			t.Helper()
			if d := gocmp.Diff(want, got); d != "" {
				t.Errorf("%s: -want +got:\n%s", by, d)
			}
		}
		reported := func(by profile.By, name func(row *profile.Row) string) (sums, selves map[string][2]int64) {
			sums, selves = map[string][2]int64{}, map[string][2]int64{}
			ask := profile.Query{By: by, Filter: q.Filter, Mine: &profile.Mine{Patterns: "*"}}
			for _, row := range p.Rows(ask).Rows {
				sum, self := sums[name(&row)], selves[name(&row)]
				sums[name(&row)] = [2]int64{sum[0] + row.Amount.Objects, sum[1] + row.Amount.Bytes}
				selves[name(&row)] = [2]int64{self[0] + row.Self.Objects, self[1] + row.Self.Bytes}
			}
			zero := func(_ string, a [2]int64) bool { return a == [2]int64{} }
			maps.DeleteFunc(sums, zero)
			maps.DeleteFunc(selves, zero)
			return sums, selves
		}
		self, all := rows("method")
		compare("methods, all", amountsOf(p, q.Filter, func(s *profile.Sample) []string {
			return stackOf(p, s, false)
		}), all)
		compare("methods, self", amountsOf(p, q.Filter, func(s *profile.Sample) []string {
			return stackOf(p, s, false)[len(stackOf(p, s, false))-1:]
		}), self)
		want, _ := reported(profile.ByClass, func(row *profile.Row) string { return row.Class })
		self, _ = rows("class")
		compare("classes", want, self)
		want, _ = reported(profile.ByThread, func(row *profile.Row) string { return row.Thread })
		self, _ = rows("thread")
		compare("threads", want, self)
		want, _ = reported(profile.BySite, func(row *profile.Row) string {
			return row.Class + " " + lineText(row.Site)
		})
		self, _ = rows("site")
		compare("sites", want, self)
		want, _ = reported(profile.ByTransaction, func(row *profile.Row) string {
			return cmp.Or(row.Transaction, "(none)")
		})
		self, _ = rows("transaction")
		compare("transactions", want, self)
		want, wantSelf := reported(profile.ByCaller, func(row *profile.Row) string { return lineText(row.Site) })
		self, all = rows("line")
		compare("lines, all", want, all)
		compare("lines, self", wantSelf, self)
	})
}

// lineText names a line as a Java stack trace does.
func lineText(s *profile.Site) string {
	text := s.Class + "." + s.Method
	switch {
	case s.Source != "" && s.Line >= 0:
		return fmt.Sprintf("%s(%s:%d)", text, s.Source, s.Line)
	case s.Source != "" && s.BCI >= 0:
		return fmt.Sprintf("%s(%s, bci %d)", text, s.Source, s.BCI)
	case s.Source != "":
		return fmt.Sprintf("%s(%s)", text, s.Source)
	case s.Line >= 0:
		return fmt.Sprintf("%s(line %d)", text, s.Line)
	case s.BCI >= 0:
		return fmt.Sprintf("%s(bci %d)", text, s.BCI)
	}
	return text
}

// TestFound: what is in or below names that match is what samples say that have one.
func TestFound(t *testing.T) {
	each(t, func(t *testing.T, r *Recording, q Query, p *profile.Profile) {
		for _, part := range []string{"walk", "java.util.", "[]", "METHOD3", "nothing at all"} {
			has := func(s *profile.Sample) []string {
				for _, title := range append(stackOf(p, s, false), s.Site.Type) {
					if strings.Contains(strings.ToLower(title), strings.ToLower(part)) {
						return []string{"found"}
					}
				}
				return nil
			}
			want := amountsOf(p, q.Filter, has)["found"]
			if got, err := r.Found(q, part); got != want || err != nil {
				t.Errorf("%q: %v, %v, want %v", part, got, err, want)
			}
			pattern := "/" + strings.NewReplacer(".", `\.`, "[", `\[`, "]", `\]`).Replace(part) + "/"
			if got, err := r.Found(q, pattern); got != want || err != nil {
				t.Errorf("%q: %v, %v, want %v", pattern, got, err, want)
			}
		}
		if _, err := r.Found(q, "/(/"); err == nil {
			t.Error("no error for what is no pattern")
		}
	})
}

// TestTimeline: intervals have what reading them alone finds, class by class.
func TestTimeline(t *testing.T) {
	for name, recording := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			r := opened(t, recording)
			for _, f := range []profile.Filter{{}, {Class: "*[]"}, {Thread: "main,thread-1"}} {
				timeline := r.Timeline(Query{Filter: f})
				if !timeline.Ready || len(timeline.To) != len(r.changes.intervals) {
					t.Fatalf("%+v", timeline)
				}
				for i, interval := range r.changes.intervals {
					span := profile.Span{To: interval.to}
					if i > 0 {
						span.From = r.changes.intervals[i-1].to
					}
					if i == len(timeline.To)-1 {
						span.To = 0
					}
					p := alone(t, recording, Query{Span: span})
					want := amountsOf(p, f, func(s *profile.Sample) []string { return []string{s.Site.Type} })
					all, drawn := p.Selected(f), [2]int64{}
					for k, class := range timeline.Classes {
						got := [2]int64{class.Objects[i], class.Bytes[i]}
						drawn[0] += got[0]
						drawn[1] += got[1]
						if k < len(timeline.Classes)-1 && got != want[class.Title] {
							t.Errorf("%v: %s: %v, want %v", span, class.Title, got, want[class.Title])
						}
					}
					if drawn != [2]int64{all.Objects, all.Bytes} {
						t.Errorf("%v: %v in all, want %v", span, drawn, all)
					}
				}
			}
		})
	}
}

// TestCoarse: where intervals become fewer since there are too many changes, the sums stay.
func TestCoarse(t *testing.T) {
	r := opened(t, recordings(t)["large"])
	total := r.Timeline(Query{})
	before := len(total.To)
	r.changes.halve()
	after := r.Timeline(Query{})
	if before < 4 || len(after.To) != (before+1)/2 {
		t.Fatalf("%d intervals, then %d", before, len(after.To))
	}
	for k, class := range after.Classes {
		var sum, want int64
		for _, n := range class.Objects {
			sum += n
		}
		for _, n := range total.Classes[k].Objects {
			want += n
		}
		if sum != want || class.Title != total.Classes[k].Title {
			t.Errorf("%s: %d, want %d of %s", class.Title, sum, want, total.Classes[k].Title)
		}
	}
	r.recent = nil
	span := profile.Span{From: r.changes.intervals[0].to}
	got := r.selected(Query{Span: span}).total
	p := alone(t, recordings(t)["large"], Query{Span: span})
	if got != (amount{p.Total.Objects, p.Total.Bytes}) {
		t.Errorf("%v, want %v", got, p.Total)
	}
}

// TestSource: lines have what those of one file have in rows by line; files of nobody's are not looked for.
func TestSource(t *testing.T) {
	r := opened(t, recordings(t)["contexts"])
	asked := ""
	find := func(file string) ([]string, string, bool) {
		asked = file
		return strings.Split(strings.Repeat("code\n", 40), "\n"), "src/" + file, true
	}
	s, err := r.Source(Query{}, "demo/App.java", 0, find)
	if err != nil {
		t.Fatal(err)
	}
	if s.Place != "src/demo/App.java" || s.Count != 41 || len(s.Lines) != 41 || s.First != 12 {
		t.Errorf("%+v", s)
	}
	want := map[int32][2]int64{}
	for _, row := range r.Profile.Rows(profile.Query{By: profile.ByCaller, Mine: &profile.Mine{Patterns: "*"}}).Rows {
		if row.Site.Class == "demo.App" && row.Site.Line > 0 {
			sum := want[row.Site.Line]
			want[row.Site.Line] = [2]int64{sum[0] + row.Amount.Objects, sum[1] + row.Amount.Bytes}
		}
	}
	got := map[int32][2]int64{}
	for i, line := range s.Lines {
		if line.Text != "code" && i < 40 || line.Line != int32(i+1) {
			t.Errorf("%+v", line)
		}
		if line.All != [2]int64{} {
			got[line.Line] = line.All
		}
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	asked = ""
	if _, err := r.Source(Query{}, "../../etc/passwd", 0, find); err != ErrSource || asked != "" {
		t.Errorf("a file that nothing was allocated in: %v, %q was looked for", err, asked)
	}
	none := func(string) ([]string, string, bool) { return nil, "", false }
	if s, err := r.Source(Query{}, "demo/App.java", 0, none); err != nil || s.Place != "" || len(s.Lines) != len(want) {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestFolded: what is not the user's code is one frame, and opened it is as without folding.
func TestFolded(t *testing.T) {
	r := opened(t, recordings(t)["contexts"])
	titles := func(q PieceQuery) (list []string) {
		p, err := r.Piece(q)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(p.Frames); i += 6 {
			list = append(list, fmt.Sprintf("%s %d", p.Names[p.Frames[i+1]].Title, p.Frames[i+2]))
		}
		return list
	}
	q := PieceQuery{Query: Query{Filter: profile.Filter{Class: "*Node", Under: "demo.App.main"}}, Tree: Calls,
		Options: Options{Folded: true}, Width: 1000}
	want := []string{"demo.App.main 104", "… other code 104", "java.util.HashMap$Node 104"}
	if d := gocmp.Diff(want, titles(q)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	main := r.key(name{ofMethod, r.method(r.key(name{ofMethod, int32(slices.IndexFunc(r.named, func(i int32) bool {
		return r.Profile.Methods[i].Title() == "demo.App.main"
	})), -1})), -1})
	q.Path = main + "*"
	want = []string{"java.util.HashMap.put 104", "java.util.HashMap.newNode 104", "java.util.HashMap$Node 104"}
	if d := gocmp.Diff(want, titles(q)); d != "" {
		t.Errorf("opened: -want +got:\n%s", d)
	}
}

// TestBounds: a piece has no more frames than it may, whatever the width; what is left out is said to be.
func TestBounds(t *testing.T) {
	var large bytes.Buffer
	if err := (profiletest.Large{Contexts: 60000, Threads: 2, Rounds: 1}).Write(&large); err != nil {
		t.Fatal(err)
	}
	p, err := profile.Fold(&large)
	if err != nil {
		t.Fatal(err)
	}
	r := New(p, nil)
	for _, tree := range []Tree{Calls, Classes} {
		piece, err := r.Piece(PieceQuery{Tree: tree, Width: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		// the frames above the last that was taken may be more by as many as there are names
		if n := len(piece.Frames) / 6; n < 100 || n > mostFrames+mostWidth {
			t.Errorf("%s: %d frames", tree, n)
		}
	}
	if d := r.Timeline(Query{}); d.Ready {
		t.Error("what was allocated when is known before it was read")
	}
	rows, err := r.Rows(RowsQuery{By: "site", Sort: "self", Count: 1 << 30})
	if err != nil || len(rows.Rows) > mostRows || rows.Count < mostRows {
		t.Errorf("%d of %d rows, %v", len(rows.Rows), rows.Count, err)
	}
}

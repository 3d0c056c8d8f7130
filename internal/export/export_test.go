package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	pprof "github.com/google/pprof/profile"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
	"mallard/internal/symbols"
)

// demo folds the recording of profiletest.
func demo(t *testing.T) *profile.Profile {
	t.Helper()
	return fold(t, profiletest.Demo)
}

func fold(t *testing.T, text string) *profile.Profile {
	t.Helper()
	recording := profiletest.MustEncode(t, text)
	p, err := profile.Fold(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// exported is what pprof reads of a profile.
func exported(t *testing.T, p *profile.Profile, filter profile.Filter) *pprof.Profile {
	t.Helper()
	var out bytes.Buffer
	if _, err := Pprof(&out, "demo.mallard", p, filter, 0); err != nil {
		t.Fatal(err)
	}
	back, err := pprof.ParseData(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// sampled gives what line says of each sample and its number of objects, in order.
func sampled(p *pprof.Profile, line func(*pprof.Sample) string) (lines []string) {
	for _, s := range p.Sample {
		lines = append(lines, fmt.Sprintf("%s %d", line(s), s.Value[0]))
	}
	slices.Sort(lines)
	return lines
}

func TestPprof(t *testing.T) {
	p := demo(t)
	back := exported(t, p, profile.Filter{})
	var types []string
	for _, v := range back.SampleType {
		types = append(types, v.Type+"/"+v.Unit)
	}
	if want := []string{"alloc_objects/count", "alloc_space/bytes"}; !slices.Equal(types, want) {
		t.Errorf("sample types %v, want %v", types, want)
	}
	if back.TimeNanos != p.Started.UnixNano() || back.DurationNanos != p.Duration.Nanoseconds() {
		t.Errorf("time %d, duration %d", back.TimeNanos, back.DurationNanos)
	}
	var objects, space int64
	got := sampled(back, func(s *pprof.Sample) string {
		objects += s.Value[0]
		space += s.Value[1]
		line := s.Location[0].Line[0]
		if len(s.Location) != 1 {
			t.Errorf("a stack of %d frames", len(s.Location))
		}
		return fmt.Sprintf("%s %s:%d %s %s", line.Function.SystemName, line.Function.Filename, line.Line,
			s.Label["class"][0], s.Label["thread"][0])
	})
	if objects != p.Total.Objects || space != p.Total.Bytes {
		t.Errorf("%d objects, %d bytes; want %+v", objects, space, p.Total)
	}
	const newNode = "java.util.HashMap.newNode(ILjava/lang/Object;Ljava/lang/Object;Ljava/util/HashMap$Node;)" +
		"Ljava/util/HashMap$Node; java/util/HashMap.java:1797 java.util.HashMap$Node "
	want := []string{
		"demo.Main.<init>()V demo/Main.java:0 demo.Unknown main 1",
		"demo.Main.grid(II)[[J demo/Main.java:20 long[] main 20",
		"demo.Main.grid(II)[[J demo/Main.java:20 long[][] main 2",
		"demo.Main.main([Ljava/lang/String;)V demo/Main.java:12 demo.Point main 1001",
		"demo.Main.main([Ljava/lang/String;)V demo/Main.java:14 int[] main 980",
		"demo.Plugin.start()V :3 demo.Point ForkJoinPool-1-worker-1 (carrier) 5",
		"demo.Plugin.start()V :3 demo.Point worker 7",
		newNode + "ForkJoinPool-1-worker-1 (carrier) 34",
		newNode + "main 1200",
		newNode + "worker 300",
		"java.util.HashMap.resize()[Ljava/util/HashMap$Node; java/util/HashMap.java:702 " +
			"java.util.HashMap$Node[] main 4",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
	if comments := strings.Join(back.Comments, "\n"); !strings.Contains(comments, "total: 3,554 objects") ||
		!strings.Contains(comments, "losses: sizes (1)") {
		t.Errorf("comments %q", comments)
	}
}

// TestGoToolPprof has the tool itself read a profile.
func TestGoToolPprof(t *testing.T) {
	file := filepath.Join(t.TempDir(), "demo.pb.gz")
	var out bytes.Buffer
	if _, err := Pprof(&out, "demo.mallard", demo(t), profile.Filter{}, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	readByPprof(t, file, []pprofQuestion{
		{[]string{"-top"}, []string{
			`^Type: alloc_space$`,
			`^ +47\.94kB +45\.66% .* java\.util\.HashMap\.newNode$`,
		}},
		{[]string{"-top", "-sample_index=alloc_objects", "-tagfocus=class=demo.Point"}, []string{
			`^ +1001 .* demo\.Main\.main$`, `^ +12 .* demo\.Plugin\.start$`,
		}},
		{[]string{"-top", "-sample_index=alloc_objects", "-tagleaf=class"}, []string{
			`^ +1534 .* java\.util\.HashMap\$Node$`, `^ +1013 .* demo\.Point$`,
		}},
		{[]string{"-tags", "-sample_index=alloc_objects"}, []string{`class: Total 3554`, `thread: Total 3554`}},
		{[]string{"-comments"}, []string{`^mallard recording demo\.mallard$`}},
	})
}

// pprofQuestion is what go tool pprof is asked, and expressions for lines of the answer.
type pprofQuestion struct{ flags, want []string }

// readByPprof has go tool pprof read a file.
func readByPprof(t *testing.T, file string, questions []pprofQuestion) {
	t.Helper()
	for _, test := range questions {
		cmd := exec.Command("go", append(append([]string{"tool", "pprof"}, test.flags...), file)...)
		answer, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, answer)
		}
		for _, want := range test.want {
			if !regexp.MustCompile("(?m)" + want).Match(answer) {
				t.Errorf("%v: no line %q in\n%s", test.flags, want, answer)
			}
		}
	}
}

// queries has every kind of row.
var queries = []profile.Query{
	{By: profile.BySite},
	{By: profile.ByClass, Sort: profile.SortBytes, Top: 3},
	{By: profile.ByMethod, Filter: profile.Filter{Method: "demo.*"}},
	{By: profile.ByThread, Filter: profile.Filter{Thread: "w*"}},
	{By: profile.ByContext, Filter: profile.Filter{Under: "demo.*"}},
}

// TestCSVHasTheFieldsOfJSON holds the two forms to one set of names and values.
func TestCSVHasTheFieldsOfJSON(t *testing.T) {
	for _, text := range []string{profiletest.Demo, profiletest.Contexts} {
		csvAgainstJSON(t, fold(t, text))
	}
}

func csvAgainstJSON(t *testing.T, p *profile.Profile) {
	t.Helper()
	for _, query := range queries {
		report := &Report{File: "demo.mallard", Profile: p, Answer: p.Rows(query)}
		var table, object bytes.Buffer
		if err := report.CSV(&table); err != nil {
			t.Fatal(err)
		}
		if err := report.JSON(&object); err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(&table).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		rows := readJSON(t, object.Bytes(), p, report.Answer)
		if len(rows) != len(lines)-1 {
			t.Fatalf("by %s: %d rows in JSON, %d in CSV", query.By, len(rows), len(lines)-1)
		}
		for i, row := range rows {
			flat := flatten(row)
			for k, name := range lines[0] {
				got, want := lines[i+1][k], flat[name]
				if name == "stack" {
					got = positions.ReplaceAllString(got, "")
				}
				if got != want {
					t.Errorf("by %s, row %d, %s: %q in CSV, %q in JSON", query.By, i, name, got, want)
				}
				delete(flat, name)
			}
			if len(flat) > 0 {
				t.Errorf("by %s: CSV lacks %v", query.By, flat)
			}
		}
	}
}

// places are what stands behind the methods of a stack.
var positions = regexp.MustCompile(`\([^;]*\)`)

// readJSON checks what is around the rows of a report, and returns them.
func readJSON(t *testing.T, text []byte, p *profile.Profile, answer *profile.Answer) []map[string]any {
	t.Helper()
	var report struct {
		Schema       string
		File         string
		Filters      map[string]any
		Totals       map[string]int64
		Selected     map[string]int64
		Unattributed map[string]*int64
		Losses       []map[string]any
		Rows         []map[string]any
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&report); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if report.Schema != "mallard.report/1" || report.File != "demo.mallard" {
		t.Errorf("schema %q, file %q", report.Schema, report.File)
	}
	if report.Filters["by"] != answer.Query.By.String() || report.Filters["sort"] != answer.Query.Sort.String() {
		t.Errorf("filters %v", report.Filters)
	}
	if report.Totals["objects"] != p.Total.Objects || report.Totals["bytes"] != p.Total.Bytes {
		t.Errorf("totals %v, want %+v", report.Totals, p.Total)
	}
	if report.Selected["objects"] != answer.Selected.Objects || report.Selected["bytes"] != answer.Selected.Bytes {
		t.Errorf("selected %v, want %+v", report.Selected, answer.Selected)
	}
	if len(report.Unattributed) != 3 || len(report.Losses) != len(p.Losses) {
		t.Errorf("unattributed %v, losses %v", report.Unattributed, report.Losses)
	}
	return report.Rows
}

// flatten joins the names of nested members by dots; null becomes empty.
func flatten(object map[string]any) map[string]string {
	flat := map[string]string{}
	for name, value := range object {
		switch value := value.(type) {
		case map[string]any:
			for inner, text := range flatten(value) {
				flat[name+"."+inner] = text
			}
		case []any:
			var frames []string // as Java prints them, without the places
			for _, frame := range value {
				f := frame.(map[string]any)
				text := fmt.Sprint(f["method"])
				if class, is := f["class"]; is {
					text = fmt.Sprint(class, ".", text)
				}
				frames = append(frames, text)
			}
			flat[name] = strings.Join(frames, ";")
		case nil:
			flat[name] = ""
		default:
			flat[name] = fmt.Sprint(value)
		}
	}
	return flat
}

// TestEmptyReport writes every form of a report without rows.
func TestEmptyReport(t *testing.T) {
	p := demo(t)
	for _, by := range []profile.By{profile.BySite, profile.ByClass, profile.ByMethod, profile.ByThread,
		profile.ByContext} {
		report := &Report{File: "demo.mallard", Profile: p,
			Answer: p.Rows(profile.Query{By: by, Filter: profile.Filter{Class: "none"}})}
		var text, object, table bytes.Buffer
		if report.Text(&text) != nil || report.JSON(&object) != nil || report.CSV(&table) != nil {
			t.Fatal("a buffer failed")
		}
		if !strings.Contains(text.String(), "\nShowing     0 ") {
			t.Errorf("text\n%s", &text)
		}
		if rows := readJSON(t, object.Bytes(), p, report.Answer); len(rows) != 0 {
			t.Errorf("rows %v", rows)
		}
		if strings.Count(table.String(), "\n") != 1 {
			t.Errorf("CSV %q", &table)
		}
	}
}

func TestCollapsed(t *testing.T) {
	p := &profile.Profile{
		Methods:  []symbols.Method{{Class: "demo.Main", Name: "run"}},
		Contexts: []profile.Context{{Parent: -1}},
		Sites: []profile.Site{
			{Class: "demo.Main", Method: "run", Type: "demo.Odd;name", Line: 3},
			{Class: "demo.Main", Method: "run", Type: "int[]", Line: 4},
		},
		Threads: []profile.Thread{
			{Name: "a;b", Cells: []profile.Cell{{Site: 0, Amount: profile.Amount{Objects: 2, Bytes: 32}}}},
			{Name: "c", Carrier: true, Cells: []profile.Cell{{Site: 1, Amount: profile.Amount{Objects: -1}}}},
		},
	}
	var out strings.Builder
	_, omitted, err := Collapsed{Sort: profile.SortBytes, Threads: true, Lines: true}.Write(&out, p)
	if err != nil {
		t.Fatal(err)
	}
	if want := "[a_b];demo/Main.run:3;demo.Odd_name_[i] 32\n"; out.String() != want || omitted != 1 {
		t.Errorf("got %q and %d omitted, want %q and 1", out.String(), omitted, want)
	}
}

// TestFormatsOfHostileNames prints names that a terminal would obey and a spreadsheet would run.
func TestFormatsOfHostileNames(t *testing.T) {
	for _, name := range []string{"=1+1", "+1", "-1", "@SUM(1)", " =1", "\t=1", "\r=1", "\x1b[2J", "a\nb", "\u202eb"} {
		p := demo(t)
		p.Threads[0].Name = name
		var table, collapsed strings.Builder
		report := &Report{File: "demo.mallard", Profile: p, Answer: p.Rows(profile.Query{By: profile.ByThread})}
		_, _, err := Collapsed{Threads: true}.Write(&collapsed, p)
		if err := errors.Join(err, report.CSV(&table)); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(table.String()+collapsed.String(), "\x1b\t\r\u202e") {
			t.Errorf("thread %q: CSV %q, collapsed %q", name, &table, &collapsed)
		}
		for line := range strings.Lines(table.String()) {
			if strings.ContainsAny(strings.TrimLeft(line, "\" ")[:1], "=+-@") {
				t.Errorf("thread %q: a spreadsheet runs %q", name, line)
			}
		}
	}
}

// TestTextOfHostileNames prints names that would upset a terminal.
func TestTextOfHostileNames(t *testing.T) {
	p := demo(t)
	p.Process.Command = []string{"java", "", "-Dtext=two words", "a\nb"}
	p.Threads[0].Name = "\x1b[2Jgone\xff"
	report := &Report{File: "demo\r.mallard", Profile: p, Verbose: true,
		Answer: p.Rows(profile.Query{By: profile.ByThread})}
	var out strings.Builder
	if err := report.Text(&out); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\r") || !utf8.ValidString(out.String()) {
		t.Errorf("control characters in %q", out.String())
	}
	for _, want := range []string{`java "" "-Dtext=two words" "a\nb"`, "\ufffd[2Jgone\ufffd"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestTextOfLongNames: a name of any length takes a part of a line, with both its ends; other formats have all of it.
func TestTextOfLongNames(t *testing.T) {
	p := demo(t)
	name := "begin" + strings.Repeat("ä", 60_000) + "end"
	p.Threads[0].Name = name
	report := &Report{File: "demo.mallard", Profile: p, Answer: p.Rows(profile.Query{By: profile.ByThread})}
	var text, table strings.Builder
	if err := errors.Join(report.Text(&text), report.CSV(&table)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "begin") || !strings.Contains(text.String(), "end") || text.Len() > 10_000 {
		t.Errorf("%d bytes of text: %.300s", text.Len(), &text)
	}
	if !strings.Contains(table.String(), name) {
		t.Error("CSV has no such name")
	}
	if got := shown("abcdefghij", 9); got != "abcde…hij" || utf8.RuneCountInString(got) != 9 {
		t.Errorf("cut to %q", got)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567"} {
		if got := grouped(n); got != want {
			t.Errorf("grouped(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{
		1: "1 byte", 1023: "1,023 bytes", 1024: "1,024 bytes (1.00 KiB)", 157286400: "157,286,400 bytes (150 MiB)",
	} {
		if got := exactBytes(n); got != want {
			t.Errorf("exactBytes(%d) = %q, want %q", n, got, want)
		}
	}
	if percent(1, 3) != "33.3" || percent(0, 0) != "-" {
		t.Error("percent")
	}
	if counted(1, "class") != "1 class" || counted(2000, "class") != "2,000 classes" {
		t.Error("counted")
	}
}

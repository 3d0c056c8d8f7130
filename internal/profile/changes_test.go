package profile

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"mallard/internal/profile/profiletest"
	"mallard/internal/trace"
)

// TestChanges: what changed between any two snapshots is what reading that span alone finds: by site, stack and thread.
func TestChanges(t *testing.T) {
	var large bytes.Buffer
	if err := (profiletest.Large{Contexts: 500, Threads: 3, Rounds: 4}).Write(&large); err != nil {
		t.Fatal(err)
	}
	for name, recording := range map[string][]byte{
		"sites":        profiletest.MustEncode(t, overTimeProgram),
		"contexts":     profiletest.MustEncode(t, profiletest.Contexts),
		"transactions": profiletest.MustEncode(t, profiletest.Transactions),
		"large":        large.Bytes(),
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Fold(bytes.NewReader(recording))
			if err != nil {
				t.Fatal(err)
			}
			title := func(p *Profile, site, context, thread int32) string {
				text := fmt.Sprint(p.Threads[thread].Title(), p.Sites[site].Type, p.Sites[site].BCI)
				for _, f := range p.Stack(&p.Sites[site], context) {
					text += fmt.Sprint(" ", f.Title(), f.BCI, f.Line)
				}
				return text
			}
			var ends []time.Duration
			spans := []map[string]Amount{{}}
			err = NewChanges(bytes.NewReader(recording)).Read(p, func(at Place, a Amount) {
				context, site, thread, found := p.Find(at)
				if !found {
					return
				}
				last, key := spans[len(spans)-1], title(p, site, context, thread)
				sum := last[key]
				sum.Add(a)
				last[key] = sum
			}, func(at time.Duration) {
				ends, spans = append(ends, at), append(spans, map[string]Amount{})
			})
			if err != nil {
				t.Fatal(err)
			}
			for from := range len(ends) + 1 {
				for to := from; to <= len(ends); to++ {
					span := Span{}
					if from > 0 {
						span.From = ends[from-1]
					}
					if to < len(ends) {
						span.To = ends[to]
					}
					file, err := trace.OpenFile(bytes.NewReader(recording), int64(len(recording)))
					if err != nil {
						t.Fatal(err)
					}
					alone, err := foldSpan(file, span)
					if err != nil {
						t.Fatal(err)
					}
					want, got := map[string]Amount{}, map[string]Amount{}
					for i := range alone.Threads {
						for _, c := range alone.Threads[i].Cells {
							if !alone.Sites[c.Site].Executed {
								want[title(alone, c.Site, c.Context, int32(i))] = c.Amount
							}
						}
					}
					for _, changes := range spans[from : to+1] {
						for key, a := range changes {
							sum := got[key]
							sum.Add(a)
							got[key] = sum
						}
					}
					for key, a := range got {
						if a.IsZero() {
							delete(got, key)
						}
					}
					if d := gocmp.Diff(want, got); d != "" {
						t.Errorf("%v: -alone +changes:\n%s", span, d)
					}
				}
			}
		})
	}
}

// behind reads what is in a file that grows.
type behind struct {
	file *bytes.Buffer
	at   int
}

func (b *behind) Read(to []byte) (int, error) {
	n := copy(to, b.file.Bytes()[b.at:])
	if b.at += n; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestChangesReadOn: a recording that is read on behind each record has the changes that reading it anew has. Where the
// size of what was allocated becomes known, it is to be read anew.
func TestChangesReadOn(t *testing.T) {
	for name, text := range map[string]string{"sites": overTimeProgram, "contexts": profiletest.Contexts,
		"transactions": profiletest.Transactions, "demo": profiletest.Demo} {
		t.Run(name, func(t *testing.T) {
			reader := trace.NewTextReader(strings.NewReader(text))
			var file bytes.Buffer
			writer := trace.NewWriter(&file)
			sums := map[string]Amount{}
			read := func(c *Changes, p *Profile, sums map[string]Amount) error {
				return c.Read(p, func(at Place, a Amount) {
					sum := sums[fmt.Sprint(at)]
					sum.Add(a)
					sums[fmt.Sprint(at)] = sum
				}, func(at time.Duration) { sums[fmt.Sprint("snapshot at ", at)] = Amount{Objects: 1} })
			}
			changes, anew := NewChanges(&behind{file: &file}), []string{}
			for {
				record, err := reader.Next()
				if err == io.EOF {
					break
				}
				if err = cmp.Or(err, writer.Write(record), writer.Flush()); err != nil {
					t.Fatal(err)
				}
				p, err := Fold(bytes.NewReader(file.Bytes()))
				if err != nil {
					t.Fatal(err)
				}
				err = read(changes, p, sums)
				if err == ErrAnother {
					anew = append(anew, fmt.Sprintf("%T", record))
					changes, sums = NewChanges(&behind{file: &file}), map[string]Amount{}
					err = read(changes, p, sums)
				}
				want := map[string]Amount{}
				if err = cmp.Or(err, read(NewChanges(&behind{file: &file}), p, want)); err != nil {
					t.Fatal(err)
				}
				if d := gocmp.Diff(want, sums); d != "" {
					t.Fatalf("behind %T: -anew +read on\n%s", record, d)
				}
			}
			if name == "sites" && fmt.Sprint(anew) != "[*trace.ClassSize]" {
				t.Errorf("read anew behind %v", anew)
			}
		})
	}
}

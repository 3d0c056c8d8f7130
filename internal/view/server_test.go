package view

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

const testPort = 4711

// serverOf serves a recording that nobody listens to.
func serverOf(t *testing.T, text string) *server {
	t.Helper()
	recording := profiletest.MustEncode(t, text)
	p, err := profile.Fold(bytes.NewReader(recording))
	if err != nil {
		t.Fatal(err)
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(recording)), nil }
	s, err := newServer(Serving{
		First: &Reading{Profile: p, Open: open},
		Main:  func() (*Page, error) { return &Page{[]byte("<title>page</title>"), "default-src 'none'"}, nil },
		Find:  func(string) ([]string, string, bool) { return nil, "", false },
		Others: map[string]Other{
			"diff": func(_ *profile.Profile, span profile.Span) (*Page, error) {
				return &Page{fmt.Append(nil, "diff ", span.From, " ", span.To), "default-src 'self'"}, nil
			},
			"heap": func(*profile.Profile, profile.Span) (*Page, error) { return nil, errors.New("no heap") }},
	}, testPort)
	if err != nil {
		t.Fatal(err)
	}
	(&follower{Serving: &s.Serving, following: &s.following}).time()
	return s
}

// asked gives the answer to a request.
func asked(s *server, method, address string, change func(*http.Request)) *http.Response {
	r := httptest.NewRequest(method, address, nil)
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func TestAllowed(t *testing.T) {
	s, other := serverOf(t, profiletest.Contexts), serverOf(t, profiletest.Contexts)
	if len(s.token) < 26 || s.token == other.token {
		t.Errorf("tokens %q, %q", s.token, other.token)
	}
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	for _, test := range []struct {
		method, address string
		change          func(*http.Request)
		status          int
	}{
		{"GET", s.address(), nil, 200},
		{"HEAD", s.address(), nil, 200},
		{"GET", s.address() + "state", nil, 200},
		{"GET", s.address() + "tree?tree=calls", nil, 200},
		{"GET", s.address() + "diff", nil, 200},
		{"GET", s.address() + "diff?from=1&to=2.5", nil, 200},
		{"GET", s.address() + "diff?from=1&to=x", nil, 400},
		{"GET", s.address() + "diff?of=1", nil, 400},
		{"GET", s.address() + "nothing?from=1", nil, 404},
		{"GET", s.address() + "heap", nil, 500},
		{"GET", s.address() + "rows?by=class&sort=self", header("Sec-Fetch-Site", "same-origin"), 200},
		{"GET", s.address(), host("localhost:4711"), 200},
		{"GET", s.address(), header("Sec-Fetch-Site", "none"), 200},
		{"GET", s.address() + "state", header("Sec-Fetch-Site", "cross-site"), 404},
		{"GET", s.address(), func(r *http.Request) { // a link to it
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
		}, 200},
		{"GET", s.address() + "state", header("Sec-Fetch-Site", "same-site"), 404},
		{"GET", s.address(), host("evil.example:4711"), 404},
		{"GET", s.address(), host("127.0.0.1:4712"), 404},
		{"GET", s.address(), host("127.0.0.1"), 404},
		{"GET", s.address(), host(""), 404},
		{"GET", "http://127.0.0.1:4711/", nil, 404},
		{"GET", "http://127.0.0.1:4711/" + other.token + "/", nil, 404},
		{"GET", "http://127.0.0.1:4711/" + s.token, nil, 404},
		{"GET", "http://127.0.0.1:4711/" + s.token[:25] + "/state", nil, 404},
		{"GET", "http://127.0.0.1:4711/" + strings.ToLower(s.token) + "/state", nil, 404},
		{"GET", "http://127.0.0.1:4711//state", nil, 404},
		{"GET", s.address() + "nothing", nil, 404},
		{"GET", s.address() + "../etc/passwd", nil, 404},
		{"POST", s.address() + "state", nil, 405},
		{"PUT", s.address(), nil, 405},
		{"OPTIONS", s.address(), nil, 405},
	} {
		answer := asked(s, test.method, test.address, test.change)
		if answer.StatusCode != test.status {
			t.Errorf("%s %s: %d, want %d", test.method, test.address, answer.StatusCode, test.status)
		}
		for name, want := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
			"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src '"} {
			if got := answer.Header.Get(name); !strings.HasPrefix(got, want) {
				t.Errorf("%s %s: %s %q", test.method, test.address, name, got)
			}
		}
		text, _ := io.ReadAll(answer.Body)
		if test.status == 404 && (bytes.Contains(text, []byte("demo")) || bytes.Contains(text, []byte(s.token))) {
			t.Errorf("%s: it says %q", test.address, text)
		}
	}
}

// TestParameters: what asks for nothing that there is is refused with a reason.
func TestParameters(t *testing.T) {
	s := serverOf(t, profiletest.Contexts)
	for _, ask := range []string{
		"tree", "tree?tree=other", "tree?tree=callers", "tree?tree=callers&method=AAAAAAAA", "tree?tree=calls&path=.",
		"tree?tree=calls&path=" + strings.Repeat("A", 100), "tree?tree=calls&path=~x",
		"tree?tree=calls&path=" + strings.Repeat("AAAAAAAA.", 5000) + "A", "tree?tree=calls&width=-1",
		"tree?tree=calls&width=1e3", "tree?tree=calls&unit=meters", "tree?tree=calls&lines=2", "tree?tree=calls&x=1",
		"tree?tree=calls&tree=calls", "tree?tree=calls&class=" + strings.Repeat("A", 1<<17), "tree?tree=calls&from=-1",
		"tree?tree=calls&from=NaN", "tree?tree=calls&to=1e300", "tree?tree=calls&a=%zz", "tree?tree=calls;x",
		"rows", "rows?by=method", "rows?by=other&sort=self", "rows?by=method&sort=other",
		"rows?by=method&sort=self&count=1001",
		"rows?by=method&sort=self&search=/(/", "found?search=" + strings.Repeat("A", 2000), "found?search=/[/",
		"source?file=../../etc/passwd", "source", "source?file=a&line=-1", "timeline?width=1",
	} {
		answer := asked(s, "GET", s.address()+ask, nil)
		var reason struct{ Error string }
		if err := json.NewDecoder(answer.Body).Decode(&reason); err != nil || reason.Error == "" ||
			answer.StatusCode/100 != 4 {
			t.Errorf("%.60s: %d, %q, %v", ask, answer.StatusCode, reason.Error, err)
		}
	}
	for _, ask := range []string{"tree?tree=calls&path=AAAAAAAA", "tree?tree=calls&path=~1", "timeline",
		"found?search=", "rows?by=thread&sort=-title&count=1000&offset=1000000",
		"tree?tree=classes&from=1&to=2&lines=1&folded=1&width=10000"} {
		if answer := asked(s, "GET", s.address()+ask, nil); answer.StatusCode != 200 {
			t.Errorf("%s: %d", ask, answer.StatusCode)
		}
	}
}

// FuzzRequests: whatever is asked, there is an answer, and it is JSON.
func FuzzRequests(f *testing.F) {
	f.Add("tree", "tree=calls&path=AAAAAAAA.~1*&unit=bytes&lines=1&width=300&class=*Node")
	f.Add("tree", "tree=callees&method=AAAAAAAA&from=1&to=2")
	f.Add("rows", "by=line&sort=-all&offset=1&count=10&search=/a|b/")
	f.Add("found", "search=walk&thread=main")
	f.Add("source", "file=demo/App.java&line=3")
	f.Add("timeline", "under=demo.App.main")
	recording := profiletest.MustEncode(f, profiletest.Contexts)
	p, err := profile.Fold(bytes.NewReader(recording))
	if err != nil {
		f.Fatal(err)
	}
	s, err := newServer(Serving{First: &Reading{Profile: p},
		Main: func() (*Page, error) { return &Page{}, nil },
		Find: func(string) ([]string, string, bool) { return nil, "", false }}, testPort)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name, query string) {
		if questions[name].answer == nil {
			return
		}
		r := httptest.NewRequest("GET", s.address()+name, nil)
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s?%s: %d, %q", name, query, w.Code, w.Body)
		}
	})
}

// TestServe: it listens on the loopback interface alone, answers, reads again what goes on, and ends.
func TestServe(t *testing.T) {
	text := strings.Replace(profiletest.Transactions, "End Nanos=3000000000 Complete=true", "", 1)
	readings := make(chan *Reading)
	reading := func(text string) *Reading {
		recording := profiletest.MustEncode(t, text)
		p, err := profile.Fold(bytes.NewReader(recording))
		if err != nil {
			t.Fatal(err)
		}
		open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(recording)), nil }
		return &Reading{Profile: p, Open: open}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	addresses, served := make(chan string, 1), make(chan error, 1)
	go func() {
		served <- Serve(ctx, Serving{First: reading(text), Every: time.Millisecond,
			Read: func() (*Reading, error) {
				select {
				case r := <-readings:
					if r == nil {
						return nil, errors.New("the disk is gone")
					}
					return r, nil
				case <-ctx.Done():
					return nil, nil
				}
			},
			Main:  func() (*Page, error) { return &Page{[]byte("page"), ""}, nil },
			Ready: func(address string) { addresses <- address }})
	}()
	address := <-addresses
	if u, err := url.Parse(address); err != nil || u.Hostname() != "127.0.0.1" {
		t.Fatalf("%q, %v", address, err)
	}
	get := func(name string, to any) {
		t.Helper()
		answer, err := http.Get(address + name)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(to); err != nil {
			t.Fatal(err)
		}
	}
	until := func(holds func(State) bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			var s State
			if get("state", &s); holds(s) {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%+v", s)
			}
		}
	}
	objects := func() int64 {
		var p Piece
		get("tree?tree=calls", &p)
		return p.Total[0]
	}
	until(func(s State) bool { return s.Live && s.Timed })
	before := objects()
	readings <- reading(strings.Replace(text, "9:1:30]", "9:1:40]", 1))
	until(func(s State) bool { return s.Generation == 3 })
	if after := objects(); after != before+10 {
		t.Errorf("%d objects, then %d", before, after)
	}
	readings <- nil
	until(func(s State) bool { return s.Problem == "the disk is gone" && s.Live })
	readings <- reading(strings.Replace(profiletest.Transactions, "9:1:30]", "9:1:50]", 1))
	until(func(s State) bool { return !s.Live && s.Problem == "" && s.Timed })
	if after := objects(); after != before+20 {
		t.Errorf("%d objects, then %d", before, after)
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// TestPages: a page is made for a span, and again where there is another one, or a newer reading.
func TestPages(t *testing.T) {
	s := serverOf(t, profiletest.Contexts)
	made := 0
	s.pages.makers["diff"] = func(_ *profile.Profile, span profile.Span) (*Page, error) {
		made++
		return &Page{fmt.Append(nil, span.From, " to ", span.To), ""}, nil
	}
	get := func(address, want string, times int) {
		t.Helper()
		text, _ := io.ReadAll(asked(s, "GET", s.address()+address, nil).Body)
		if string(text) != want || made != times {
			t.Errorf("%s: %s, made %d times; want %s, %d", address, text, made, want, times)
		}
	}
	get("diff", "0s to 0s", 1)
	get("diff", "0s to 0s", 1)
	get("diff?from=1.5", "1.5s to 0s", 2)
	get("diff?from=1.5&to=2", "1.5s to 2s", 3)
	get("diff?to=2&from=1.5", "1.5s to 2s", 3)
	again := *s.following.recording.Profile
	s.following.take(New(&again, nil))
	get("diff?from=1.5&to=2", "1.5s to 2s", 4)
}

package push

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"

	"mallard/internal/profile"
	"mallard/internal/profile/profiletest"
)

func fold(t *testing.T, text string) *profile.Profile {
	t.Helper()
	p, err := profile.Fold(bytes.NewReader(profiletest.MustEncode(t, text)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func none(string) string { return "" }

// TestSend: the server gets a form with a profile that has all, and is told that it is a difference.
func TestSend(t *testing.T) {
	p := fold(t, profiletest.Demo)
	p.Span = &profile.Span{From: time.Second, To: 3 * time.Second}
	var got *pprof.Profile
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		from, _ := strconv.ParseInt(q.Get("from"), 10, 64)
		until, _ := strconv.ParseInt(q.Get("until"), 10, 64)
		if r.Method != http.MethodPost || r.URL.Path != "/base/ingest" || q.Has("format") ||
			q.Get("name") != "demo.Main{host=web1,zone=a_b_c}" || from != p.Started.Add(time.Second).UnixNano() ||
			until-from != int64(2*time.Second) {
			t.Errorf("%s %s", r.Method, r.URL)
		}
		if user, password, ok := r.BasicAuth(); !ok || user != "me" || password != "secret" ||
			r.Header.Get("X-Scope-OrgID") != "team" {
			t.Errorf("%v", r.Header)
		}
		file, _, err := r.FormFile("profile")
		if err == nil {
			got, err = pprof.Parse(file)
		}
		if err != nil {
			t.Error(err)
		}
		types := map[string]struct {
			Units      string
			Cumulative bool
		}{}
		file, _, err = r.FormFile("sample_type_config")
		if err == nil {
			var text []byte
			text, err = io.ReadAll(file)
			types["alloc_space"] = struct {
				Units      string
				Cumulative bool
			}{"", true}
			json.Unmarshal(text, &types)
		}
		if err != nil || types["alloc_space"].Cumulative || types["alloc_space"].Units != "bytes" || len(types) != 2 {
			t.Errorf("%v: %v", err, types)
		}
	}))
	defer server.Close()
	address := strings.Replace(server.URL, "http://", "http://me:secret@", 1) + "/base"
	s, err := NewServer(address, func(name string) string {
		if name == TenantVariable {
			return "team"
		}
		return ""
	}, map[string]string{"zone": "a,b=c", "host": "web1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(context.Background(), "a.mallard", p); err != nil {
		t.Fatal(err)
	}
	var objects, bytes int64
	for _, sample := range got.Sample {
		objects += sample.Value[0]
		bytes += sample.Value[1]
	}
	if objects != p.Total.Objects || bytes != p.Total.Bytes || got.TimeNanos != p.Started.Add(time.Second).UnixNano() ||
		got.DurationNanos != int64(2*time.Second) {
		t.Errorf("%d objects, %d bytes of %+v", objects, bytes, p.Total)
	}
}

// TestToken: a token goes to the server, and not where it redirects to.
func TestToken(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the redirect was followed")
	}))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer abc" {
			t.Errorf("%v", r.Header)
		}
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	s, err := NewServer(server.URL, func(name string) string {
		if name == TokenVariable {
			return "abc"
		}
		return ""
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(context.Background(), "a", fold(t, profiletest.Demo)); err == nil ||
		!strings.Contains(err.Error(), "307") {
		t.Errorf("%v", err)
	}
}

// TestFailures: messages say what is wrong, and no password.
func TestFailures(t *testing.T) {
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "full", http.StatusServiceUnavailable)
	}))
	defer busy.Close()
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer slow.Close()
	defer close(release)
	gone := httptest.NewServer(http.HandlerFunc(nil))
	gone.Close()
	p := fold(t, profiletest.Demo)
	for name, test := range map[string]struct{ address, says string }{
		"busy": {busy.URL, "503"}, "slow": {slow.URL, "no answer"}, "gone": {gone.URL, "refused"},
	} {
		s, err := NewServer(strings.Replace(test.address, "http://", "http://me:secret@", 1), none, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.client.Timeout = 300 * time.Millisecond
		err = s.Send(context.Background(), "a", p)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, address := range []string{"", "pyroscope", "ftp://me:secret@x", "http://", "http://me:sec ret@x:y"} {
		if _, err := NewServer(address, none, nil); err == nil || strings.Contains(err.Error(), "sec") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

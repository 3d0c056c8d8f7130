package view

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Serve serves a recording until ctx is done. Who knows the address that Ready is given may ask; nobody else, and
// nobody from another machine.
func Serve(ctx context.Context, o Serving) error {
	listener, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(o.Port)))
	if err != nil {
		return err
	}
	s, err := newServer(o, listener.Addr().(*net.TCPAddr).Port)
	if err != nil {
		listener.Close()
		return err
	}
	const header, idle, write = 10 * time.Second, time.Minute, 5 * time.Minute
	h := &http.Server{Handler: s, ReadHeaderTimeout: header, ReadTimeout: header, IdleTimeout: idle,
		WriteTimeout: write, MaxHeaderBytes: 2 * mostParameter}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go (&follower{Serving: &s.Serving, following: &s.following}).follow(ctx)
	served := make(chan error, 1)
	go func() { served <- h.Serve(listener) }()
	o.Ready(s.address())
	select {
	case err = <-served:
		return err
	case <-ctx.Done():
		return h.Close()
	}
}

// server answers requests.
type server struct {
	Serving
	port      int
	token     string
	following following
	pages     pages
}

// newServer makes one with a token of its own.
func newServer(o Serving, port int) (*server, error) {
	s := &server{Serving: o, port: port, token: rand.Text()} // 128 bits and more
	s.following.take(o.layOut(o.First))
	s.following.generation = 1
	s.pages.makers = o.Others
	main, err := o.Main()
	s.pages.main = main
	return s, err
}

// address is where the page is.
func (s *server) address() string {
	return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) + "/" + s.token + "/"
}

// ServeHTTP answers a request.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	name, known := s.allowed(r)
	switch {
	case !known:
		http.Error(w, "not found", http.StatusNotFound)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
	case name == "state":
		writeJSON(w, s.following.state(), nil)
	default:
		s.answer(w, r, name)
	}
}

// allowed gives what is asked for, if it is asked for by the page, or by who knows the token. A page of somebody
// else's, whose name was made to lead to this machine, has that name in its requests.
func (s *server) allowed(r *http.Request) (name string, allowed bool) {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil || port != strconv.Itoa(s.port) || host != "127.0.0.1" && host != "localhost" {
		return "", false
	}
	from, navigates := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Sec-Fetch-Mode") == "navigate"
	if from != "" && from != "same-origin" && from != "none" && !navigates {
		return "", false
	}
	token, name, found := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	same := subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 1
	return name, same && found
}

func (s *server) answer(w http.ResponseWriter, r *http.Request, name string) {
	if q, known := questions[name]; known {
		p := newParameters(r.URL.RawQuery, q.names...)
		answer, err := s.following.answer(func(recording *Recording) (any, error) {
			return q.answer(&s.Serving, recording, p)
		})
		writeJSON(w, answer, err)
		return
	}
	p := newParameters(r.URL.RawQuery, "from", "to")
	span := p.query().Span
	page, err := s.pages.get(name, s.following.profile(), span)
	switch {
	case errors.Is(err, errNoPage):
		http.Error(w, "not found", http.StatusNotFound)
	case p.err != nil:
		http.Error(w, p.err.Error(), http.StatusBadRequest)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		w.Header().Set("Content-Security-Policy", page.Policy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(page.Text)
	}
}

// writeJSON writes an answer, or why there is none.
func writeJSON(w http.ResponseWriter, answer any, err error) {
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		answer = map[string]string{"error": err.Error()}
		status := http.StatusBadRequest
		if errors.Is(err, ErrSource) {
			status = http.StatusNotFound
		}
		w.WriteHeader(status)
	}
	json.NewEncoder(w).Encode(answer)
}

// Package push sends what programs allocate to Pyroscope, as pprof profiles of spans of their recordings.
//
// It uses the HTTP API that Pyroscope's own clients use: POST /ingest with name, from and until, and a form that has
// the profile and says that its values are differences:
// https://grafana.com/docs/pyroscope/latest/reference-server-api.
package push

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"mallard/internal/export"
	"mallard/internal/profile"
)

// Server is where profiles go. Credentials are in no message.
type Server struct {
	url    *url.URL // without user and password
	client http.Client
	user   *url.Userinfo
	token  string
	tenant string
	labels map[string]string
}

// requestTimeout bounds a request.
const requestTimeout = 10 * time.Second

// Variables of the environment with what is for the server alone.
const (
	TokenVariable  = "MALLARD_PUSH_TOKEN"  // for Authorization: Bearer
	TenantVariable = "MALLARD_PUSH_TENANT" // for X-Scope-OrgID
)

// NewServer takes the server's address, with a user and password or without; what environment says; and labels of all
// profiles.
func NewServer(address string, getenv func(string) string, labels map[string]string) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("not a URL such as http://pyroscope:4040") // which may have a password
	}
	s := &Server{user: u.User, token: getenv(TokenVariable), tenant: getenv(TenantVariable), labels: labels,
		client: http.Client{Timeout: requestTimeout,
			// a redirect would take the credentials along
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	s.url = u.JoinPath("ingest")
	return s, nil
}

// Name is the server's, for messages.
func (s *Server) Name() string { return s.url.Host }

// Send sends what was allocated in a span, or in all of a recording. A server that has taken a profile and does not
// say so gets it again.
func (s *Server) Send(ctx context.Context, file string, p *profile.Profile) error {
	body, kind, err := form(file, p)
	if err != nil {
		return err
	}
	from := p.Started
	if p.Span != nil {
		from = from.Add(p.Span.From)
	}
	until := from.Add(p.Length())
	if !until.After(from) {
		until = from.Add(time.Nanosecond)
	}
	address := *s.url
	// without a format, which has Pyroscope take a form for the profile itself
	address.RawQuery = url.Values{"name": {s.application(p)}, "from": {strconv.FormatInt(from.UnixNano(), 10)},
		"until": {strconv.FormatInt(until.UnixNano(), 10)}, "spyName": {"mallard"}}.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address.String(), body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", kind)
	if s.tenant != "" {
		request.Header.Set("X-Scope-OrgID", s.tenant)
	}
	switch {
	case s.token != "":
		request.Header.Set("Authorization", "Bearer "+s.token)
	case s.user != nil:
		password, _ := s.user.Password()
		request.SetBasicAuth(s.user.Username(), password)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return cause(err)
	}
	defer response.Body.Close()
	io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10))
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return fmt.Errorf("it answers %s", response.Status)
	}
	return nil
}

// cause is what is wrong with a request, without its address.
func cause(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		if of.Timeout() {
			return fmt.Errorf("no answer within %v", requestTimeout)
		}
		return of.Err
	}
	return err
}

// smallest is the share, percent, below which stacks share a frame, so that a profile has hundreds of them and not
// hundreds of thousands; amounts stay exact.
const smallest = 0.1

// form is a form with the profile.
func form(file string, p *profile.Profile) (body *bytes.Buffer, kind string, err error) {
	body = &bytes.Buffer{}
	w := multipart.NewWriter(body)
	part, err := w.CreateFormFile("profile", "profile.pprof")
	if err == nil {
		_, err = export.Pprof(part, file, p, profile.Filter{}, smallest)
	}
	if err == nil {
		part, err = w.CreateFormFile("sample_type_config", "sample_type_config.json")
	}
	if err == nil {
		_, err = io.WriteString(part, sampleTypes)
	}
	return body, w.FormDataContentType(), errors.Join(err, w.Close())
}

// sampleTypes says that values are of the span; by themselves they would be taken for sums since the start.
const sampleTypes = `{"alloc_objects":{"units":"objects","aggregation":"sum","cumulative":false},` +
	`"alloc_space":{"units":"bytes","aggregation":"sum","cumulative":false}}`

// application is the name of a program, with the labels.
func (s *Server) application(p *profile.Profile) string {
	name := "java"
	if p.Process != nil {
		if main, _ := profile.MainProgram(p.Process.Command); main != "" {
			name = main
		}
	}
	var labels []string
	for _, label := range slices.Sorted(maps.Keys(s.labels)) {
		labels = append(labels, label+"="+plain(s.labels[label], ",{}= "))
	}
	return plain(name, ",{}= /") + "{" + strings.Join(labels, ",") + "}"
}

// plain replaces what divides names and labels.
func plain(text, dividers string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(dividers, r) || r < ' ' {
			return '_'
		}
		return r
	}, text)
}

package view

import (
	"errors"
	"sync"

	"mallard/internal/profile"
)

// errNoPage is the error for a page that there is not.
var errNoPage = errors.New("view: no such page")

// pages are made when they are asked for. The last one of each name is kept.
type pages struct {
	lock   sync.Mutex
	main   *Page
	makers map[string]Other
	made   map[string]madePage
}

// madePage is a page, and what it is about.
type madePage struct {
	of   *profile.Profile
	span profile.Span
	page *Page
}

// get gives a page about a span of a recording; the main one has no name. What cannot be made is tried again.
func (p *pages) get(name string, of *profile.Profile, span profile.Span) (*Page, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if name == "" {
		return p.main, nil
	}
	if made := p.made[name]; made.page != nil && made.of == of && made.span == span {
		return made.page, nil
	}
	maker := p.makers[name]
	if maker == nil {
		return nil, errNoPage
	}
	page, err := maker(of, span)
	if err != nil {
		return nil, err
	}
	if p.made == nil {
		p.made = map[string]madePage{}
	}
	p.made[name] = madePage{of, span, page}
	return page, nil
}

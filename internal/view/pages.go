package view

import (
	"errors"
	"sync"
)

// errNoPage is the error for a page that there is not.
var errNoPage = errors.New("view: no such page")

// pages are made once.
type pages struct {
	lock   sync.Mutex
	main   *Page
	makers map[string]func() (*Page, error)
	made   map[string]*Page
}

// get gives a page; the main one has no name. What cannot be made is tried again.
func (p *pages) get(name string) (*Page, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if name == "" {
		return p.main, nil
	}
	if page := p.made[name]; page != nil {
		return page, nil
	}
	maker := p.makers[name]
	if maker == nil {
		return nil, errNoPage
	}
	page, err := maker()
	if err != nil {
		return nil, err
	}
	if p.made == nil {
		p.made = map[string]*Page{}
	}
	p.made[name] = page
	return page, nil
}

package metrics

import (
	"cmp"
	"strings"
	"sync"
	"time"

	"mallard/internal/profile"
)

// Metrics is the counters of all programs under one command. All methods may be called by several goroutines.
type Metrics struct {
	most     int // names of a family, beside other
	mu       sync.Mutex
	programs map[string]*program
}

// program is what the JVMs of one main class allocated.
type program struct {
	total, packages, classes, transactions *family
	collections                            map[string]*collections // by kind
	losses                                 map[string]map[string]uint64
}

// collections is what happened of one kind.
type collections struct {
	count  int64
	paused time.Duration
}

// New takes how many packages, classes and transactions of a program have series of their own at most.
func New(most int) *Metrics { return &Metrics{most: most, programs: map[string]*program{}} }

// Add adds a span of a recording, and the collections in it: the table that report --gc prints, or nil. Spans of one
// recording follow each other.
func (m *Metrics) Add(file string, p *profile.Profile, table *profile.EventTable) {
	total, packages, classes := map[string]profile.Amount{}, map[string]profile.Amount{}, map[string]profile.Amount{}
	for i := range p.Sites {
		site := &p.Sites[i]
		if site.Executed {
			continue
		}
		add(total, "", site.Amount)
		add(packages, packageOf(site.Class), site.Amount)
		add(classes, site.Type, site.Amount)
	}
	transactions := map[string]profile.Amount{}
	if p.Tracked {
		for _, row := range p.Rows(profile.Query{By: profile.ByTransaction}).Rows {
			add(transactions, cmp.Or(row.Transaction, "none"), row.Amount)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	of := m.program(nameOf(p))
	of.total.add(total)
	of.packages.add(packages)
	of.classes.add(classes)
	of.transactions.add(transactions)
	of.losses[file] = map[string]uint64{}
	for _, l := range p.Losses {
		if l.Kind == "live-frames" && (!p.Ended() || p.Complete) {
			continue // of the span alone
		}
		of.losses[file][l.Kind] += max(l.Count, 1)
	}
	if table != nil {
		of.addCollections(table)
	}
}

// nameOf is a program's main class, jar or module.
func nameOf(p *profile.Profile) string {
	if p.Process == nil {
		return "java"
	}
	main, _ := profile.MainProgram(p.Process.Command)
	return cmp.Or(main, "java")
}

func (m *Metrics) program(name string) *program {
	p := m.programs[name]
	if p == nil {
		p = &program{total: newFamily(2), packages: newFamily(m.most), classes: newFamily(m.most),
			transactions: newFamily(m.most), collections: map[string]*collections{},
			losses: map[string]map[string]uint64{}}
		m.programs[name] = p
	}
	return p
}

// packageOf is that of a class; of one in none it is "none".
func packageOf(class string) string {
	if strings.HasPrefix(class, "(") {
		return class
	}
	return cmp.Or(class[:max(strings.LastIndexByte(class, '.'), 0)], "none")
}

func add(to map[string]profile.Amount, name string, a profile.Amount) {
	sum := to[name]
	sum.Add(a)
	to[name] = sum
}

func (p *program) addCollections(t *profile.EventTable) {
	for _, row := range t.Rows {
		name, is := t.Value(row, "kind").(string)
		if !is {
			continue
		}
		c := p.collections[name]
		if c == nil {
			c = &collections{}
			p.collections[name] = c
		}
		c.count++
		if d, is := t.Value(row, "pause").(time.Duration); is {
			c.paused += d
		}
	}
}

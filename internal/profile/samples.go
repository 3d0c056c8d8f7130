package profile

import "iter"

// Sample is what one thread allocated at one site: a weighted stack.
type Sample struct {
	Index  int // of Site in Profile.Sites
	Site   *Site
	Thread *Thread
	Amount Amount
}

// Samples yields everything that passes the filter, thread by thread, each
// thread's samples in order of the sites.
func (p *Profile) Samples(f Filter) iter.Seq[Sample] {
	return func(yield func(Sample) bool) {
		for i := range p.Threads {
			thread := &p.Threads[i]
			if !f.thread(thread) {
				continue
			}
			for _, c := range thread.Cells {
				site := &p.Sites[c.Site]
				if f.site(site) && !yield(Sample{c.Site, site, thread, c.Amount}) {
					return
				}
			}
		}
	}
}

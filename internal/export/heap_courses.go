package export

import "mallard/internal/heap"

// pagePoints are a timeline's points, column by column.
type pagePoints struct {
	Seconds []float64 `json:"seconds"`
	Moments []string  `json:"moments"`
	Found   []int64   `json:"found"` // bytes
	Young   []int64   `json:"young"` // pauses of that kind since the point before
	Mixed   []int64   `json:"mixed"`
	Full    []int64   `json:"full"`
}

func newPagePoints(h *heap.History, t *heap.Timeline) *pagePoints {
	points := &pagePoints{[]float64{0}, []string{"the start"}, []int64{0}, []int64{0}, []int64{0}, []int64{0}}
	for _, p := range t.Points {
		points.Seconds = append(points.Seconds, h.Pauses[p.Pause].Time().Seconds())
		points.Moments = append(points.Moments, momentText(h, p.Pause))
		points.Found = append(points.Found, p.Found)
		points.Young = append(points.Young, p.Kinds[heap.YoungPause])
		points.Mixed = append(points.Mixed, p.Kinds[heap.MixedPause])
		points.Full = append(points.Full, p.Kinds[heap.FullPause])
	}
	return points
}

// pageCourse is a class over time.
type pageCourse struct {
	Name int64 `json:"name"`
	Site int64 `json:"site"` // -1: not known, or not asked for
	// for each change, against the one before: points, objects and bytes held, objects and bytes born
	Changes []int64 `json:"changes"`
}

// newPageCourses gives a timeline's courses, the last one that of all others if there are any.
func newPageCourses(t *pageTree, h *heap.History, line *heap.Timeline) []pageCourse {
	courses := []pageCourse{}
	add := func(name string, site int64, c *heap.Course) {
		p := pageCourse{Name: t.name(name), Site: site, Changes: make([]int64, 0, 5*len(c.Changes))}
		last := heap.Change{Point: -1} // points of the page begin with the start
		for _, now := range c.Changes {
			p.Changes = append(p.Changes, int64(now.Point-last.Point), now.Held.Objects-last.Held.Objects,
				now.Held.Bytes-last.Held.Bytes, now.Born.Objects-last.Born.Objects, now.Born.Bytes-last.Born.Bytes)
			last = now
		}
		courses = append(courses, p)
	}
	for i := range line.Courses {
		c := &line.Courses[i]
		add(h.Title(c.Class), siteName(t, line, c.Class), c)
	}
	if line.Left > 0 {
		add(othersName(line.Left), -1, &line.Others)
	}
	return courses
}

// othersName stands for classes that are not told apart.
func othersName(n int) string {
	if n == 1 {
		return "(1 other class)"
	}
	return "(" + grouped(int64(n)) + " other classes)"
}

// siteName is the number of what makes a class; -1: it is not known, or was not asked for.
func siteName(t *pageTree, line *heap.Timeline, class heap.Class) int64 {
	if made := siteText(line.Counts, class); made != "" {
		return t.name(made)
	}
	return -1
}

// siteText says what makes a class, where that was asked for; "" if there is nothing to say.
func siteText(counts *heap.Counts, class heap.Class) string {
	if counts == nil {
		return ""
	}
	text, _ := madeBy(counts, class).(string)
	return text
}

package heap

// lines are straight lines by least squares, through points that have their x in common. A point is as high as the one
// before it, unless something else is set, so that they cost nothing where nothing changes. All sums are of differences
// from means: what is near to something else in size is not subtracted from it.
type lines struct {
	points int       // that have been passed
	sums   []float64 // of the differences of x from their mean, of so many first points
	sumXX  float64
	list   []line
}

// line is one of them, up to where its height was set last.
type line struct {
	since              int
	height             float64
	mean, sumXY, sumYY float64
}

func newLines(x []float64, n int) *lines {
	mean := 0.0
	for i, v := range x {
		mean += (v - mean) / float64(i+1)
	}
	l := &lines{sums: make([]float64, len(x)+1), list: make([]line, n)}
	for i, v := range x {
		l.sums[i+1] = l.sums[i] + v - mean
		l.sumXX += (v - mean) * (v - mean)
	}
	return l
}

// set says how high a line is at the next point.
func (l *lines) set(i int, height float64) {
	l.list[i].to(l, l.points)
	l.list[i].height = height
}

// next goes to the next point.
func (l *lines) next() { l.points++ }

// to adds a line's points up to one (Welford's way).
func (n *line) to(l *lines, point int) {
	if point == n.since {
		return
	}
	more := float64(point - n.since)
	delta := n.height - n.mean
	n.mean += delta * more / float64(point)
	n.sumYY += delta * (n.height - n.mean) * more
	n.sumXY += n.height * (l.sums[point] - l.sums[n.since])
	n.since = point
}

// slope gives a line's slope and R², which there is where not all points are alike.
func (l *lines) slope(i int) (slope, fit float64, fitted bool) {
	n := &l.list[i]
	n.to(l, l.points)
	if l.sumXX <= 0 || n.sumYY <= 0 {
		return 0, 0, false
	}
	return n.sumXY / l.sumXX, min(1, n.sumXY*n.sumXY/(l.sumXX*n.sumYY)), true
}

package export

import (
	"fmt"
	"html"
	"strconv"
	"strings"
	"time"

	"mallard/internal/profile"
)

// A plot's size in its own coordinates, which the page scales.
const (
	plotWidth  = 1000
	plotHeight = 100
	plotFloor  = 99
	plotTop    = 1
)

// plots draws the event tables of a recording of some length, each plot as a picture (SVG) below its title; "" if
// there is none.
func plots(tables []*profile.EventTable, length time.Duration) string {
	var b strings.Builder
	for _, c := range tables {
		for i := range c.Plots {
			if highest(&c.Plots[i]) > 0 {
				writePlot(&b, &c.Plots[i], length)
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "<details id=\"plots\"><summary>Over time</summary>\n" + b.String() + "</details>\n"
}

func highest(p *profile.Plot) (value float64) {
	for _, line := range p.Lines {
		for _, point := range line.Points {
			value = max(value, point.Value)
		}
	}
	return value
}

func writePlot(b *strings.Builder, p *profile.Plot, length time.Duration) {
	top := highest(p)
	x := func(at time.Duration) float64 { return plotWidth * at.Seconds() / max(length.Seconds(), 1e-9) }
	y := func(v float64) float64 { return plotFloor - (plotFloor-plotTop)*v/top }
	fmt.Fprintf(b, "<figure><figcaption>%s, 0 to %s, in %s</figcaption>\n", html.EscapeString(p.Title),
		plotValue(top, p.Unit), seconds(length))
	fmt.Fprintf(b, `<svg viewBox="0 0 %d %d" preserveAspectRatio="none" role="img" aria-label="%s">`+"\n", plotWidth,
		plotHeight, html.EscapeString(p.Title))
	fmt.Fprintf(b, `<line class="axis" x1="0" y1="%d" x2="%d" y2="%[1]d"/>`+"\n", plotFloor, plotWidth)
	for i, line := range p.Lines {
		fmt.Fprintf(b, `<path class="line%d" d="`, i)
		for k, point := range line.Points {
			switch {
			case p.Bars:
				fmt.Fprintf(b, "M%.1f %dV%.1f", x(point.At), plotFloor, y(point.Value))
			case k == 0:
				fmt.Fprintf(b, "M%.1f %.1f", x(point.At), y(point.Value))
			default:
				fmt.Fprintf(b, "L%.1f %.1f", x(point.At), y(point.Value))
			}
		}
		fmt.Fprintf(b, `"><title>%s</title></path>`+"\n", html.EscapeString(line.Name))
	}
	b.WriteString("</svg></figure>\n")
}

// plotValue prints the largest value.
func plotValue(v float64, unit profile.Unit) string {
	switch unit {
	case profile.Bytes:
		return exactBytes(int64(v))
	case profile.Seconds:
		return strconv.FormatFloat(v*1000, 'f', 3, 64) + " ms"
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

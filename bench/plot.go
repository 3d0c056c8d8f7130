package main

import (
	"errors"
	"image/color"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The variants of the plot, from the left to the right of a program's place.
var plotted = []struct {
	variant, label string
	color          color.Color
}{
	{mallard, "mallard", color.RGBA{R: 0x00, G: 0x72, B: 0x5c, A: 0xff}},
	{jfr, "JFR", color.RGBA{R: 0xd9, G: 0x8a, B: 0x00, A: 0xff}},
	{jfrAllocations, "JFR with allocations", color.RGBA{R: 0xb0, G: 0x3a, B: 0x5b, A: 0xff}},
}

const (
	plotWidth  = 24 * vg.Centimeter
	plotHeight = 18 * vg.Centimeter
	beside     = 0.22 // between the variants of a program, of the distance between programs
)

// writePlot draws each program's factors of its plain run, medians with the smallest and largest: above those in steady
// state, below those of the process.
func writePlot(path string, p settingKey, cells []*Cell) (err error) {
	canvas := vgsvg.New(plotWidth, plotHeight)
	above, err := factorPlot("Steady state, factor of the plain run; "+p.String(), cells, steady)
	if err != nil {
		return err
	}
	below, err := factorPlot("Whole process, factor of the plain run", cells, whole)
	if err != nil {
		return err
	}
	panels := [][]*plot.Plot{{above}, {below}}
	for i, row := range plot.Align(panels, draw.Tiles{Rows: 2, Cols: 1, PadY: vg.Centimeter / 2}, draw.New(canvas)) {
		panels[i][0].Draw(row[0])
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = canvas.WriteTo(file)
	return errors.Join(err, file.Close())
}

func factorPlot(title string, cells []*Cell, of func(Run) float64) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.Title.Padding = title, vg.Points(8)
	var names []string
	for _, c := range cells {
		names = append(names, c.Workload)
	}
	p.NominalX(names...)
	p.X.Min, p.X.Max = -0.5, float64(len(cells))-0.5
	p.X.Tick.Label.Font.Size = vg.Points(9)
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, factorTicks{}
	p.Legend.Top, p.Legend.Left, p.Legend.Padding = true, true, vg.Points(2)
	p.Add(plotter.NewGrid(), level(1, len(cells)))
	p.Y.Min, p.Y.Max = 0.9, 1.2
	for i, v := range plotted {
		points := &factors{}
		for n, c := range cells {
			if ratios := c.ratios(v.variant, of); len(ratios) > 0 {
				s := spread(ratios)
				points.XYs = append(points.XYs, plotter.XY{X: float64(n) + beside*float64(i-1), Y: s.Median})
				points.YErrors = append(points.YErrors, struct{ Low, High float64 }{s.Median - s.Min, s.Max - s.Median})
				p.Y.Min, p.Y.Max = min(p.Y.Min, s.Min/1.02), max(p.Y.Max, s.Max*1.02)
			}
		}
		if len(points.XYs) == 0 {
			continue
		}
		dots, err := plotter.NewScatter(points)
		if err != nil {
			return nil, err
		}
		bars, err := plotter.NewYErrorBars(points)
		if err != nil {
			return nil, err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: v.color, Radius: vg.Points(3.5), Shape: draw.CircleGlyph{}}
		bars.LineStyle.Color, bars.CapWidth = v.color, vg.Points(4)
		p.Add(bars, dots)
		p.Legend.Add(v.label, dots)
	}
	return p, nil
}

// factors are medians with what lies below and above them.
type factors struct {
	plotter.XYs
	plotter.YErrors
}

// level is a line at a factor, from the first to the last program.
func level(factor float64, programs int) *plotter.Line {
	// finite numbers are no error
	line, _ := plotter.NewLine(plotter.XYs{{X: -0.5, Y: factor}, {X: float64(programs) - 0.5, Y: factor}})
	line.Color = color.Gray{Y: 0x60}
	return line
}

// factorTicks marks the factors that a reader looks for.
type factorTicks struct{}

func (factorTicks) Ticks(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	for _, t := range []plot.Tick{{Value: 0.8, Label: "0.8"}, {Value: 0.9, Label: "0.9"}, {Value: 1, Label: "1"},
		{Value: 1.1, Label: "1.1"}, {Value: 1.2, Label: "1.2"},
		{Value: 1.5, Label: "1.5"}, {Value: 2, Label: "2"}, {Value: 3, Label: "3"}, {Value: 5, Label: "5"}, {Value: 10,
			Label: "10"}, {Value: 20, Label: "20"}} {
		if t.Value >= least && t.Value <= most {
			ticks = append(ticks, t)
		}
	}
	return ticks
}

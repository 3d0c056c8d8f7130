import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.Random;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.time.Day;
import org.jfree.data.time.TimeSeries;
import org.jfree.data.time.TimeSeriesCollection;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Builds data sets and draws bar, line, time and scatter charts into images in memory. */
public final class Jfreechart extends Workload {
    @Override
    protected long iterate() {
        long sum = 0;
        for (int seed = 0; seed < 6; seed++) {
            Random random = new Random(seed);
            sum = 31 * sum + draw(bars(random));
            sum = 31 * sum + draw(scatter(random));
            sum = 31 * sum + draw(times(random));
        }
        return sum & 0xffffffffL;
    }

    private static JFreeChart bars(Random random) {
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        for (int i = 0; i < 200; i++) {
            data.addValue(random.nextInt(100), word(i % 5), word(i / 5));
        }
        return ChartFactory.createBarChart("bars", "x", "y", data, PlotOrientation.VERTICAL, true, false, false);
    }

    private static JFreeChart scatter(Random random) {
        XYSeriesCollection data = new XYSeriesCollection();
        for (int s = 0; s < 3; s++) {
            XYSeries series = new XYSeries(word(s));
            for (int i = 0; i < 3000; i++) {
                series.add(random.nextGaussian(), random.nextGaussian());
            }
            data.addSeries(series);
        }
        return ChartFactory.createScatterPlot("points", "x", "y", data, PlotOrientation.VERTICAL, true, false, false);
    }

    private static JFreeChart times(Random random) {
        TimeSeries series = new TimeSeries("days");
        Day day = new Day(1, 1, 2001);
        double value = 100;
        for (int i = 0; i < 2000; i++) {
            series.add(day, value += random.nextGaussian());
            day = (Day) day.next();
        }
        return ChartFactory.createTimeSeriesChart("times", "day", "value", new TimeSeriesCollection(series), true,
                false, false);
    }

    private static long draw(JFreeChart chart) {
        BufferedImage image = new BufferedImage(500, 300, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        chart.draw(graphics, new Rectangle2D.Double(0, 0, 500, 300));
        graphics.dispose();
        long sum = 0;
        for (int pixel : image.getRGB(0, 0, 500, 300, null, 0, 500)) {
            sum = 31 * sum + pixel;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        new Jfreechart().run(args);
    }
}

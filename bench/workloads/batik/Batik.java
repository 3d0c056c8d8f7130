import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.util.Random;
import org.apache.batik.transcoder.TranscoderInput;
import org.apache.batik.transcoder.TranscoderOutput;
import org.apache.batik.transcoder.image.ImageTranscoder;
import org.apache.batik.transcoder.image.PNGTranscoder;

/** Renders a generated SVG drawing of paths, gradients, text and clipped groups to PNG, without a window. */
public final class Batik extends Workload {
    private String drawing;

    @Override
    protected void prepare() {
        Random random = new Random(9);
        StringBuilder svg = new StringBuilder("<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='400' height='400'><defs>");
        for (int i = 0; i < 8; i++) {
            svg.append("<linearGradient id='g").append(i).append("'><stop offset='0' stop-color='#").append(color(random)).append("'/><stop offset='1' stop-color='#").append(color(random)).append("'/></linearGradient>");
        }
        svg.append("<clipPath id='clip'><circle cx='200' cy='200' r='190'/></clipPath></defs><style>.thin { stroke-width: 0.5; fill: none } .wide { stroke-width: 3 }</style>");
        for (int i = 0; i < 900; i++) {
            if (i % 60 == 0) {
                svg.append(i == 0 ? ""
                        : "</g>").append("<g clip-path='url(#clip)' transform='rotate(").append(i / 10).append(" 200 200)'>");
            }
            if (i % 3 == 0) {
                svg.append("<path class='thin' stroke='#").append(color(random)).append("' d='M").append(point(random)).append('C').append(point(random)).append(' ').append(point(random)).append(' ').append(point(random)).append("'/>");
            } else if (i % 3 == 1) {
                svg.append("<rect class='wide' x='").append(random.nextInt(380)).append("' y='").append(random.nextInt(380)).append("' width='40' height='25' rx='5' fill='url(#g").append(i % 8).append(")' opacity='0.6'/>");
            } else {
                svg.append("<polygon fill='#").append(color(random)).append("' points='").append(point(random)).append(' ').append(point(random)).append(' ').append(point(random)).append("' opacity='0.3'/>");
            }
        }
        drawing = svg.append("</g></svg>").toString();
    }

    private static String color(Random random) {
        return String.format("%06x", random.nextInt(1 << 24));
    }

    private static String point(Random random) {
        return random.nextInt(400) + "," + random.nextInt(400);
    }

    @Override
    protected long iterate() throws Exception {
        ByteArrayOutputStream image = new ByteArrayOutputStream();
        PNGTranscoder transcoder = new PNGTranscoder();
        transcoder.addTranscodingHint(ImageTranscoder.KEY_EXECUTE_ONLOAD, false);
        transcoder.transcode(new TranscoderInput(new StringReader(drawing)), new TranscoderOutput(image));
        return crc(image.toByteArray());
    }

    public static void main(String[] args) throws Exception {
        new Batik().run(args);
    }
}

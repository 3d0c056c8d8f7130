import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.StringReader;
import java.util.Random;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.sax.SAXResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.fop.apps.FOUserAgent;
import org.apache.fop.apps.FopFactory;
import org.apache.fop.apps.MimeConstants;

/** Lays out a document of paragraphs, lists and tables and renders it to PDF. */
public final class Fop extends Workload {
    private final FopFactory factory = FopFactory.newInstance(new File(".").toURI());
    private String document;

    @Override
    protected void prepare() {
        Random random = new Random(5);
        StringBuilder fo = new StringBuilder("<fo:root xmlns:fo='http://www.w3.org/1999/XSL/Format'><fo:layout-master-set>"
                + "<fo:simple-page-master master-name='page' page-height='29.7cm' page-width='21cm' margin='2cm'>"
                + "<fo:region-body margin-top='1cm'/><fo:region-before extent='1cm'/></fo:simple-page-master></fo:layout-master-set>"
                + "<fo:page-sequence master-reference='page'><fo:static-content flow-name='xsl-region-before'>"
                + "<fo:block text-align='end'>Page <fo:page-number/></fo:block></fo:static-content>"
                + "<fo:flow flow-name='xsl-region-body'>");
        for (int section = 0; section < 12; section++) {
            fo.append("<fo:block font-size='16pt' font-weight='bold' space-before='1em' keep-with-next='always'>Section ").append(word(section)).append("</fo:block>");
            for (int paragraph = 0; paragraph < 5; paragraph++) {
                fo.append("<fo:block text-align='justify' space-after='6pt' font-family='serif'>").append(sentence(random, 90)).append("</fo:block>");
            }
            fo.append("<fo:table table-layout='fixed' width='100%' border='0.5pt solid black'><fo:table-body>");
            for (int row = 0; row < 12; row++) {
                fo.append("<fo:table-row>");
                for (int column = 0; column < 4; column++) {
                    fo.append("<fo:table-cell border='0.5pt solid gray' padding='2pt'><fo:block>").append(sentence(random, 4)).append("</fo:block></fo:table-cell>");
                }
                fo.append("</fo:table-row>");
            }
            fo.append("</fo:table-body></fo:table>");
        }
        document = fo.append("</fo:flow></fo:page-sequence></fo:root>").toString();
    }

    private static String sentence(Random random, int words) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            text.append(word(random.nextInt(20000))).append(' ');
        }
        return text.toString();
    }

    @Override
    protected long iterate() throws Exception {
        ByteArrayOutputStream pdf = new ByteArrayOutputStream();
        FOUserAgent agent = factory.newFOUserAgent();
        agent.setCreationDate(new java.util.Date(0));
        org.apache.fop.apps.Fop fop = factory.newFop(MimeConstants.MIME_PDF, agent, pdf);
        TransformerFactory.newInstance().newTransformer()
                .transform(new StreamSource(new StringReader(document)), new SAXResult(fop.getDefaultHandler()));
        return 1000L * fop.getResults().getPageCount() + pdf.size() % 1000;
    }

    public static void main(String[] args) throws Exception {
        java.util.logging.LogManager.getLogManager().reset();
        new Fop().run(args);
    }
}

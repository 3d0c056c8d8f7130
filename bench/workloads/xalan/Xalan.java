import java.io.StringReader;
import java.io.StringWriter;
import java.util.Random;
import javax.xml.transform.Templates;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** An XSLT stylesheet with sorting, keys, recursion and named templates over a generated catalogue. */
public final class Xalan extends Workload {
    private static final String STYLESHEET = String.join("\n",
            "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>",
            "<xsl:output method='html' indent='yes'/>",
            "<xsl:key name='author' match='book' use='@author'/>",
            "<xsl:template match='/catalogue'>",
            "  <html><body><h1><xsl:value-of select='count(book)'/> books</h1>",
            "  <xsl:for-each select='book[generate-id() = generate-id(key(\"author\", @author)[1])]'>",
            "    <xsl:sort select='@author'/>",
            "    <h2><xsl:value-of select='@author'/>: <xsl:value-of select='sum(key(\"author\", @author)/price)'/></h2>",
            "    <ul><xsl:apply-templates select='key(\"author\", @author)'><xsl:sort select='price' data-type='number'/></xsl:apply-templates></ul>",
            "  </xsl:for-each></body></html>",
            "</xsl:template>",
            "<xsl:template match='book'><li>",
            "  <xsl:attribute name='class'><xsl:choose><xsl:when test='price &gt; 500'>dear</xsl:when><xsl:otherwise>cheap</xsl:otherwise></xsl:choose></xsl:attribute>",
            "  <xsl:value-of select='translate(title, \"abcdefghij\", \"ABCDEFGHIJ\")'/>",
            "  <xsl:call-template name='stars'><xsl:with-param name='n' select='@rating'/></xsl:call-template>",
            "  <xsl:if test='chapter[contains(., \"zan\")]'> (<xsl:value-of select='concat(chapter[1], \" and \", count(chapter) - 1, \" more\")'/>)</xsl:if>",
            "</li></xsl:template>",
            "<xsl:template name='stars'><xsl:param name='n'/>",
            "  <xsl:if test='$n &gt; 0'>*<xsl:call-template name='stars'><xsl:with-param name='n' select='$n - 1'/></xsl:call-template></xsl:if>",
            "</xsl:template>",
            "</xsl:stylesheet>");

    private final TransformerFactory factory = new org.apache.xalan.processor.TransformerFactoryImpl();
    private String catalogue;

    @Override
    protected void prepare() {
        Random random = new Random(3);
        StringBuilder xml = new StringBuilder("<catalogue>");
        for (int i = 0; i < 1500; i++) {
            xml.append("<book author='").append(word(random.nextInt(150))).append("' rating='").append(random.nextInt(6)).append("'>");
            xml.append("<title>").append(word(random.nextInt(5000))).append(' ').append(word(i)).append("</title>");
            xml.append("<price>").append(random.nextInt(1000)).append("</price>");
            for (int c = random.nextInt(6); c >= 0; c--) {
                xml.append("<chapter>on ").append(word(random.nextInt(60000))).append("</chapter>");
            }
            xml.append("</book>");
        }
        catalogue = xml.append("</catalogue>").toString();
    }

    @Override
    protected long iterate() throws Exception {
        long result = 0;
        for (int i = 0; i < 10; i++) {
            Templates stylesheet = factory.newTemplates(new StreamSource(new StringReader(STYLESHEET)));
            Transformer transformer = stylesheet.newTransformer();
            StringWriter html = new StringWriter();
            transformer.transform(new StreamSource(new StringReader(catalogue)), new StreamResult(html));
            result = 31 * result + html.toString().hashCode();
        }
        return result & 0xffffffffL;
    }

    public static void main(String[] args) throws Exception {
        new Xalan().run(args);
    }
}

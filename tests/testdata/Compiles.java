import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.StringReader;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import javax.tools.ToolProvider;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/**
 * Compiles the files that it is given, transforms a document, and says how large metadata is then, and from what size on
 * it is collected.
 */
public class Compiles {
    public static void main(String[] args) throws Exception {
        String[] all = new String[args.length + 2];
        all[0] = "-proc:none";
        all[1] = "-implicit:none";
        System.arraycopy(args, 0, all, 2, args.length);
        int failed = ToolProvider.getSystemJavaCompiler().run(null, null, null, all);
        TransformerFactory.newInstance().newTransformer(new StreamSource(new StringReader("<xsl:stylesheet version='1.0' "
            + "xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:template match='/'><b><xsl:for-each select='a/c'>"
            + "<xsl:sort select='@d'/><xsl:value-of select='@d'/></xsl:for-each></b></xsl:template></xsl:stylesheet>")))
            .transform(new StreamSource(new StringReader("<a><c d='2'/><c d='1'/></a>")),
                new StreamResult(new StringWriter()));
        long used = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getName().equals("Metaspace")) used = pool.getUsage().getCommitted();
        }
        String from = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption("MetaspaceSize")
            .getValue();
        System.out.println(failed + " " + used + " " + from);
    }
}

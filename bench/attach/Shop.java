import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.AbstractProtocol;

/**
 * A shop in an embedded Tomcat: {@code GET /order?number=N} is the page of an order, always the same for the same N,
 * with the checksum of its bytes (CRC-32, in hexadecimal digits) as ETag. Prints
 *
 * <pre>
 * process 4711
 * port 41234
 * </pre>
 *
 * and ends when its input does. Connections stay open for as many requests as clients like.
 */
public final class Shop extends HttpServlet {
    private static final int PRODUCTS = 2_000;
    private static final int LINES = 40;
    private static final String[] KINDS = {"books", "cups & plates", "garden", "lamps", "\"last\" offers", "toys <3"};

    private record Product(String name, String kind, BigDecimal price) {}

    private record Line(Product product, int quantity) {
        BigDecimal sum() {
            return product.price.multiply(BigDecimal.valueOf(quantity));
        }
    }

    private final Map<Integer, Product> catalogue = new HashMap<>();

    private Shop() {
        for (int i = 0; i < PRODUCTS; i++) {
            String kind = KINDS[i % KINDS.length];
            BigDecimal price = BigDecimal.valueOf(99 + 37L * i % 9_901, 2);
            catalogue.put(i, new Product("No. " + i + " of " + kind, kind, price));
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        byte[] page = page(order(Integer.parseInt(request.getParameter("number")))).getBytes(StandardCharsets.UTF_8);
        CRC32 crc = new CRC32();
        crc.update(page);
        response.setContentType("text/html; charset=utf-8");
        response.setHeader("ETag", String.format("%08x", crc.getValue()));
        response.setContentLength(page.length);
        response.getOutputStream().write(page);
    }

    /** The lines of an order, by the kind of product. */
    private Map<String, List<Line>> order(int number) {
        Map<String, List<Line>> order = new TreeMap<>();
        int random = number;
        for (int i = 0; i < LINES; i++) {
            random = random * 1_103_515_245 + 12_345;
            Product product = catalogue.get((random >>> 8) % PRODUCTS);
            order.computeIfAbsent(product.kind, kind -> new ArrayList<>()).add(new Line(product, 1 + (random >>> 28)));
        }
        return order;
    }

    private static String page(Map<String, List<Line>> order) {
        StringBuilder page = new StringBuilder("<!DOCTYPE html><title>Order</title>\n");
        BigDecimal total = BigDecimal.ZERO;
        for (Map.Entry<String, List<Line>> part : order.entrySet()) {
            page.append("<h2>").append(escaped(part.getKey())).append("</h2>\n<table>\n");
            List<Line> lines = part.getValue();
            lines.sort(Comparator.comparing(Line::sum).reversed().thenComparing(line -> line.product().name()));
            for (Line line : lines) {
                String name = escaped(line.product().name());
                page.append("<tr><td>" + line.quantity() + "<td>" + name + "<td>" + line.sum()).append('\n');
                total = total.add(line.sum());
            }
            page.append("</table>\n");
        }
        return page.append("<p>").append(total).append('\n').toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    public static void main(String[] args) throws Exception {
        System.out.println("process " + ProcessHandle.current().pid());
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(args[0]);
        tomcat.setPort(0);
        Connector connector = tomcat.getConnector();
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxKeepAliveRequests", "-1");
        ((AbstractProtocol<?>) connector.getProtocolHandler()).setKeepAliveTimeout(-1);
        Context context = tomcat.addContext("", args[0]);
        Tomcat.addServlet(context, "shop", new Shop());
        context.addServletMappingDecoded("/order", "shop");
        tomcat.start();
        System.out.println("port " + connector.getLocalPort());
        while (System.in.read() >= 0) {
        }
        System.exit(0);
    }
}

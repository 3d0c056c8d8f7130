import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.edit.PDPageContentStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.util.PDFTextStripper;

/** Writes a PDF of many pages, reads it again and extracts its text. */
public final class Pdfbox extends Workload {
    private static final int PAGES = 60;
    private static final int LINES = 50;

    @Override
    protected long iterate() throws Exception {
        byte[] pdf = write();
        try (PDDocument document = PDDocument.load(new ByteArrayInputStream(pdf))) {
            PDFTextStripper stripper = new PDFTextStripper();
            stripper.setSortByPosition(true);
            return stripper.getText(document).hashCode() & 0xffffffffL;
        }
    }

    private static byte[] write() throws Exception {
        Random random = new Random(13);
        try (PDDocument document = new PDDocument()) {
            for (int p = 0; p < PAGES; p++) {
                PDPage page = new PDPage();
                document.addPage(page);
                try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                    content.beginText();
                    content.setFont(p % 2 == 0 ? PDType1Font.HELVETICA : PDType1Font.TIMES_ROMAN, 11);
                    content.moveTextPositionByAmount(50, 740);
                    for (int line = 0; line < LINES; line++) {
                        StringBuilder text = new StringBuilder();
                        for (int i = 0; i < 9; i++) {
                            text.append(word(random.nextInt(9000))).append(' ');
                        }
                        content.drawString(text.toString());
                        content.moveTextPositionByAmount(0, -14);
                    }
                    content.endText();
                }
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            document.save(bytes);
            return bytes.toByteArray();
        }
    }

    public static void main(String[] args) throws Exception {
        new Pdfbox().run(args);
    }
}

import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.RAMDirectory;
import org.apache.lucene.util.Version;

/** Indexes generated documents in memory, then searches them with several kinds of queries. */
public final class Lucene extends Workload {
    private static final int DOCUMENTS = 3000;
    private static final int WORDS = 120;
    private static final int QUERIES = 1500;

    private String[] texts;

    @Override
    protected void prepare() {
        Random random = new Random(7);
        texts = new String[part(DOCUMENTS)];
        for (int i = 0; i < texts.length; i++) {
            StringBuilder text = new StringBuilder();
            for (int w = 0; w < WORDS; w++) {
                text.append(randomWord(random)).append(w % 12 == 11 ? ". " : " ");
            }
            texts[i] = text.toString();
        }
    }

    private static String randomWord(Random random) {
        double skewed = random.nextDouble();
        return word((int) (skewed * skewed * skewed * 8000));
    }

    @Override
    protected long iterate() throws Exception {
        RAMDirectory index = new RAMDirectory();
        StandardAnalyzer analyzer = new StandardAnalyzer(Version.LUCENE_4_10_4);
        IndexWriterConfig settings = new IndexWriterConfig(Version.LUCENE_4_10_4, analyzer);
        settings.setMergeScheduler(new SerialMergeScheduler());
        settings.setMaxBufferedDocs(500);
        try (IndexWriter writer = new IndexWriter(index, settings)) {
            for (int i = 0; i < texts.length; i++) {
                Document document = new Document();
                document.add(new StringField("id", Integer.toString(i), Field.Store.YES));
                document.add(new IntField("length", texts[i].length(), Field.Store.YES));
                document.add(new TextField("text", texts[i], Field.Store.YES));
                writer.addDocument(document);
            }
        }
        try (DirectoryReader reader = DirectoryReader.open(index)) {
            return search(new IndexSearcher(reader)) & 0xffffffffL;
        }
    }

    private long search(IndexSearcher searcher) throws Exception {
        Random random = new Random(11);
        long result = 0;
        for (int i = 0; i < part(QUERIES); i++) {
            for (ScoreDoc hit : searcher.search(query(random, i), 10).scoreDocs) {
                result = 31 * result + searcher.doc(hit.doc).get("id").hashCode();
            }
        }
        return result;
    }

    private static Query query(Random random, int number) {
        Term first = new Term("text", randomWord(random));
        Term second = new Term("text", randomWord(random));
        switch (number % 5) {
            case 0:
                return new TermQuery(first);
            case 1:
                BooleanQuery both = new BooleanQuery();
                both.add(new TermQuery(first), BooleanClause.Occur.MUST);
                both.add(new TermQuery(second), BooleanClause.Occur.SHOULD);
                return both;
            case 2:
                PhraseQuery phrase = new PhraseQuery();
                phrase.add(first);
                phrase.add(second);
                phrase.setSlop(3);
                return phrase;
            case 3:
                return new PrefixQuery(new Term("text", first.text().substring(0, 2)));
            default:
                return new FuzzyQuery(second, 1);
        }
    }

    public static void main(String[] args) throws Exception {
        new Lucene().run(args);
    }
}

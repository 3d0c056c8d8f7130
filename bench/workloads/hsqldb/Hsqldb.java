import java.sql.Connection;
import java.sql.DriverManager;

/** Transactions on HSQLDB. */
public final class Hsqldb extends Transactions {
    private Hsqldb() {
        super(40_000);
    }

    @Override
    Connection open() throws Exception {
        return DriverManager.getConnection("jdbc:hsqldb:mem:bank", "sa", "");
    }

    public static void main(String[] args) throws Exception {
        new Hsqldb().run(args);
    }
}

import java.sql.Connection;
import java.sql.DriverManager;

/** Transactions on H2. */
public final class H2 extends Transactions {
    private H2() {
        super(40_000);
    }

    @Override
    Connection open() throws Exception {
        return DriverManager.getConnection("jdbc:h2:mem:", "sa", "");
    }

    public static void main(String[] args) throws Exception {
        new H2().run(args);
    }
}

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/** Bank transfers, reports and joins on an embedded database in memory, through JDBC. */
abstract class Transactions extends Workload {
    private static final int BRANCHES = 20;
    private static final int ACCOUNTS = 2000;

    private final int transfers;

    Transactions(int transfers) {
        this.transfers = transfers;
    }

    /** Opens an empty database; each call another one. */
    abstract Connection open() throws Exception;

    @Override
    protected final long iterate() throws Exception {
        try (Connection connection = open()) {
            connection.setAutoCommit(false);
            Random random = new Random(42);
            create(connection, random);
            transfer(connection, random);
            long result = report(connection);
            try (Statement statement = connection.createStatement()) {
                statement.execute("drop table history");
                statement.execute("drop table account");
                statement.execute("drop table branch");
            }
            connection.commit();
            return result & 0xffffffffL;
        }
    }

    private static void create(Connection connection, Random random) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table branch (id int primary key, name varchar(40))");
            statement.execute("create table account (id int primary key, branch int, owner varchar(40), balance int)");
            statement.execute("create table history (id int primary key, source int, target int, amount int, note varchar(80))");
            statement.execute("create index by_branch on account (branch)");
            statement.execute("create index by_source on history (source)");
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into branch values (?, ?)")) {
            for (int id = 0; id < BRANCHES; id++) {
                insert.setInt(1, id);
                insert.setString(2, "branch " + word(id));
                insert.executeUpdate();
            }
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into account values (?, ?, ?, ?)")) {
            for (int id = 0; id < ACCOUNTS; id++) {
                insert.setInt(1, id);
                insert.setInt(2, random.nextInt(BRANCHES));
                insert.setString(3, word(random.nextInt(5000)));
                insert.setInt(4, 10_000);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        connection.commit();
    }

    private void transfer(Connection connection, Random random) throws SQLException {
        try (PreparedStatement read = connection.prepareStatement("select balance, owner from account where id = ?");
                PreparedStatement update = connection.prepareStatement("update account set balance = balance + ? where id = ?");
                PreparedStatement insert = connection.prepareStatement("insert into history values (?, ?, ?, ?, ?)")) {
            for (int id = 0; id < part(transfers); id++) {
                int source = random.nextInt(ACCOUNTS);
                int target = random.nextInt(ACCOUNTS);
                int amount = random.nextInt(500);
                read.setInt(1, source);
                String note;
                try (ResultSet rows = read.executeQuery()) {
                    rows.next();
                    if (rows.getInt(1) < amount) {
                        connection.rollback();
                        continue;
                    }
                    note = rows.getString(2) + " pays " + amount;
                }
                add(update, source, -amount);
                add(update, target, amount);
                insert.setInt(1, id);
                insert.setInt(2, source);
                insert.setInt(3, target);
                insert.setInt(4, amount);
                insert.setString(5, note);
                insert.executeUpdate();
                connection.commit();
            }
        }
    }

    private static void add(PreparedStatement update, int account, int amount) throws SQLException {
        update.setInt(1, amount);
        update.setInt(2, account);
        update.executeUpdate();
    }

    private static long report(Connection connection) throws SQLException {
        long result = 0;
        String[] questions = {
            "select b.name, count(*), sum(a.balance) from branch b join account a on a.branch = b.id group by b.name order by b.name",
            "select a.owner, sum(h.amount) from history h join account a on a.id = h.source group by a.owner order by 2 desc, 1",
            "select owner, balance from account where balance > 10200 and owner like '%a%' order by balance desc, id",
            "select h.note, h.amount from history h where h.amount > (select avg(amount) from history) order by h.amount, h.id",
        };
        try (Statement statement = connection.createStatement()) {
            for (String question : questions) {
                try (ResultSet rows = statement.executeQuery(question)) {
                    while (rows.next()) {
                        result = 31 * result + rows.getString(1).hashCode() + rows.getLong(2);
                    }
                }
            }
        }
        return result;
    }
}

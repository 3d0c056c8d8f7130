import groovy.lang.Binding;
import groovy.lang.GroovyShell;
import groovy.lang.Script;

/** A Groovy script of closures, lists, maps and strings, compiled once and run with dynamic dispatch. */
public final class Groovy extends Workload {
    private static final String SCRIPT = String.join("\n",
            "class Account { String owner; BigDecimal balance = 0; def deposit(n) { balance += n; this } }",
            "def accounts = (1..400).collect { new Account(owner: \"owner ${it % 37}\") }",
            "(1..20000).each { i -> accounts[(i * 7919) % accounts.size()].deposit(i % 100) }",
            "def byOwner = accounts.groupBy { it.owner }.collectEntries { k, v -> [k, v*.balance.sum()] }",
            "def words = (1..8000).collect { \"w${it * it % 97}\" }",
            "def counts = words.inject([:].withDefault { 0 }) { m, w -> m[w] += 1; m }",
            "def text = counts.sort { a, b -> b.value <=> a.value ?: a.key <=> b.key }.collect { k, v -> \"$k=$v\" }.join(',')",
            "def primes = (2..3000).findAll { n -> (2..Math.sqrt(n)).every { n == it || n % it != 0 } }",
            "(byOwner.values().sum() as long) * 31 + text.hashCode() + primes.sum()");

    private Script script;

    @Override
    protected void prepare() {
        script = new GroovyShell(new Binding()).parse(SCRIPT);
    }

    @Override
    protected long iterate() {
        long sum = 0;
        for (int i = 0; i < 4; i++) {
            sum = 31 * sum + ((Number) script.run()).longValue();
        }
        return sum & 0xffffffffL;
    }

    public static void main(String[] args) throws Exception {
        new Groovy().run(args);
    }
}

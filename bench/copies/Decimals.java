package copies;

import java.math.BigDecimal;
import org.codehaus.groovy.runtime.typehandling.NumberMath;

/** Cache: Groovy makes decimals of small whole numbers again and again, each by way of a string. */
public final class Decimals {
    private static final BigDecimal[] SMALL = new BigDecimal[1024];

    private Decimals() {}

    /** In the place of NumberMath's. Decimals cannot be changed, so that they can be shared. */
    public static BigDecimal toBigDecimal(Number number) {
        if (!(number instanceof Integer)) {
            return NumberMath.toBigDecimal(number);
        }
        int value = (Integer) number;
        if (value < 0 || value >= SMALL.length) {
            return NumberMath.toBigDecimal(number);
        }
        BigDecimal decimal = SMALL[value];
        if (decimal == null) {
            SMALL[value] = decimal = NumberMath.toBigDecimal(number);
        }
        return decimal;
    }
}

// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.util.TreeMap;
import java.util.Map;

/** Records, enums with bodies, sealed interfaces, default and static interface methods. */
class Types {
    sealed interface Expression permits Number, Sum, Product {
        int value();

        default Expression plus(Expression other) {
            return new Sum(this, other); // alloc: Types$Sum x30
        }

        static Expression of(int value) {
            return new Number(value); // alloc: Types$Number x63
        }
    }

    record Number(int value) implements Expression {}

    record Sum(Expression left, Expression right) implements Expression {
        @Override
        public int value() {
            return left.value() + right.value();
        }
    }

    record Product(Expression left, Expression right) implements Expression {
        Product {
            if (left instanceof Number number && number.value() == 0) {
                right = new Number(0); // alloc: Types$Number x6
            }
        }

        @Override
        public int value() {
            return left.value() * right.value();
        }

        @Override
        public Expression plus(Expression other) {
            return Expression.super.plus(new Product(this, Expression.of(1))).plus(other); // alloc: Types$Product x15
        }
    }

    enum Operator { // alloc: Types$Operator[] x1
        ADD { // alloc: Types$Operator$1 x1
            @Override
            Expression apply(Expression left, Expression right) {
                return right.plus(left);
            }
        },
        MULTIPLY { // alloc: Types$Operator$2 x1
            @Override
            Expression apply(Expression left, Expression right) {
                return new Product(left, right); // alloc: Types$Product x16
            }
        };

        final int[] uses = new int[1]; // alloc: int[] x2

        abstract Expression apply(Expression left, Expression right);
    }

    public static void main(String[] args) {
        Map<Operator, Integer> totals = new TreeMap<>(); // alloc: java.util.TreeMap x1
        Expression expression = Expression.of(0);
        for (int i = 0; i < 31; i++) {
            Operator operator = i % 2 == 0 ? Operator.MULTIPLY : Operator.ADD;
            operator.uses[0]++;
            expression = operator.apply(Expression.of(i % 3), operator == Operator.ADD ? expression : Expression.of(i));
            totals.merge(operator, expression.value(), Integer::sum);
        }
        System.out.println("checksum " + totals + " " + expression.value() + " " + expression.hashCode());
    }
}

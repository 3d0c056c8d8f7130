// threads: single, crosses: no, min-jdk: 17, exit: 0, deterministic: yes

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A small language: tokens, a syntax tree by recursive descent, evaluation with variables and loops. */
class Interpreter {
    enum Kind { // alloc: Interpreter$Kind[] x1
        NUMBER, // alloc: Interpreter$Kind x1
        NAME, // alloc: Interpreter$Kind x1
        SYMBOL, // alloc: Interpreter$Kind x1
        END // alloc: Interpreter$Kind x1
    }

    record Token(Kind kind, String text) {}

    interface Node {
        long evaluate(Map<String, Long> variables);
    }

    record Constant(long value) implements Node {
        @Override
        public long evaluate(Map<String, Long> variables) {
            return value;
        }
    }

    record Variable(String name) implements Node {
        @Override
        public long evaluate(Map<String, Long> variables) {
            return variables.getOrDefault(name, 0L);
        }
    }

    record Binary(char operator, Node left, Node right) implements Node {
        @Override
        public long evaluate(Map<String, Long> variables) {
            long a = left.evaluate(variables);
            long b = right.evaluate(variables);
            return switch (operator) {
                case '+' -> a + b;
                case '-' -> a - b;
                case '*' -> a * b;
                default -> a < b ? 1 : 0;
            };
        }
    }

    record Assignment(String name, Node value) implements Node {
        @Override
        public long evaluate(Map<String, Long> variables) {
            long result = value.evaluate(variables);
            variables.put(name, result);
            return result;
        }
    }

    record Loop(Node condition, List<Node> body) implements Node {
        @Override
        public long evaluate(Map<String, Long> variables) {
            long result = 0;
            while (condition.evaluate(variables) != 0) {
                for (Node statement : body) {
                    result = statement.evaluate(variables);
                }
            }
            return result;
        }
    }

    static List<Token> tokens(String text) {
        List<Token> tokens = new ArrayList<>(); // alloc: java.util.ArrayList x20
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            int start = at;
            if (Character.isWhitespace(c)) {
                at++;
            } else if (Character.isDigit(c)) {
                while (at < text.length() && Character.isDigit(text.charAt(at))) {
                    at++;
                }
                tokens.add(new Token(Kind.NUMBER, text.substring(start, at))); // alloc: Interpreter$Token x140
            } else if (Character.isLetter(c)) {
                while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
                    at++;
                }
                tokens.add(new Token(Kind.NAME, text.substring(start, at))); // alloc: Interpreter$Token x180
            } else {
                tokens.add(new Token(Kind.SYMBOL, text.substring(start, ++at))); // alloc: Interpreter$Token x360
            }
        }
        tokens.add(new Token(Kind.END, "")); // alloc: Interpreter$Token x20
        return tokens;
    }

    private final List<Token> tokens;
    private int next;

    Interpreter(String text) {
        tokens = tokens(text);
    }

    private boolean accept(String text) {
        if (!tokens.get(next).text().equals(text)) {
            return false;
        }
        next++;
        return true;
    }

    private Node statement() {
        if (accept("while")) {
            Node condition = comparison();
            accept("{");
            List<Node> body = new ArrayList<>(); // alloc: java.util.ArrayList x20
            while (!accept("}")) {
                body.add(statement());
            }
            return new Loop(condition, body); // alloc: Interpreter$Loop x20
        }
        String name = tokens.get(next++).text();
        accept("=");
        Node value = comparison();
        accept(";");
        return new Assignment(name, value); // alloc: Interpreter$Assignment x80
    }

    private Node comparison() {
        Node left = sum();
        return accept("<") ? new Binary('<', left, sum()) : left; // alloc: Interpreter$Binary x20
    }

    private Node sum() {
        Node left = product();
        while (true) {
            if (accept("+")) {
                left = new Binary('+', left, product()); // alloc: Interpreter$Binary x40
            } else if (accept("-")) {
                left = new Binary('-', left, product()); // alloc: Interpreter$Binary x20
            } else {
                return left;
            }
        }
    }

    private Node product() {
        Node left = atom();
        while (accept("*")) {
            left = new Binary('*', left, atom()); // alloc: Interpreter$Binary x40
        }
        return left;
    }

    private Node atom() {
        if (accept("(")) {
            Node inner = comparison();
            accept(")");
            return inner;
        }
        Token token = tokens.get(next++);
        if (token.kind() == Kind.NUMBER) {
            return new Constant(Long.parseLong(token.text())); // alloc: Interpreter$Constant x140
        }
        return new Variable(token.text()); // alloc: Interpreter$Variable x80
    }

    long run() {
        Map<String, Long> variables = new HashMap<>(); // alloc: java.util.HashMap x20
        while (tokens.get(next).kind() != Kind.END) {
            statement().evaluate(variables);
        }
        return variables.get("total");
    }

    public static void main(String[] args) {
        long sum = 0;
        for (int i = 0; i < 20; i++) {
            String program = "total = 1; i = 0; while i < " + 5 * i + " { total = total * 3 + (i - 2) * 7; i = i + 1; }";
            sum += new Interpreter(program).run(); // alloc: Interpreter x20
        }
        System.out.println("checksum " + sum);
    }
}

import java.util.Random;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ParserInterpreter;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.ParseTreeListener;
import org.antlr.v4.runtime.tree.ParseTreeWalker;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.antlr.v4.runtime.tree.ErrorNode;
import org.antlr.v4.tool.Grammar;

/** Parses a generated program in a small language with left-recursive expressions, and walks the tree. */
public final class Antlr4 extends Workload {
    private static final String GRAMMAR = String.join("\n",
            "grammar Small;",
            "program : function+ EOF ;",
            "function : 'def' NAME '(' (NAME (',' NAME)*)? ')' block ;",
            "block : '{' statement* '}' ;",
            "statement : 'let' NAME '=' expression ';' | 'if' '(' expression ')' block ('else' block)? | 'while' '(' expression ')' block",
            "  | 'return' expression ';' | expression ';' ;",
            "expression : expression '(' (expression (',' expression)*)? ')' | expression ('*' | '/') expression | expression ('+' | '-') expression",
            "  | expression ('<' | '==') expression | expression '&&' expression | NAME '=' expression | '(' expression ')' | NAME | NUMBER | TEXT ;",
            "NAME : [a-z]+ ; NUMBER : [0-9]+ ; TEXT : '\"' ~'\"'* '\"' ; SPACE : [ \\n]+ -> skip ; COMMENT : '#' ~'\\n'* -> skip ;");
    private static final int FUNCTIONS = 250;

    private Grammar grammar;
    private String program;

    @Override
    protected void prepare() throws Exception {
        grammar = new Grammar(GRAMMAR);
        Random random = new Random(23);
        StringBuilder out = new StringBuilder();
        for (int f = 0; f < FUNCTIONS; f++) {
            out.append("# function ").append(f).append("\ndef ").append(name(random)).append('(').append(name(random)).append(", ").append(name(random)).append(") ");
            block(out, random, 3);
        }
        program = out.toString();
    }

    private static void block(StringBuilder out, Random random, int depth) {
        out.append("{\n");
        for (int i = 2 + random.nextInt(4); i > 0; i--) {
            int kind = random.nextInt(depth > 0 ? 5 : 3);
            out.append(kind == 0 ? "let " + name(random) + " = " : kind == 1 ? "return " : kind == 2 ? "" : kind == 3
                    ? "if (" : "while (");
            expression(out, random, 4);
            if (kind < 3) {
                out.append(";\n");
                continue;
            }
            out.append(") ");
            block(out, random, depth - 1);
            if (kind == 3 && random.nextBoolean()) {
                out.append("else ");
                block(out, random, depth - 1);
            }
        }
        out.append("}\n");
    }

    private static void expression(StringBuilder out, Random random, int depth) {
        switch (depth == 0 ? random.nextInt(3) : random.nextInt(7)) {
            case 0:
                out.append(name(random));
                break;
            case 1:
                out.append(random.nextInt(1000));
                break;
            case 2:
                out.append('"').append(name(random)).append(' ').append(name(random)).append('"');
                break;
            case 3:
                out.append(name(random)).append('(');
                expression(out, random, depth - 1);
                out.append(", ");
                expression(out, random, depth - 1);
                out.append(')');
                break;
            case 4:
                out.append('(');
                expression(out, random, depth - 1);
                out.append(')');
                break;
            default:
                expression(out, random, depth - 1);
                out.append(new String[] {" + ", " * ", " - ", " < ", " == ", " && "}[random.nextInt(6)]);
                expression(out, random, depth - 1);
        }
    }

    private static String name(Random random) {
        return word(16 + random.nextInt(600));
    }

    @Override
    protected long iterate() {
        ParserInterpreter parser = grammar.createParserInterpreter(new CommonTokenStream(grammar.createLexerInterpreter(CharStreams.fromString(program))));
        ParseTree tree = parser.parse(grammar.getRule("program").index);
        if (parser.getNumberOfSyntaxErrors() > 0) {
            throw new IllegalStateException("the generated program has syntax errors");
        }
        Sum sum = new Sum();
        ParseTreeWalker.DEFAULT.walk(sum, tree);
        return sum.value & 0xffffffffL;
    }

    /** Depends on the shape of the tree and on its leaves. */
    private static final class Sum implements ParseTreeListener {
        private long value;

        @Override
        public void enterEveryRule(ParserRuleContext context) {
            value = 31 * value + context.getRuleIndex();
        }

        @Override
        public void exitEveryRule(ParserRuleContext context) {
            value += context.getChildCount();
        }

        @Override
        public void visitTerminal(TerminalNode leaf) {
            Token token = leaf.getSymbol();
            value = 31 * value + token.getText().hashCode() + token.getLine();
        }

        @Override
        public void visitErrorNode(ErrorNode error) {}
    }

    public static void main(String[] args) throws Exception {
        new Antlr4().run(args);
    }
}

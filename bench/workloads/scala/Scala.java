import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import scala.collection.JavaConversions;
import scala.tools.nsc.Global;
import scala.tools.nsc.Settings;
import scala.tools.nsc.reporters.StoreReporter;

/**
 * A resident Scala compiler over generated sources: case classes, pattern matching, implicit values, for
 * comprehensions, closures.
 */
public final class Scala extends Workload {
    private static final int FILES = 1;
    private static final int TREES = 2;

    private static final String FILE = String.join("\n",
            "package part#",
            "trait Shown[T] { def show(value: T): String }",
            "object Shown {",
            "  implicit val ints: Shown[Int] = new Shown[Int] { def show(value: Int) = value.toString }",
            "  implicit def lists[T](implicit of: Shown[T]): Shown[List[T]] = new Shown[List[T]] {",
            "    def show(value: List[T]) = value.map(of.show).mkString(\",\")",
            "  }",
            "}\n");

    private static final String TREE = String.join("\n",
            "sealed trait Tree#[+T] { def size: Int }",
            "case object Leaf# extends Tree#[Nothing] { def size = 0 }",
            "case class Node#[T](left: Tree#[T], value: T, right: Tree#[T], weight: Int = 5) extends Tree#[T] { def size = left.size + 1 + right.size }",
            "object Tree# {",
            "  def insert[T](tree: Tree#[T], value: T)(implicit order: Ordering[T]): Tree#[T] = tree match {",
            "    case Leaf# => Node#(Leaf#, value, Leaf#)",
            "    case node @ Node#(left, v, _, _) if order.lt(value, v) => node.copy(left = insert(left, value))",
            "    case node @ Node#(_, _, right, w) if w > 3 => node.copy(right = insert(right, value), weight = w - 1)",
            "    case Node#(left, v, right, w) => Node#(left, v, insert(right, value), w)",
            "  }",
            "  def elements[T](tree: Tree#[T]): List[T] = tree match {",
            "    case Leaf# => Nil",
            "    case Node#(left, v, right, _) => elements(left) ++ (v :: elements(right))",
            "  }",
            "  def build(n: Int) = (1 to n).map(i => i * # % 101).foldLeft(Leaf#: Tree#[Int])((tree, v) => insert(tree, v))",
            "  def words(n: Int) = for (i <- (1 to n).toList; j <- List(i, i * i) if j % 3 != 0; text = s\"w$i-$j\") yield (text, i + j)",
            "  def total(pairs: List[(String, Int)]): Map[Char, Int] = pairs.groupBy(_._1.last).mapValues(_.map { case (_, n) => n }.sum)",
            "  def show(tree: Tree#[Int]) = implicitly[Shown[List[Int]]].show(elements(tree))",
            "  lazy val answer = show(build(50)) + total(words(20)).toList.sortBy { case (c, n) => -n }.collect { case (c, n) if n > 4 => s\"$c$n\" }.mkString",
            "}\n");

    private final StoreReporter messages = new StoreReporter();
    private final List<String> sources = new ArrayList<>();
    private Path classes;
    private Global compiler;

    @Override
    protected void prepare() throws Exception {
        classes = Files.createDirectory(folder().resolve("classes"));
        for (int file = 0; file < FILES; file++) {
            StringBuilder text = new StringBuilder(FILE.replace("#", "" + file));
            for (int tree = 0; tree < TREES; tree++) {
                text.append(TREE.replace("#", "" + (3 + tree)));
            }
            Path source = folder().resolve("Part" + file + ".scala");
            Files.writeString(source, text);
            sources.add(source.toString());
        }
        Settings settings = new Settings();
        settings.processArgumentString("-usejavacp -nowarn -d " + classes);
        compiler = new Global(settings, messages);
    }

    @Override
    protected long iterate() throws Exception {
        compiler.new Run().compile(JavaConversions.asScalaBuffer(sources).toList());
        if (messages.hasErrors()) {
            throw new IllegalStateException("the generated sources do not compile: " + messages.infos());
        }
        long sum = 0;
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
                sum = 31 * sum + crc(Files.readAllBytes(file));
            }
        }
        return sum & 0xffffffffL;
    }

    public static void main(String[] args) throws Exception {
        new Scala().run(args);
    }
}

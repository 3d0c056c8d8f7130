/** Scala's own shapes around exceptions: try as an expression in the middle of others, pattern matching, closures, lazy values, non-local returns. */
object Crossing {
  class Stop(val why: Int) extends RuntimeException(null, null, false, false)

  def strike(n: Int, when: Int): Int = if (n % 8 == when) throw new Stop(n) else n

  def length(a: Array[Int], b: Array[Long], n: Int): Int = a.length + b.length + n

  // The operands of a call are on the stack when its last one is a try.
  def nonEmptyStack(n: Int): Int =
    length(new Array[Int](n % 3), new Array[Long](2), try { new Array[Byte](4).length + strike(n, 3) } catch { case s: Stop => new Array[Char](s.why % 4).length } finally { new Array[Short](1) })

  def matching(x: Any): Int = x match {
    case i: Int if i > 5 => new Array[Int](i).length
    case (a: Int, b: String) => try { b.toInt + a } catch { case _: NumberFormatException => new Array[Float](2).length }
    case s: String => s.map(c => strike(c, 2)).sum
    case l: List[_] => l.map(matching).sum
    case Some(v) => matching(v) + new Array[Double](1).length
    case _ => throw new MatchError(x)
  }

  def closures(n: Int): Int = {
    var made = 0
    try {
      (0 until n).foreach { i => made += new Array[Int](2).length; if (i == 5) strike(i, 5) }
    } catch {
      case _: Stop => made += new Array[Object](1).length
    }
    made
  }

  def nonLocal(n: Int): Int = {
    (0 until 10).foreach { i =>
      val a = new Array[Byte](i)
      if (a.length == n) return i
    }
    -1
  }

  class Lazy(n: Int) {
    lazy val value: Int = { val a = new Array[Int](3); strike(n, 1) + a.length }
  }

  def main(args: Array[String]): Unit = {
    var sum = 0
    for (n <- 0 until 40) {
      def attempt(f: => Int): Unit = sum = sum * 7 + (try f catch { case s: Stop => new Array[Long](1).length; case _: MatchError => 2 })
      attempt(nonEmptyStack(n))
      attempt(matching(n))
      attempt(matching((n, "x" + n)))
      attempt(matching(List(6, 9, Some("ab"), Some(7), null)))
      attempt(closures(n))
      attempt(nonLocal(n))
      val l = new Lazy(n)
      attempt(l.value)
      attempt(l.value)
    }
    println("sum " + sum)
  }
}

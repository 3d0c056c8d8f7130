# Ruby's own shapes around exceptions: ensure, retry, redo by hand, throw and catch, break out of blocks, next, yield in ensure.
class Stop < StandardError; end

def strike(n, at)
  raise Stop, "struck", [] if n % 8 == at
  n
end

def ensured(n)
  made = []
  6.times do |i|
    begin
      made << [i, strike(n + i, 5)]
      next if i == 2
      made << { i => "a#{i}" }
    rescue Stop
      made << "rescued #{n}"
      break if n % 3 == 0
    else
      made << 1.5 * n
    ensure
      made << [nil]
    end
  end
  made.size
end

def retried(n)
  tries = 0
  begin
    tries += 1
    [tries, Object.new].size + strike(n + tries, 3)
  rescue Stop
    retry if tries < 3
    -1
  end
end

def caught(n)
  catch(:out) do
    10.times { |i| throw :out, [i, "x"].size if i == n % 10 }
    0
  end
end

def each_pair(n)
  yield [n, n + 1]
  yield [strike(n, 6)]
ensure
  [Object.new]
end

sum = 0
40.times do |n|
  [:ensured, :retried, :caught].each do |m|
    sum = (sum * 7 + send(m, n)) % 1000003
  end
  begin
    each_pair(n) { |p| sum += p.size }
  rescue Stop => s
    sum += s.message.size
  end
end
puts "sum #{sum}"

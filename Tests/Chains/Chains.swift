import PRODUCT

// Each function is one chain. The check fails if the compiler needs more than half a second for one of them.

func sevenOperators() {
  _ = login("a").flatMap { user($0) }.flatMap { orders($0) }.map { $0.filter { $0.lines.count > 0 } }
    .map { $0.map { $0.total * 1.2 }.reduce(0, +) }.flatMap { save($0) }.map { "\($0) EUR" }.map { $0 + "!" }
}

func pairs() {
  _ = step(1)
    .flatMap { step($0) }.map { $0 + 1 }
    .flatMap { step($0) }.map { $0 + 1 }
    .flatMap { step($0) }.map { $0 + 1 }
    .flatMap { step($0) }.map { $0 + 1 }
    .flatMap { step($0) }.map { $0 + 1 }
    .flatMap { step($0) }.map { $0 + 1 }
    .flatMap { step($0) }.map { $0 + 1 }
    .flatMap { step($0) }.map { $0 + 1 }
    .flatMap { step($0) }.map { $0 + 1 }
    .flatMap { step($0) }.map { $0 + 1 }
}

func futuresInside() {
  _ = step(1)
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
    .flatMap { Future(value: $0 + 1) }
}

func results() {
  _ = step(1)
    .flatMapResult { check($0 + 1) }.map { $0 * 2 }.flatMap { step($0) }.map { $0 + 1 }
    .flatMapResult { check($0 + 1) }.map { $0 * 2 }.flatMap { step($0) }.map { $0 + 1 }
    .flatMapResult { check($0 + 1) }.map { $0 * 2 }.flatMap { step($0) }.map { $0 + 1 }
    .flatMapResult { check($0 + 1) }.map { $0 * 2 }.flatMap { step($0) }.map { $0 + 1 }
    .flatMapResult { check($0 + 1) }.map { $0 * 2 }.flatMap { step($0) }.map { $0 + 1 }
}

func nested() {
  _ = login("a").flatMap { user($0) }.flatMap { orders($0) }.map { $0.filter { $0.lines.count > 0 } }
    .map { $0.filter { $0.total * 2 > 1 + 3 } }.map { $0.filter { $0.lines.map { $0.price * 2 }.reduce(0, +) > 0 } }
    .map { $0.filter { !$0.lines.isEmpty && $0.total > 2 } }.map { $0.map { $0.total * 1.2 }.reduce(0, +) }
    .flatMap { save($0 * 2 + 1) }.map { [$0, $0 + 1].map { $0 * 2 }.max() ?? 0 }.map { "\($0) EUR" }.map { $0 + "!" }
    .map { $0.count + 1 }.flatMap { step($0 * 2 - 1) }
    .map { (0..<$0).map { $0 * 2 }.filter { $0 % 3 == 1 }.reduce(0, +) }.map { $0 + 1 }.flatMapResult { check($0 + 1) }
    .map { [$0, 2 * $0].map { Double($0) / 2 }.reduce(1, *) }.flatMap { save($0) }.map { "\($0)" }.map {
      $0.count * 2 + 1
    }
}

func tuplesAndGroups() {
  _ = login("a").flatMap { user($0) }.map { ($0, $0.name.count * 2) }.map { ($0.0.name, $0.1 + 1) }
    .map { (name: $0, count: $1 * 2 + 1) }.map { ($0.name + "!", $0.count - 1) }
    .map { name, count in (name, count + 1, name.count * 2) }.map { ($0.0, $0.1 + $0.2 * 2) }
    .flatMap { name, count in step(count).map { (name, $0 + 1) } }.map { "\($0): \($1)" }
    .flatMap { user($0) }.flatMap { orders($0) }.map { Dictionary(grouping: $0, by: \.lines.count) }
    .map { $0.mapValues { $0.map { $0.total * 1.2 }.reduce(0, +) } }.map { $0.sorted { $0.value > $1.value } }
    .map { $0.map { "\($0.key): \($0.value)" }.joined(separator: ", ") }
    .map { $0.first.map { "\($0)" }?.uppercased() ?? "none" }.map { ($0.count, Double($0.count) * 1.5 + 2) }
}

func severalStatements() {
  _ = step(1)
    .map { number in
      let doubled = number * 2
      return "\(doubled)"
    }
    .flatMap { text -> Future<String, ShopError> in
      guard !text.isEmpty else { return Future(error: .noUser) }
      return login(text)
    }
    .map { print($0) }
    .map { _ in if Bool.random() { "a" } else { "b" } }
    .flatMapResult { text -> Result<Int, ShopError> in
      guard text.count > 0 else { return .failure(.noOrder) }
      return check(text.count)
    }
    .map {
      print($0); print($0)
    }
    .asVoid()
}

func errors() {
  let plain: Future<Int, any Error> = step(1).map { $0 + 1 }.promoteError()
  let all = zip(step(1).map { $0 + 1 }, login("a").map { $0.count * 2 }, step(3).flatMap { step($0) })
  _ = plain.flatMap { number in Future { try await work(number) } }.recover { _ in 1 + 2 * 3 }.map { $0 - 1 }
  _ = all.map { $0 + $1 * 2 - $2 }.mapError { "\($0)".isEmpty ? ShopError.noUser : $0 }.map { $0 * 2 }
  let promise = Promise<Void, ShopError>()
  promise.success()
}

func workInside() {
  _ = step(1)
    .flatMap { number in Future { number + 1 } }.map { $0 + 1 }
    .flatMap { number in Future { number + 1 } }.map { $0 + 1 }
    .flatMap { number in Future { number + 1 } }.map { "\($0)" }
    .promoteError()
    .flatMap { text in Future { try await work(text.count) } }.map { $0 + 1 }
}

func work(_ number: Int) async throws -> Int { number }

import PRODUCT

// Each function has one mistake. The check fails if a mistake has no error in the lines from `mistake` to `end`, or if an error is elsewhere.
// Elsewhere it ignores "cannot infer type of closure parameter", which the compiler adds in closures after some mistakes.

func missingMember() {
  _ = login("a")
    .flatMap { user($0) }
    .flatMap { orders($0) }
    .map { $0.count }
    .flatMap { step($0) }
    .map { $0 + 1 }
    // mistake
    .map { $0.fooo }
    .map { "\($0)" }
  // end
}

func misspelledOperator() {
  _ = login("a")
    .flatMap { user($0) }
    // mistake
    .flatmap { orders($0) }
    // end
    .map { $0.count }
}

func wrongResult() {
  let count: Future<Int, ShopError> = login("a")
    .flatMap { user($0) }
    .flatMap { orders($0) }
    .map { $0.count }
    // mistake
    .map { "\($0)" }
  // end
  _ = count
}

func notUnwrapped() {
  _ = login("a")
    .flatMap { user($0) }
    .flatMap { orders($0) }
    // mistake
    .map { $0.first.total * 2 }
    // end
    .flatMap { save($0) }
    .map { "\($0)" }
}

func unknownName() {
  _ = login("a")
    .flatMap { user($0) }
    .flatMap { orders($0) }
    // mistake
    .map { $0.filter { $0.total > limit } }
    // end
    .map { $0.map { $0.total * 1.2 }.reduce(0, +) }
    .flatMap { save($0) }
    .map { "\($0)" }
}

func missingReturn() {
  _ = login("a")
    .flatMap { user($0) }
    // mistake
    .map { user -> Int in
      let doubled = user.name.count * 2
      print(doubled)
    }
    // end
    .flatMap { step($0) }
    .map { $0 + 1 }
}

func unknownNameInText() {
  _ = step(1)
    .map { $0 + 1 }
    // mistake
    .map { "\($0) of \(count)" }
    // end
    .map { $0.count }
    .flatMap { step($0) }
}

func missingMemberInNestedClosure() {
  _ = login("a")
    .flatMap { user($0) }
    .flatMap { orders($0) }
    // mistake
    .map { $0.filter { $0.lnes.count > 0 } }
    // end
    .map { $0.map { $0.total * 1.2 }.reduce(0, +) }
    .flatMap { save($0) }
    .map { "\($0) EUR" }
    .map { $0 + "!" }
}

func missingMemberAtTheStart() {
  _ = login("a")
    // mistake
    .map { $0.nam }
    // end
    .flatMap { user($0) }
    .flatMap { orders($0) }
    .map { $0.count }
    .flatMap { step($0) }
    .map { $0 + 1 }
    .map { "\($0)" }
}

func operandsOfTwoTypes() {
  _ = login("a")
    .flatMap { user($0) }
    .flatMap { orders($0) }
    // mistake
    .map { $0.map { $0.total * $0.lines.count }.reduce(0, +) }
    // end
    .flatMap { save($0) }
    .map { "\($0) EUR" }
    .map { $0 + "!" }
}

func wrongLabel() {
  _ = login("a")
    .flatMap { user($0) }
    .flatMap { orders($0) }
    .map { $0.count }
    // mistake
    .flatMap { step(number: $0) }
    // end
    .map { $0 + 1 }
    .map { "\($0)" }
}

import PRODUCT

// Each function has one mistake. The check fails if an error is outside of the lines from `mistake` to `end`, or if a mistake has none.

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

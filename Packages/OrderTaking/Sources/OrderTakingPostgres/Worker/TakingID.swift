/// Texts are compared by their bytes, as in the database.
///
/// In Swift, texts with the same characters are equal.
struct TakingID: Hashable, Sendable {
  let driver: String
  let order: String

  static func == (left: TakingID, right: TakingID) -> Bool {
    left.order.utf8.elementsEqual(right.order.utf8) && left.driver.utf8.elementsEqual(right.driver.utf8)
  }

  /// Returns whether an order comes before another one, so that equal events have equal effects.
  static func precedes(_ left: TakingID, _ right: TakingID) -> Bool {
    left.driver == right.driver ? left.order < right.order : left.driver < right.driver
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(driver)
    hasher.combine(order)
  }
}

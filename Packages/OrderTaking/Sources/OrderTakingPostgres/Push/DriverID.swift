/// A driver, as a text that is compared by its bytes, as in the database.
struct DriverID: Hashable, Comparable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: DriverID, right: DriverID) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  static func < (left: DriverID, right: DriverID) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

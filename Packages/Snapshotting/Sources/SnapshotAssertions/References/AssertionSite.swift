/// Where an assertion stands.
struct AssertionSite: Sendable, Equatable, CustomStringConvertible {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  static func == (left: Self, right: Self) -> Bool {
    left.line == right.line && left.column == right.column && left.fileID.isEqual(to: right.fileID)
  }

  var description: String { "\(fileID):\(line)" }

  /// The place, with the column where the line does not tell it from another one.
  func description(beside other: AssertionSite) -> String {
    line == other.line && fileID.isEqual(to: other.fileID) ? "\(self):\(column)" : description
  }
}

extension StaticString {
  func isEqual(to other: StaticString) -> Bool {
    (hasPointerRepresentation && other.hasPointerRepresentation && utf8Start == other.utf8Start)
      || description == other.description
  }
}

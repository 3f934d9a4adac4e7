package struct AssertionSite: Sendable, Equatable, CustomStringConvertible {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: UInt
  package let column: UInt

  package init(fileID: StaticString, filePath: StaticString, line: UInt, column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.line == right.line && left.column == right.column && left.fileID.isEqual(to: right.fileID)
  }

  package var description: String { "\(fileID):\(line)" }

  /// Returns the place, with its column if the other place is on the same line.
  package func description(beside other: AssertionSite) -> String {
    line == other.line && fileID.isEqual(to: other.fileID) ? "\(self):\(column)" : description
  }
}

extension StaticString {
  fileprivate func isEqual(to other: StaticString) -> Bool {
    (hasPointerRepresentation && other.hasPointerRepresentation && utf8Start == other.utf8Start)
      || description == other.description
  }
}

/// The reason why a snapshot cannot be taken, read, compared or written, for the reader of the test's output.
package struct SnapshotError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

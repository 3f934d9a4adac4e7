internal import Coordinators

extension Node {
  /// Returns whether a shell can keep the container or view controller of `other`, and change only its content.
  func isSame(as other: Node) -> Bool { id == other.id && owner == other.owner && kind == other.kind }
}

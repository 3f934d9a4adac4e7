internal import Coordinators

extension Node {
  /// Whether a shell can keep what it shows for `other`, and only change what is inside.
  func isSame(as other: Node) -> Bool { id == other.id && owner == other.owner && kind == other.kind }
}

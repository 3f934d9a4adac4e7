internal import Coordinators

extension Node {
  func isSame(as other: Node) -> Bool { id == other.id && owner == other.owner && kind == other.kind }
}

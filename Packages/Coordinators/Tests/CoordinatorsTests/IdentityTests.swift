import Foundation
import TestSupport
import Testing

@testable import Coordinators

/// Who owns a node is a path of names, and a name may be any text.
@Suite("The identity of a coordinator")
struct IdentityTests {
  /// What splits characters, joins them, looks like another, or stands for something in a path.
  private static let name = Generator<String>.element(of: [
    "/", "%", "%2F", "%25", "2F", "25", "\u{301}", "e", "\u{E9}", "a\u{323}\u{307}", "a\u{307}\u{323}", "\u{200D}",
    "\r\n",
    "\n", "\u{1F1E9}", "K", "\u{212A}", "\u{0}", "application",
  ]).array(count: 0...4).map { $0.joined() }

  private static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

  @Test("gives every name back, and its parent, byte by byte")
  func namesComeBack() throws {
    try checkProperty("a child has its name and its parent", count: 1_000, Self.name, Self.name) { first, second in
      let parent = CoordinatorID("application").child(first)
      let child = parent.child(second)
      return Self.isSame(child.name, second) && Self.isSame(parent.name, first) && child.parent == parent
        && child.depth == 3 && parent.contains(child) && !child.contains(parent)
    }
  }

  @Test("is equal, contained and hashed by the same measure")
  func equalAndContained() throws {
    try checkProperty("one measure", count: 1_000, Self.name, Self.name) { first, second in
      let (left, right) = (CoordinatorID("a").child(first), CoordinatorID("a").child(second))
      let isSame = Self.isSame(first, second)
      return (left == right) == isSame && (left.contains(right) && right.contains(left)) == isSame
        && Set([left, right]).count == (isSame ? 1 : 2)
    }
    let alike = [
      CoordinatorID("caf\u{E9}"), CoordinatorID("cafe\u{301}"), CoordinatorID(""), CoordinatorID("caf\u{E9}"),
    ]
    #expect(Set(alike).count == 3 && alike[0] == alike[3] && alike[0] != alike[1])
  }

  @Test("escapes a slash whatever follows it")
  func slashWithAccent() {
    let child = CoordinatorID("root").child("/\u{301}x")
    #expect(child.parent == "root" && Self.isSame(child.path, "root/%2F\u{301}x"))
  }
}

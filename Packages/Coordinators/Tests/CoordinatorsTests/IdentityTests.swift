import Foundation
import TestSupport
import Testing

@testable import Coordinators

/// The owner of a node is a path of names, and a name can be any text.
@Suite("Coordinator identities")
struct IdentityTests {
  /// Texts that split or join characters, look alike, or have a meaning in a path.
  private static let name = Generator<String>.element(of: [
    "/", "%", "%2F", "%25", "2F", "25", "\u{301}", "e", "\u{E9}", "a\u{323}\u{307}", "a\u{307}\u{323}", "\u{200D}",
    "\r\n",
    "\n", "\u{1F1E9}", "K", "\u{212A}", "\u{0}", "application",
  ]).array(count: 0...4).map { $0.joined() }

  private static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

  @Test("an identity returns its name and its parent byte by byte")
  func identityReturnsNameAndParent() throws {
    try checkProperty("a child has its name and its parent", count: 1_000, Self.name, Self.name) { first, second in
      let parent = CoordinatorID("application").child(first)
      let child = parent.child(second)
      return Self.isSame(child.name, second) && Self.isSame(parent.name, first) && child.parent == parent
        && child.names.count == 3 && parent.contains(child) && !child.contains(parent)
    }
  }

  @Test("equality, containment and hashing of identities agree")
  func equalityAndContainmentAgree() throws {
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

  @Test("a slash separates the names of a path, and belongs to the name of a child")
  func slashSeparatesNames() {
    #expect(CoordinatorID("root/words").name == "words" && CoordinatorID("root/words").parent == "root")
    #expect(CoordinatorID("root").child("a/b").name == "a/b" && CoordinatorID("root").child("a/b") != "root/a/b")
  }
}

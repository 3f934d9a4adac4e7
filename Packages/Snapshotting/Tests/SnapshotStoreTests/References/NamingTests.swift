import TestSupport
import Testing

@testable import SnapshotStore

@Suite("The names of reference files")
struct NamingTests {
  @Test(
    "the sanitised form of a name is that of swift-snapshot-testing",
    arguments: [
      ("testFoo()", "testFoo"), ("foo(x:y:)", "foo-x-y"), ("a/b", "a-b"), ("a b", "a-b"), ("a-b", "a-b"),
      ("--a--", "a"), ("..", ""), ("", ""), ("😀", ""), ("é_1", "é_1"), ("e\u{301}", "e\u{301}"), ("a. -b", "a-b"),
    ])
  func sanitized(name: String, file: String) {
    #expect(ReferenceNaming.sanitized(name).utf8.elementsEqual(file.utf8))
  }

  @Test("escaped forms have only safe characters, and differ for different names")
  func escaped() throws {
    #expect(ReferenceNaming.escaped("a b/c") == "a~20b~2Fc")
    #expect(ReferenceNaming.escaped("") == "~")
    #expect(ReferenceNaming.escaped("..") == "~2E~2E")
    #expect(ReferenceNaming.escaped("\u{E9}") != ReferenceNaming.escaped("e\u{301}"))
    let names = Generator<String>.unicodeString
    try checkProperty("escaped(a) = escaped(b) only if a = b", count: 500, names, names) { a, b in
      let equal = Array(a.utf8) == Array(b.utf8)
      let name = ReferenceNaming.escaped(a)
      return equal == (name == ReferenceNaming.escaped(b))
        && name.utf8.allSatisfy {
          ("a"..."z").contains(Character(UnicodeScalar($0)).lowercased()) || "0123456789_-~".utf8.contains($0)
        }
    }
  }

  @Test("the escaped forms of long names are short and different")
  func long() {
    let long = String(repeating: "ü", count: 500)
    let names = [long + "a", long + "b"].map(ReferenceNaming.escaped)
    #expect(names[0] != names[1])
    #expect(names.allSatisfy { $0.utf8.count < 150 })
  }

  @Test("two names that sanitising does not change have different files")
  func kept() throws {
    for name in ["a", "a-b", "x_1", "é"] { #expect(ReferenceNaming.isKept(name)) }
    for name in ["", "-a", "a b", "..", "😀", "a--b", String(repeating: "a", count: 300)] {
      #expect(!ReferenceNaming.isKept(name))
    }
    try checkProperty("two kept names never share a file", count: 500, .unicodeString, .unicodeString) { a, b in
      !ReferenceNaming.isKept(a) || !ReferenceNaming.isKept(b) || a.utf8.elementsEqual(b.utf8)
        || !ReferenceNaming.sanitized(a).utf8.elementsEqual(ReferenceNaming.sanitized(b).utf8)
    }
  }

  @Test("the file name has the function, the suites, the arguments and the name in this order")
  func fileNames() {
    func identity(_ function: String, _ assertion: String, arguments: String = "", isNumbered: Bool = false)
      -> ReferenceIdentity
    {
      ReferenceIdentity(
        test: TestIdentity(line: 1, arguments: arguments), folder: "/", file: "/T.swift", function: function,
        assertion: assertion, isNumbered: isNumbered, pathExtension: "txt")
    }
    func names(_ identity: ReferenceIdentity) -> [String] {
      [.plain, .escaped, .qualified(suites: ["A", "B"])].map(identity.fileName)
    }
    #expect(names(identity("a()", "x")) == ["a.x.txt", "a.x.txt", "a@A~2EB.x.txt"])
    #expect(names(identity("a()", "x y")) == ["a.x-y.txt", "a.x~20y.txt", "a@A~2EB.x~20y.txt"])
    #expect(names(identity("a b()", "x")) == ["a-b.x.txt", "a-b.x.txt", "a-b@A~2EB~2Ea~20b.x.txt"])
    let case1 = identity("a(_:)", "1", arguments: "owl,2", isNumbered: true)
    #expect(names(case1) == ["a-_@owl,2.1.txt", "a-_@owl,2.1.txt", "a-_@A~2EB@owl,2.1.txt"])
    #expect(identity("a(_:)", "1", arguments: "owl").fileName(.plain) == "a-_.1.txt")
    #expect(identity("a()", "x").fileName(.qualified(suites: [])) == "a.x.txt")
  }

  @Test("the folder is beside the test file and has its name")
  func folder() {
    #expect(defaultFolder(forFile: "/a/Tests/FooTests.swift") == "/a/Tests/__Snapshots__/FooTests")
    #expect(defaultFolder(forFile: "/a/Foo.Bar.swift") == "/a/__Snapshots__/Foo.Bar")
    #expect(defaultFolder(forFile: "Foo.swift") == "./__Snapshots__/Foo")
  }

  @Test("paths in messages are relative to the package")
  func pathsInPackages() {
    #expect(pathInPackage(#filePath).hasSuffix("Tests/SnapshotStoreTests/References/NamingTests.swift"))
    #expect(!pathInPackage(#filePath).hasPrefix("/"))
    #expect(pathInPackage("/nowhere/x") == "/nowhere/x" && pathInPackage("x") == "x")
  }
}

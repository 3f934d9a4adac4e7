internal import Foundation
internal import SnapshotStore

struct DeclaredFunctions {
  private let source: Data?
  /// `nil` if the source has a syntax error.
  private lazy var names: Set<String>? = {
    let declarations = TestDeclarations(source: Array(source ?? Data()))
    return declarations.isRead ? Set(declarations.all.map { ReferenceNaming.sanitized($0.name) }) : nil
  }()

  init(of path: String) { source = FileManager.default.contents(atPath: path) }

  /// Whether the file declares the function of a test, or may declare it.
  mutating func contains(_ test: String) -> Bool {
    guard let source else { return false }
    let name = String(test.prefix { $0 != "@" })
    // A name with this character is a shortened or escaped one.
    if name.contains("~") { return true }
    // Reading a source takes long. A search for the words of the name excludes most names.
    if name.utf8.allSatisfy({ $0 < 128 }) {
      let hasWords = name.split(separator: "-").allSatisfy { source.range(of: Data($0.utf8)) != nil }
      guard hasWords else { return false }
    }
    return names?.contains(name) ?? true
  }

  /// Whether the file may use references of a function.
  ///
  /// It declares or calls the function, or has a text that begins with the function's name.
  mutating func mayUse(_ test: String) -> Bool {
    guard let source else { return false }
    guard !contains(test), let word = test.prefix(while: { $0 != "@" }).split(separator: "-").first else { return true }
    return ["\(word)(", "\(word)<", "\(word) (", "\"\(word)"].contains { source.range(of: Data($0.utf8)) != nil }
  }
}

extension ReferenceNaming {
  /// Returns the function of a test with its suites and arguments: the text before the first dot of the file's name.
  static func test(of path: String) -> String {
    String((path.split(separator: "/").last ?? "").prefix { $0 != "." })
  }
}

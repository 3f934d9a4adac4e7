internal import Arguments
internal import Foundation
internal import SnapshotStore
internal import Snapshotting
internal import Terminal

/// The references that a run of all tests did not use, and whose tests ran or do not exist.
///
/// Only folders of references in which the run used a file, and the folders beside them in `__Snapshots__`, are searched. Other tests
/// may not have run.
struct Unreferenced {
  private let run: TestRun
  private let root: String
  private let folders: Set<String>
  /// The tests that ran, as the paths of their references up to the name of the test.
  private let tests: Set<String>
  /// The functions in the Swift files of the project, with names in the form of the names of references.
  private lazy var functions =
    FileManager.default.enumerator(
      at: URL(filePath: root), includingPropertiesForKeys: nil, options: .skipsHiddenFiles
    )
    .map { $0.compactMap { ($0 as? URL)?.path } }?.filter { $0.hasSuffix(".swift") }.flatMap(Self.functions) ?? []

  init(after run: TestRun, in root: String) {
    (self.run, self.root, tests) = (run, root, Set(run.used.map(Self.test)))
    let folders = Set(run.used.map { ReferenceFiles.folder(of: $0) })
    let parents = Set(folders.map { ReferenceFiles.folder(of: $0) }).filter { $0.hasSuffix("/__Snapshots__") }
    let all = folders.union(parents.flatMap { parent in ReferenceFiles.names(in: parent).map { "\(parent)/\($0)" } })
    // A link could lead to the folder of other tests.
    self.folders = all.filter { Self.attributes($0)?[.type] as? FileAttributeType == .typeDirectory }
  }

  /// Returns the files that are older than the run, relative to the root.
  mutating func files() -> [String] {
    let paths = folders.sorted().flatMap { folder in
      ReferenceFiles.names(in: folder).sorted().filter { !$0.hasPrefix(".") }.map { "\(folder)/\($0)" }
    }
    return paths.filter { path in
      let attributes = Self.attributes(path)
      return attributes?[.type] as? FileAttributeType == .typeRegular
        && (attributes?[.modificationDate] as? Date ?? .distantFuture) < run.start && contains(path)
    }.compactMap { ProjectRoot.relative($0, to: root) }
  }

  /// Returns whether no assertion uses a reference, as far as the run shows.
  mutating func contains(_ path: String) -> Bool {
    let folder = ReferenceFiles.folder(of: path)
    guard folders.contains(folder), !run.used.contains(path) else { return false }
    let (test, parent) = (Self.test(of: path), ReferenceFiles.folder(of: folder))
    guard parent.hasSuffix("/__Snapshots__") else { return tests.contains(test) }
    let source = ReferenceFiles.folder(of: parent) + folder.dropFirst(parent.count) + ".swift"
    let name = test.dropFirst(folder.count + 1)
    let declared = functions.filter { name == $0.name || name.hasPrefix("\($0.name)-") }
    let own = declared.filter { $0.file == source }
    // A helper can pass on the name of a test in another file. Each function of the name must have run.
    let ran = tests.filter { own.isEmpty ? $0.hasSuffix("/\(name)") : $0 == test }
    return (own.isEmpty ? declared : own).count <= ran.count
  }

  private static func attributes(_ path: String) -> [FileAttributeKey: Any]? {
    try? FileManager.default.attributesOfItem(atPath: path)
  }

  /// Returns a path without the end of `<test>@<arguments>.<name>.<path extension>`.
  private static func test(of path: String) -> String {
    let folder = ReferenceFiles.folder(of: path)
    return folder + path.dropFirst(folder.count).prefix { $0 != "." && $0 != "@" }
  }

  private static func functions(in file: String) -> [(file: String, name: String)] {
    let source = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
    return source.components(separatedBy: "func ").dropFirst().map { rest in
      let rest = rest.drop { $0.isWhitespace }
      let name = rest.first == "`" ? rest.dropFirst().prefix { $0 != "`" } : rest.prefix { $0 != "(" && $0 != "<" }
      return (file, ReferenceNames.sanitized(String(name)))
    }
  }
}

extension Runner {
  func unreferenced(deletes: Bool) throws -> ExitCode {
    guard let run = TestRun.last(in: store.root) else {
      try printError(
        "Error: Cannot find unreferenced files: 'snapshots test' has not run, or its last run failed, was interrupted or did not "
          + "run all tests. Run: swift run snapshots test\n")
      return Self.unreadable
    }
    var unreferenced = Unreferenced(after: run, in: store.root)
    let files = unreferenced.files()
    for path in files {
      if deletes, unlink("\(store.root)/\(path)") != 0 {
        try report(
          SnapshotError("Cannot delete \(path): \(String(cString: strerror(errno))). Check the folder's permissions."))
        return .failure
      }
      try print("\(deletes ? "deleted" : "unreferenced")  \(visible(path))\n")
    }
    return deletes || files.isEmpty ? .success : .failure
  }
}

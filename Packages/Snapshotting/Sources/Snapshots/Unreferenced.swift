internal import Arguments
internal import Foundation
internal import SnapshotStore
internal import Snapshotting
internal import Terminal

/// The references that a run of all tests did not use.
///
/// Only folders of references in which the run used a file, and the folders beside them in `__Snapshots__`, are searched. Other tests
/// may not have run.
struct Unreferenced {
  /// The files whose test ran or is not declared, relative to the root.
  private(set) var files: [String] = []
  /// The number of files of tests that exist and did not run, for example because they are disabled.
  private(set) var notRun = 0

  init(after run: TestRun, in root: String) {
    var folders = Set(run.used.map { ReferenceFiles.folder(of: $0) })
    for parent in Set(folders.map { ReferenceFiles.folder(of: $0) }) where parent.hasSuffix("/__Snapshots__") {
      folders.formUnion(ReferenceFiles.names(in: parent).map { "\(parent)/\($0)" })
    }
    for folder in folders.compactMap({ ProjectRoot.relative($0, to: root) }).sorted() {
      add(folder, root, run.used, before: run.start)
    }
  }

  private mutating func add(_ folder: String, _ root: String, _ used: Set<String>, before start: Date) {
    // A link could lead to the folder of other tests.
    guard attributes("\(root)/\(folder)")?[.type] as? FileAttributeType == .typeDirectory else { return }
    let names = ReferenceFiles.names(in: "\(root)/\(folder)").sorted().filter { !$0.hasPrefix(".") }
    let isUsed = Dictionary(grouping: names) { used.contains("\(root)/\(folder)/\($0)") }
    let unused = (isUsed[false] ?? []).filter { name in
      let attributes = attributes("\(root)/\(folder)/\(name)")
      return attributes?[.type] as? FileAttributeType == .typeRegular
        && (attributes?[.modificationDate] as? Date ?? .distantFuture) < start
    }
    // A source is read only if files are not used, because most runs use all files.
    guard !unused.isEmpty else { return }
    let ran = Set((isUsed[true] ?? []).map(Self.test))
    let source = Self.source(withReferencesIn: "\(root)/\(folder)")
    for name in unused {
      let test = Self.test(of: name)
      let isDeclared = source.map { ReferenceNames.declares(test, in: $0) } ?? true
      if ran.contains(test) || !isDeclared { files.append("\(folder)/\(name)") } else { notRun += 1 }
    }
  }

  private func attributes(_ path: String) -> [FileAttributeKey: Any]? {
    try? FileManager.default.attributesOfItem(atPath: path)
  }

  /// Returns the function of a test in the name of a reference, `<test>@<arguments>.<name>.<path extension>`.
  private static func test(of name: String) -> String { String(name.prefix { $0 != "." && $0 != "@" }) }

  /// Returns the source beside `__Snapshots__`; `nil` for other folders.
  private static func source(withReferencesIn folder: String) -> String? {
    let parent = ReferenceFiles.folder(of: folder)
    guard parent.hasSuffix("/__Snapshots__") else { return nil }
    let path = ReferenceFiles.folder(of: parent) + folder.dropFirst(parent.count) + ".swift"
    return String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
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
    let found = Unreferenced(after: run, in: store.root)
    for path in found.files {
      if deletes, unlink("\(store.root)/\(path)") != 0 {
        try report(
          SnapshotError("Cannot delete \(path): \(String(cString: strerror(errno))). Check the folder's permissions."))
        return .failure
      }
      try print("\(deletes ? "deleted" : "unreferenced")  \(visible(path))\n")
    }
    if found.notRun > 0 {
      try print(
        "Not counted: \(found.notRun == 1 ? "1 reference" : "\(found.notRun) references") of tests that did not run.\n")
    }
    return deletes || found.files.isEmpty ? .success : .failure
  }
}

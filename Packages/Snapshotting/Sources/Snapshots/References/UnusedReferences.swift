internal import Foundation
internal import SnapshotStore

struct TestRun: Codable {
  let start: Date
  let used: Set<String>
}

/// Only folders `__Snapshots__` in which the run used a file are searched, because the tests of other folders may not
/// have run.
struct UnusedReferences {
  /// The files that the run did not use, whose test ran or is not declared.
  private(set) var unused: [String] = []
  /// The files of tests that exist and did not run, for example because they are disabled.
  private(set) var notRun: [String] = []

  init(after run: TestRun, in root: String) {
    // A test can use a folder through a symbolic link.
    let resolved = run.used.map { path in
      let folder = ReferenceFiles.folder(of: path)
      return URL(fileURLWithPath: folder).resolvingSymlinksInPath().path + path.dropFirst(folder.count)
    }
    let files = Dictionary(grouping: run.used.union(resolved)) { ReferenceFiles.folder(of: $0) }
    let parents = Set(files.keys.map { ReferenceFiles.folder(of: $0) }.filter { $0.hasSuffix("/__Snapshots__") })
    for parent in parents.sorted() {
      for name in ReferenceFiles.names(in: parent).sorted() where !name.hasPrefix(".") {
        let folder = "\(parent)/\(name)"
        // A link could lead to the folder of other tests.
        guard ProjectRoot.contains(folder, root: root), Self.isFolder(folder) else { continue }
        add(folder, Set(files[folder] ?? []), source: "\(parent)/../\(name).swift", run.start)
      }
    }
  }

  /// `source` is read only if files are not used, because most runs use all files.
  private mutating func add(_ folder: String, _ used: Set<String>, source: String, _ start: Date) {
    let others = ReferenceFiles.names(in: folder).sorted().filter { name in
      let path = "\(folder)/\(name)"
      return !name.hasPrefix(".") && !used.contains(path) && Self.isFile(path, olderThan: start)
    }
    guard !others.isEmpty else { return }
    var source = DeclaredFunctions(of: source)
    let ran = Set(used.map { ReferenceNaming.test(of: $0) })
    for name in others {
      let (path, test) = ("\(folder)/\(name)", ReferenceNaming.test(of: name))
      if ran.contains(test) || !source.contains(test) {
        unused.append(path)
      } else {
        notRun.append(path)
      }
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }

  private static func isFile(_ path: String, olderThan date: Date) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return false }
    return (attributes?[.modificationDate] as? Date).map { $0 < date } ?? false
  }
}

package import Foundation

/// A complete and successful run of tests, and the references that it used.
package struct TestRun: Codable {
  /// The folder in which the tests ran.
  package let folder: String
  package let start: Date
  package let used: Set<String>

  package init(folder: String, start: Date, used: Set<String>) {
    self.folder = folder
    self.start = start
    self.used = used
  }
}

/// The reference files that a run did not use.
package struct UnusedReferences {
  /// The files that no assertion of a test uses.
  package private(set) var unused: [String] = []
  /// The files of tests that exist and did not run, for example because they are disabled.
  package private(set) var notRun: [String] = []

  /// Finds the reference files in the folder of a run that it did not use.
  ///
  /// Files that were changed after the start of the run are left out. References are the files in the folders `__Snapshots__`.
  package init(after run: TestRun) {
    let used = run.used.map(Self.canonical)
    let folders = Dictionary(grouping: used) { ReferenceFiles.folder(of: $0) }
    for folder in Self.referenceFolders(in: run.folder) {
      let usedHere = Set(folders[folder] ?? [])
      let ran = Set(usedHere.map { Self.function(of: $0) })
      let declared = Self.declaredFunctions(of: folder)
      for name in ReferenceFiles.names(in: folder).sorted() where !name.hasPrefix(".") {
        let path = "\(folder)/\(name)"
        guard !usedHere.contains(path), Self.isFile(path, olderThan: run.start) else { continue }
        let function = Self.function(of: path)
        if declared.contains(function), !ran.contains(function) { notRun.append(path) } else { unused.append(path) }
      }
    }
  }

  /// The folders with reference files, one for each test file.
  private static func referenceFolders(in root: String) -> [String] {
    let root = canonical(root)
    guard let files = FileManager.default.enumerator(atPath: root) else { return [] }
    var folders: [String] = []
    while let path = files.nextObject() as? String {
      let name = path.split(separator: "/").last ?? ""
      if name.hasPrefix(".") || name == "node_modules" {
        files.skipDescendants()
      } else if name == "__Snapshots__" {
        files.skipDescendants()
        let parent = "\(root)/\(path)"
        folders += ReferenceFiles.names(in: parent).sorted().map { "\(parent)/\($0)" }
      }
    }
    return folders
  }

  /// The function of a test, as file names have it: the text before the first dot.
  private static func function(of path: String) -> String {
    String((path.split(separator: "/").last ?? "").prefix { $0 != "." })
  }

  /// The functions in the test file of a folder of references.
  private static func declaredFunctions(of folder: String) -> Set<String> {
    let parts = folder.split(separator: "/").map(String.init)
    let source = "/" + (parts.dropLast(2) + [parts.last ?? ""]).joined(separator: "/") + ".swift"
    guard let data = FileManager.default.contents(atPath: source) else { return [] }
    return Set(TestDeclarations(source: Array(data)).all.map { ReferenceNaming.sanitized($0.name) })
  }

  private static func isFile(_ path: String, olderThan date: Date) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return false }
    return (attributes?[.modificationDate] as? Date).map { $0 < date } ?? false
  }

  /// A path without symbolic links and repeated slashes.
  private static func canonical(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path
  }
}

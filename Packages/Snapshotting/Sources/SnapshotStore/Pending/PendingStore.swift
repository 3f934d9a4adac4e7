package import Foundation

/// Many processes can use it at the same time: each file is replaced as a whole, and accepting and rejecting lock the
/// folder.
package struct PendingStore: Sendable {
  package let root: String

  package init(root: String) {
    self.root = root
  }

  package var folder: String { "\(root)/.build/pending-snapshots" }

  private func documentPath(_ id: String) -> String { "\(folder)/\(id).json" }

  package func dataPath(of snapshot: PendingSnapshot) -> String {
    let ending = Artifacts.sanitized(snapshot.pathExtension ?? "txt")
    return "\(folder)/\(snapshot.id).\(ending == "json" ? "json-snapshot" : ending)"
  }

  package func write(_ snapshot: PendingSnapshot, _ data: Data) throws(SnapshotError) {
    let ignored = "\(folder)/.gitignore"
    if access(ignored, F_OK) != 0 { try ReferenceFiles.replace(ignored, with: Data("*\n".utf8), asReference: false) }
    try ReferenceFiles.replace(dataPath(of: snapshot), with: data, asReference: false)
    try writeDocument(snapshot)
  }

  private func writeDocument(_ snapshot: PendingSnapshot) throws(SnapshotError) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document: Data
    do { document = try encoder.encode(snapshot) } catch {
      throw SnapshotError(
        "Cannot write the pending snapshot \(snapshot.name): \(error). Record it directly, with "
          + "SNAPSHOT_TESTING_RECORD=failed.")
    }
    try ReferenceFiles.replace(documentPath(snapshot.id), with: document, asReference: false)
  }

  package func remove(_ snapshot: PendingSnapshot) throws(SnapshotError) {
    for path in [documentPath(snapshot.id), dataPath(of: snapshot)] where unlink(path) != 0 && errno != ENOENT {
      throw SnapshotError(
        "Cannot remove the pending snapshot of \(snapshot.name): \(String(cString: strerror(errno))). "
          + "Check the permissions of \(folder).")
    }
  }

  package func contents() -> (snapshots: [PendingSnapshot], problems: [SnapshotError]) {
    var (snapshots, problems) = ([PendingSnapshot](), [SnapshotError]())
    let directory = opendir(folder)
    if let directory {
      closedir(directory)
    } else if errno != ENOENT {
      problems.append(
        SnapshotError(
          "Cannot read \(folder): \(String(cString: strerror(errno))). Check its permissions, or remove it."))
    }
    for name in ReferenceFiles.names(in: folder).sorted() where name.hasSuffix(".json") {
      do throws(SnapshotError) { try read(name).map { snapshots.append($0) } } catch { problems.append(error) }
    }
    snapshots.sort {
      ($0.source.file, $0.source.line, $0.source.column, $0.name)
        < ($1.source.file, $1.source.line, $1.source.column, $1.name)
    }
    return (snapshots, problems)
  }

  /// Returns the snapshot of a document, or `nil` if another process has removed it.
  private func read(_ name: String) throws(SnapshotError) -> PendingSnapshot? {
    let path = "\(folder)/\(name)"
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let document = FileManager.default.contents(atPath: path),
      let snapshot = try? decoder.decode(PendingSnapshot.self, from: document)
    else {
      if access(path, F_OK) != 0, errno == ENOENT { return nil }
      throw damaged(path)
    }
    // Large numbers of a damaged document could overflow.
    guard snapshot.version == PendingSnapshot.currentVersion, "\(snapshot.id).json" == name,
      snapshot.source.line < UInt32.max, snapshot.source.column < UInt32.max
    else { throw damaged(path) }
    return snapshot
  }

  private func damaged(_ path: String) -> SnapshotError {
    SnapshotError(
      "Cannot read the pending snapshot \(path): it is damaged, or another release wrote it. Remove the file, and run the "
        + "tests again.")
  }
}

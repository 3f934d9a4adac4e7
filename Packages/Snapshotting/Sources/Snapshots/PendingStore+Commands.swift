internal import Foundation
internal import SnapshotStore

extension PendingSnapshot {
  /// Whether the reference was absent when the snapshot was taken.
  var isNew: Bool { inline.map { $0.expected == nil } ?? (referenceFingerprint == nil) }

  /// The test with its suites, as `Suite.test()`.
  var testName: String { (suites + [test]).joined(separator: ".") }
}

extension PendingStore {
  /// A snapshot matches if its reference, its place or its test contains one of the texts; without texts, each one
  /// matches.
  ///
  /// A text that ends with a number matches whole numbers: `A.swift:3` is not at the place `A.swift:31`.
  func contents(matching filters: [String]) -> (snapshots: [PendingSnapshot], problems: [SnapshotError]) {
    let (all, problems) = contents()
    let matching = all.filter { snapshot in
      filters.isEmpty
        || filters.contains { filter in
          [snapshot.name, snapshot.source.file, snapshot.testName].contains { Self.does($0, match: filter) }
        }
    }
    return (matching, problems)
  }

  private static func does(_ text: String, match filter: String) -> Bool {
    let endsWithNumber = filter.last?.isNumber == true
    return !filter.isEmpty
      && text.ranges(of: filter).contains { range in
        !endsWithNumber || range.upperBound == text.endIndex || !text[range.upperBound].isNumber
      }
  }

  func data(of snapshot: PendingSnapshot) throws(SnapshotError) -> Data {
    guard let data = FileManager.default.contents(atPath: dataPath(of: snapshot)),
      Fingerprint.of(data) == snapshot.fingerprint
    else {
      throw SnapshotError(
        "Cannot read the new snapshot of \(snapshot.name): its file is missing or was changed. Run the tests again.")
    }
    return data
  }

  func reference(of snapshot: PendingSnapshot) throws(SnapshotError) -> Data? {
    if let inline = snapshot.inline { return inline.expected.map { Data($0.utf8) } }
    let path = try ProjectRoot.path(snapshot.reference ?? "", in: root)
    switch try ReferenceFiles.compare(path, with: Data()) {
    case .absent: return nil
    case .equal: return Data()
    case .different(let data): return data
    }
  }

  func difference(of snapshot: PendingSnapshot) throws(SnapshotError) -> Difference {
    Difference(
      from: try reference(of: snapshot), to: try data(of: snapshot), pathExtension: snapshot.pathExtension,
      comparison: snapshot.comparison ?? [:])
  }

  /// Returns the references of renamed tests, by the names of the pending snapshots that replace them.
  func renames(of snapshots: [PendingSnapshot]) -> [String: String] {
    var references = RenamedReferences(in: self)
    var renames: [String: String] = [:]
    var offered: Set<String> = []
    for snapshot in snapshots {
      // Each reference is offered for one snapshot.
      guard let old = references.oldReference(of: snapshot), offered.insert(old).inserted else { continue }
      renames[snapshot.name] = old
    }
    return renames
  }

  /// An old reference that is not offered any more is kept, and its snapshot is refused: the sources may have changed.
  func accept(
    _ snapshots: [PendingSnapshot], renames: [String: String]
  ) -> [(snapshot: PendingSnapshot, error: SnapshotError)] {
    let offers = self.renames(of: snapshots)
    let isChanged = { (snapshot: PendingSnapshot) in renames[snapshot.name].map { $0 != offers[snapshot.name] } ?? false
    }
    var refused = accept(snapshots.filter { !isChanged($0) })
    for snapshot in snapshots where isChanged(snapshot) {
      let error = SnapshotError(
        "Cannot rename to \(snapshot.name): \(renames[snapshot.name] ?? "") is in use now, or has changed. Look at the snapshot again."
      )
      refused.append((snapshot, error))
    }
    let names = Set(refused.map(\.snapshot.name))
    for snapshot in snapshots where !names.contains(snapshot.name) {
      guard let old = renames[snapshot.name] else { continue }
      do throws(SnapshotError) {
        try RenamedReferences.delete(old, replacedBy: snapshot.name, in: root)
      } catch {
        refused.append((snapshot, error))
      }
    }
    return refused
  }

  func paths(of snapshot: PendingSnapshot) -> [String] {
    [snapshot.reference.map { "\(root)/\($0)" }, dataPath(of: snapshot)].compactMap(\.self)
  }
}

package import Foundation

/// A snapshot that was not recorded, and that can be accepted as the reference.
///
/// Stored as a small JSON document beside the bytes of the snapshot. Paths are relative to the root of the project.
package struct PendingSnapshot: Codable, Sendable {
  package struct Source: Codable, Sendable {
    package internal(set) var file: String
    package let line: UInt
    package let column: UInt

    package init(file: String, line: UInt, column: UInt) {
      (self.file, self.line, self.column) = (file, line, column)
    }
  }

  /// The closure of a call that the snapshot replaces.
  package struct Inline: Codable, Sendable {
    /// The text that the test saw; `nil` if the call had none.
    package let expected: String?
    package let closure: InlineClosure
    /// The time at which the tests were linked.
    package let built: BuildTime

    package init(expected: String?, closure: InlineClosure, built: BuildTime) {
      (self.expected, self.closure, self.built) = (expected, closure, built)
    }
  }

  /// The path of the reference; `nil` for an inline snapshot.
  package private(set) var reference: String?
  /// The fingerprint of the reference that the snapshot was compared with; `nil` if it was absent.
  package let referenceFingerprint: String?
  package let inline: Inline?
  package private(set) var source: Source
  /// The function of the test, as `#function` has it.
  package let test: String
  /// The suites of the test, from the outermost.
  package let suites: [String]
  /// The arguments of the case; `nil` if the test has none.
  package let arguments: String?
  /// The settings that differ from an exact comparison, by their names.
  package let comparison: [String: String]
  package let time: Date
  /// The fingerprint of the snapshot's bytes.
  package fileprivate(set) var fingerprint: String?

  package init(
    of reference: String? = nil, over old: Data? = nil, inline: Inline? = nil, source: Source, test: String,
    suites: [String] = [], arguments: String? = nil, comparison: [String: String] = [:], time: Date
  ) {
    (self.reference, referenceFingerprint, self.inline) = (reference, old.map(Fingerprint.of), inline)
    (self.source, self.test, self.suites, self.arguments) = (source, test, suites, arguments)
    (self.comparison, self.time) = (comparison, time)
  }

  package var id: String { Fingerprint.of(key.utf8) }

  /// The reference, or the place of an inline snapshot.
  package var key: String {
    reference ?? "\(source.file):\(source.line):\(source.column):\(inline?.closure.offset ?? 0)"
  }

  package var name: String { reference ?? "\(source.file):\(source.line)" }

  /// The path extension of the reference.
  package var pathExtension: String { (key as NSString).pathExtension }

  /// Whether the source has changed since the test, so that its inline snapshot cannot be accepted, or the test was
  /// renamed or deleted.
  fileprivate func isObsolete(in root: String) -> Bool {
    let path = "\(root)/\(source.file)"
    if let inline {
      do throws(SnapshotError) { _ = try InlineSource(path, built: inline.built) } catch { return true }
      return false
    }
    let modified = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    // A name that an assertion chooses itself is never declared.
    return (modified ?? .distantFuture) > time && !ReferenceNames.declares(ReferenceNames.sanitized(test), in: text)
  }

  /// Returns the snapshot with relative paths; `nil` if a file is outside of the root.
  fileprivate func relative(to root: String) -> PendingSnapshot? {
    var snapshot = self
    guard let file = ProjectRoot.relative(source.file, to: root) else { return nil }
    snapshot.source.file = file
    snapshot.reference = reference.flatMap { ProjectRoot.relative($0, to: root) }
    return (snapshot.reference == nil) == (reference == nil) ? snapshot : nil
  }
}

/// The pending snapshots of a project.
///
/// Many processes can use it at the same time: each file is replaced as a whole.
package struct PendingStore: Sendable {
  package let root: String

  package init(root: String) {
    self.root = root
  }

  package var folder: String { "\(root)/.build/pending-snapshots" }

  private func documentPath(_ key: String) -> String { "\(folder)/\(Fingerprint.of(key.utf8)).json" }

  private func dataPath(_ key: String) -> String {
    "\(folder)/new/\(Fingerprint.of(key.utf8)).\((key as NSString).pathExtension)"
  }

  package func dataPath(of snapshot: PendingSnapshot) -> String { dataPath(snapshot.key) }

  /// Returns the snapshot as it is stored.
  @discardableResult
  package func write(_ snapshot: PendingSnapshot, _ data: Data) throws(SnapshotError) -> PendingSnapshot {
    try hideFromGit()
    var snapshot = snapshot
    snapshot.fingerprint = Fingerprint.of(data)
    try ReferenceFiles.replace(dataPath(of: snapshot), with: data)
    try ReferenceFiles.replace(documentPath(snapshot.key), with: ReferenceFiles.json(snapshot))
    return snapshot
  }

  func hideFromGit() throws(SnapshotError) {
    let path = "\(folder)/.gitignore"
    if access(path, F_OK) != 0 { try ReferenceFiles.replace(path, with: Data("*\n".utf8)) }
  }

  func remove(_ key: String) throws(SnapshotError) {
    for path in [documentPath(key), dataPath(key)] where unlink(path) != 0 && errno != ENOENT {
      throw SnapshotError(
        "Cannot remove the pending snapshot of \(key): \(String(cString: strerror(errno))). "
          + "Check the permissions of \(folder).")
    }
  }

  package func contents() -> (snapshots: [PendingSnapshot], problems: [SnapshotError]) {
    var (snapshots, problems) = ([PendingSnapshot](), [SnapshotError]())
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    for name in ReferenceFiles.names(in: folder).sorted() where name.hasSuffix(".json") {
      let path = "\(folder)/\(name)"
      // Another process may have removed it.
      guard let document = FileManager.default.contents(atPath: path) ?? (access(path, F_OK) == 0 ? Data() : nil)
      else { continue }
      guard let snapshot = try? decoder.decode(PendingSnapshot.self, from: document) else {
        problems.append(
          SnapshotError(
            "Cannot read the pending snapshot \(path): it is damaged. Remove the file, and run the tests again."))
        continue
      }
      if access(dataPath(of: snapshot), F_OK) == 0 {
        snapshots.append(snapshot)
      } else if access(path, F_OK) == 0 {
        problems.append(
          SnapshotError(
            "Cannot read the pending snapshot of \(snapshot.name): its file \(dataPath(of: snapshot)) is missing. "
              + "Run the test again, or remove \(path)."))
      }
    }
    snapshots.sort {
      ($0.source.file, $0.source.line, $0.source.column, $0.name)
        < ($1.source.file, $1.source.line, $1.source.column, $1.name)
    }
    return (snapshots, problems)
  }

  package func data(of snapshot: PendingSnapshot) throws(SnapshotError) -> Data {
    guard let data = try ReferenceFiles.read(dataPath(of: snapshot)) else {
      throw SnapshotError(
        "Cannot read the new snapshot of \(snapshot.name): it is no longer pending, because another process decided "
          + "about it or its test passes. List the others: swift run snapshots status")
    }
    guard Fingerprint.of(data) == snapshot.fingerprint else {
      throw SnapshotError(
        "Cannot read the new snapshot of \(snapshot.name): its file \(dataPath(of: snapshot)) is damaged. "
          + "Run the test again.")
    }
    return data
  }

  /// Returns the bytes that a snapshot would replace; `nil` if it is new.
  package func reference(of snapshot: PendingSnapshot) throws(SnapshotError) -> Data? {
    guard let reference = snapshot.reference else { return snapshot.inline?.expected.map { Data($0.utf8) } }
    return try ReferenceFiles.read("\(root)/\(reference)")
  }

  /// Discards a snapshot.
  package func reject(_ snapshot: PendingSnapshot) throws(SnapshotError) { try remove(snapshot.key) }

  /// Replaces the reference, or the text in the source.
  ///
  /// - Throws: ``SnapshotError`` if the reference or the source has changed since the test, or cannot be written.
  package func accept(_ snapshot: PendingSnapshot) throws(SnapshotError) {
    let data = try data(of: snapshot)
    if let inline = snapshot.inline {
      try ReferenceFiles.withLock(folder) { () throws(SnapshotError) in
        var source = try InlineSource("\(root)/\(snapshot.source.file)", built: inline.built)
        source.add(
          InlineEdit(
            line: snapshot.source.line, column: snapshot.source.column, closure: inline.closure,
            isNew: inline.expected == nil, text: String(decoding: data, as: UTF8.self)))
        try source.write()
      }
    } else {
      let old = try reference(of: snapshot)
      guard old == data || old.map(Fingerprint.of) == snapshot.referenceFingerprint else {
        throw SnapshotError(
          "Cannot accept \(snapshot.name): the reference has changed since the test. Run the tests again.")
      }
      try ReferenceFiles.replace("\(root)/\(snapshot.reference ?? "")", with: data)
    }
    try remove(snapshot.key)
  }
}

/// Leaves and withdraws the pending snapshots of this process.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class PendingRecorder: @unchecked Sendable {
  package static let shared = PendingRecorder()

  private let lock = NSLock()
  private var roots: [String: String] = [:]
  /// The roots without pending snapshots, so that most assertions that pass need no system call.
  private var empty: Set<String> = []

  package init() {}

  /// Leaves a snapshot with absolute paths.
  ///
  /// Returns `false` and stores nothing if a file is outside of the project.
  package func leave(_ snapshot: PendingSnapshot, _ data: Data) throws(SnapshotError) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    let root = root(ofSource: snapshot.source.file)
    guard let snapshot = snapshot.relative(to: root) else { return false }
    try PendingStore(root: root).write(snapshot, data)
    empty.remove(root)
    return true
  }

  /// Removes the pending snapshot of an assertion that passes or records.
  ///
  /// - Parameters:
  ///   - key: The path of the reference, or the key of an inline snapshot, with absolute paths.
  ///   - source: The path of the test file.
  package func remove(_ key: String, ofSource source: String) {
    lock.lock()
    defer { lock.unlock() }
    let root = root(ofSource: source)
    guard !empty.contains(root), let key = ProjectRoot.relative(key, to: root) else { return }
    try? PendingStore(root: root).remove(key)
  }

  /// Returns the root, and first removes the snapshots of earlier runs that are obsolete.
  private func root(ofSource path: String) -> String {
    let folder = ReferenceFiles.folder(of: path)
    if let root = roots[folder] { return root }
    let root = ProjectRoot.containing(folder)
    guard !roots.values.contains(root) else {
      roots[folder] = root
      return root
    }
    roots[folder] = root
    let store = PendingStore(root: root)
    let (snapshots, problems) = store.contents()
    if snapshots.isEmpty, problems.isEmpty { empty.insert(root) }
    for snapshot in snapshots where snapshot.isObsolete(in: root) { try? store.remove(snapshot.key) }
    return root
  }
}

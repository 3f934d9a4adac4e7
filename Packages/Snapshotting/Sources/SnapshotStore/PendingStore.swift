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
  /// The name that the assertion chose with `named:`.
  package let named: String?
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
    named: String? = nil, suites: [String] = [], arguments: String? = nil, comparison: [String: String] = [:],
    time: Date
  ) {
    (self.reference, referenceFingerprint, self.inline) = (reference, old.map(Fingerprint.of), inline)
    (self.source, self.test, self.named, self.suites) = (source, test, named, suites)
    (self.arguments, self.comparison, self.time) = (arguments, comparison, time)
  }

  package var id: String { Fingerprint.of(key.utf8) }

  /// The reference, or the place of an inline snapshot.
  package var key: String {
    reference ?? "\(source.file):\(source.line):\(source.column):\(inline?.closure.offset ?? 0)"
  }

  package var name: String { reference ?? "\(source.file):\(source.line)" }

  /// The path extension of the reference.
  package var pathExtension: String { (key as NSString).pathExtension }

  /// The source file with the time of its build.
  fileprivate var build: String { "\(source.file) \(inline?.built ?? 0)" }

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
/// Many processes can use it at the same time: each change holds a lock.
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
    var snapshot = snapshot
    snapshot.fingerprint = Fingerprint.of(data)
    return try ReferenceFiles.withLock(folder) { () throws(SnapshotError) in
      try ReferenceFiles.replace(dataPath(of: snapshot), with: data)
      try ReferenceFiles.replace(documentPath(snapshot.key), with: ReferenceFiles.json(snapshot))
      return snapshot
    }
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
    if access(folder, R_OK | X_OK) != 0, errno != ENOENT {
      problems = [
        SnapshotError("Cannot read \(folder): \(String(cString: strerror(errno))). Use the account that ran the tests.")
      ]
    }
    for name in ReferenceFiles.names(in: folder).sorted() where name.hasSuffix(".json") {
      let path = "\(folder)/\(name)"
      guard let snapshot = read(path) else {
        // Another process may have removed it.
        guard access(path, F_OK) == 0 else { continue }
        problems.append(
          SnapshotError(
            "Cannot read the pending snapshot \(path): it is damaged. Remove the file, and run the tests again."))
        continue
      }
      snapshots.append(snapshot)
    }
    snapshots.sort {
      ($0.source.file, $0.source.line, $0.source.column, $0.name)
        < ($1.source.file, $1.source.line, $1.source.column, $1.name)
    }
    return (snapshots, problems)
  }

  private func read(_ document: String) -> PendingSnapshot? {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let data = FileManager.default.contents(atPath: document)
    return data.flatMap { try? decoder.decode(PendingSnapshot.self, from: $0) }
  }

  /// Calls a function while no other process changes the snapshot.
  ///
  /// - Throws: ``SnapshotError`` if a later run left another snapshot in place of it.
  private func withLock<Result>(
    _ snapshot: PendingSnapshot, _ body: () throws(SnapshotError) -> Result
  ) throws(SnapshotError) -> Result {
    try ReferenceFiles.withLock(folder) { () throws(SnapshotError) in
      if let latest = read(documentPath(snapshot.key)), latest.fingerprint != snapshot.fingerprint {
        throw SnapshotError(
          "Cannot decide about the new snapshot of \(snapshot.name): a later run left another one. Review that one: "
            + "swift run snapshots review")
      }
      return try body()
    }
  }

  package func data(of snapshot: PendingSnapshot) throws(SnapshotError) -> Data {
    try withLock(snapshot) { () throws(SnapshotError) in
      if let data = try ReferenceFiles.read(dataPath(of: snapshot)) {
        if Fingerprint.of(data) == snapshot.fingerprint { return data }
        throw SnapshotError(
          "Cannot read \(dataPath(of: snapshot)): it is damaged. Remove the file, and run the tests again.")
      }
      throw SnapshotError(
        "Cannot read the new snapshot of \(snapshot.name): it is no longer pending, because another process decided "
          + "about it or its test passes. List the others: swift run snapshots status")
    }
  }

  /// Returns the bytes that a snapshot would replace; `nil` if it is new.
  package func reference(of snapshot: PendingSnapshot) throws(SnapshotError) -> Data? {
    guard let reference = snapshot.reference else { return snapshot.inline?.expected.map { Data($0.utf8) } }
    return try ReferenceFiles.read("\(root)/\(reference)")
  }

  /// Discards a snapshot.
  package func reject(_ snapshot: PendingSnapshot) throws(SnapshotError) {
    try withLock(snapshot) { () throws(SnapshotError) in try remove(snapshot.key) }
  }

  /// Replaces the references and the texts in the sources.
  ///
  /// - Returns: A result for each snapshot. One is refused if its reference or its source has changed since the test, or
  ///   cannot be written.
  package func accept(_ snapshots: [PendingSnapshot]) -> [Result<Void, SnapshotError>] {
    // A source is written once. If one of its snapshots is refused, each one is written by itself.
    let written = Dictionary(grouping: snapshots, by: \.build).values.filter { (try? write($0)) != nil }
    let keys = Set(written.joined().map(\.key))
    return snapshots.map { snapshot in
      Result { () throws(SnapshotError) in
        if !keys.contains(snapshot.key) { try write([snapshot]) }
        try reject(snapshot)
      }
    }
  }

  /// Writes the references, and the texts in the source, of snapshots with the same source and build.
  private func write(_ snapshots: [PendingSnapshot]) throws(SnapshotError) {
    var edits: [InlineEdit] = []
    for snapshot in snapshots {
      let data = try data(of: snapshot)
      if let inline = snapshot.inline {
        edits.append(
          InlineEdit(
            line: snapshot.source.line, column: snapshot.source.column, closure: inline.closure,
            isNew: inline.expected == nil, text: String(decoding: data, as: UTF8.self)))
      } else {
        let old = try reference(of: snapshot)
        guard old == data || old.map(Fingerprint.of) == snapshot.referenceFingerprint else {
          throw SnapshotError(
            "Cannot accept \(snapshot.name): the reference has changed since the test. Run the tests again.")
        }
        try ReferenceFiles.replace("\(root)/\(snapshot.reference ?? "")", with: data)
      }
    }
    guard !edits.isEmpty, let built = snapshots[0].inline?.built else { return }
    try InlineSource.withLock("\(root)/\(snapshots[0].source.file)", built: built) { source throws(SnapshotError) in
      try source.write(edits)
    }
  }
}

/// Leaves and withdraws the pending snapshots of this process.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class PendingRecorder: @unchecked Sendable {
  package static let shared = PendingRecorder()

  private let lock = NSLock()
  private let built: BuildTime
  private var roots: [String: String] = [:]
  /// The roots without pending snapshots, so that most assertions that pass need no system call.
  private var empty: Set<String> = []

  /// - Parameter built: The time at which the tests of this process were linked.
  package init(built: BuildTime = InlineWriter.shared.built) {
    self.built = built
  }

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

  /// Returns the root, and first removes the inline snapshots whose sources have changed since the test.
  ///
  /// A source that the library has edited counts as changed in a later build.
  private func root(ofSource path: String) -> String {
    let folder = ReferenceFiles.folder(of: path)
    if let root = roots[folder] { return root }
    let root = ProjectRoot.containing(folder)
    let isKnown = roots.values.contains(root)
    roots[folder] = root
    guard !isKnown else { return root }
    let store = PendingStore(root: root)
    let (snapshots, problems) = store.contents()
    if snapshots.isEmpty, problems.isEmpty { empty.insert(root) }
    for snapshots in Dictionary(grouping: snapshots, by: \.build).values {
      let path = "\(root)/\(snapshots[0].source.file)"
      guard let tested = snapshots[0].inline?.built,
        (try? InlineSource.withLock(path, built: tested) { $0.isEdited && tested < built }) != false
      else { continue }
      for snapshot in snapshots { try? store.reject(snapshot) }
    }
    return root
  }
}

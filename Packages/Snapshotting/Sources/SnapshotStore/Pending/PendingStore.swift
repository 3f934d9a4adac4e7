package import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The pending snapshots of a project, in a folder that git ignores.
///
/// Many processes can use it at the same time: each file is replaced as a whole, and a review locks the folder.
package struct PendingStore: Sendable {
  /// The root of the project.
  package let root: String

  package init(root: String) {
    self.root = root
  }

  var folder: String { "\(root)/.build/pending-snapshots" }

  private func documentPath(_ id: String) -> String { "\(folder)/\(id).json" }

  /// Returns the path of a snapshot's bytes.
  package func dataPath(of snapshot: PendingSnapshot) -> String {
    let ending = Artifacts.sanitized(snapshot.pathExtension ?? "txt")
    return "\(folder)/\(snapshot.id).\(ending == "json" ? "json-snapshot" : ending)"
  }

  /// Writes a snapshot, in place of an earlier one of the same assertion.
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
      throw SnapshotError("Cannot write the pending snapshot \(snapshot.name): \(error).")
    }
    try ReferenceFiles.replace(documentPath(snapshot.id), with: document, asReference: false)
  }

  /// Removes a snapshot, if it is there.
  package func remove(_ snapshot: PendingSnapshot) {
    unlink(documentPath(snapshot.id))
    unlink(dataPath(of: snapshot))
  }

  /// The pending snapshots in the order of their sources, and the reasons why documents cannot be read.
  package func contents() -> (snapshots: [PendingSnapshot], problems: [SnapshotError]) {
    var (snapshots, problems) = ([PendingSnapshot](), [SnapshotError]())
    for name in ReferenceFiles.names(in: folder).sorted() where name.hasSuffix(".json") {
      do throws(SnapshotError) { snapshots.append(try read(name)) } catch { problems.append(error) }
    }
    snapshots.sort {
      ($0.source.file, $0.source.line, $0.source.column, $0.name)
        < ($1.source.file, $1.source.line, $1.source.column, $1.name)
    }
    return (snapshots, problems)
  }

  private func read(_ name: String) throws(SnapshotError) -> PendingSnapshot {
    let path = "\(folder)/\(name)"
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let document = FileManager.default.contents(atPath: path),
      let snapshot = try? decoder.decode(PendingSnapshot.self, from: document)
    else { throw SnapshotError("Cannot read the pending snapshot \(path). Remove the file, and run the tests again.") }
    guard snapshot.version == PendingSnapshot.currentVersion else {
      throw SnapshotError(
        "Cannot read the pending snapshot \(path): another version of the tests wrote it. Run the tests again.")
    }
    // Numbers of a damaged document could overflow.
    guard snapshot.source.line < UInt32.max, snapshot.source.column < UInt32.max else {
      throw SnapshotError("Cannot read the pending snapshot \(path): it is damaged. Remove the file.")
    }
    guard "\(snapshot.id).json" == name else {
      throw SnapshotError("Cannot read the pending snapshot \(path): it belongs to another file. Remove it.")
    }
    return snapshot
  }

  /// Returns the bytes of a snapshot.
  ///
  /// - Throws: ``SnapshotError`` if they are absent, or belong to a later run.
  package func data(of snapshot: PendingSnapshot) throws(SnapshotError) -> Data {
    guard let data = FileManager.default.contents(atPath: dataPath(of: snapshot)),
      Fingerprint.of(data) == snapshot.fingerprint
    else {
      throw SnapshotError("Cannot read the new snapshot of \(snapshot.name): it was changed. Run the tests again.")
    }
    return data
  }

  /// Returns the reference as it is now; `nil` if it is absent.
  package func reference(of snapshot: PendingSnapshot) throws(SnapshotError) -> Data? {
    if let inline = snapshot.inline { return inline.expected.map { Data($0.utf8) } }
    let path = try ProjectRoot.path(snapshot.reference ?? "", in: root)
    switch try ReferenceFiles.compare(path, with: Data()) {
    case .absent: return nil
    case .equal: return Data()
    case .different(let data): return data
    }
  }

  // MARK: Review

  /// Discards snapshots.
  package func reject(_ snapshots: [PendingSnapshot]) {
    for snapshot in snapshots { remove(snapshot) }
  }

  /// Makes snapshots the references of their assertions, and returns the reasons for those that are refused.
  ///
  /// A reference or a source that has changed since the test is refused. Each file is replaced as a whole, so that after a failure it
  /// is either old or new.
  package func accept(_ snapshots: [PendingSnapshot]) -> [(snapshot: PendingSnapshot, error: SnapshotError)] {
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if lock >= 0 { close(lock) } }
    while lock >= 0, flock(lock, LOCK_EX) != 0, errno == EINTR {}
    var refused: [(snapshot: PendingSnapshot, error: SnapshotError)] = []
    let snapshots = snapshots.filter { snapshot in
      let isPending = access(documentPath(snapshot.id), F_OK) == 0
      if !isPending {
        let reason = "another review has accepted or rejected it, or its test passes now"
        refused.append((snapshot, SnapshotError("Cannot accept \(snapshot.name): \(reason).")))
      }
      return isPending
    }
    for snapshot in snapshots where snapshot.inline == nil {
      do throws(SnapshotError) { try acceptFile(snapshot) } catch { refused.append((snapshot, error)) }
    }
    let inline = snapshots.filter { $0.inline != nil }
    for (file, group) in Dictionary(grouping: inline, by: \.source.file).sorted(by: { $0.key < $1.key }) {
      do throws(SnapshotError) { refused += try acceptInline(group, in: file) } catch {
        refused += group.map { ($0, error) }
      }
    }
    return refused
  }

  private func acceptFile(_ snapshot: PendingSnapshot) throws(SnapshotError) {
    let path = try ProjectRoot.path(snapshot.reference ?? "", in: root)
    let (data, old) = (try data(of: snapshot), try reference(of: snapshot))
    guard old.map(Fingerprint.of) == snapshot.referenceFingerprint else {
      throw SnapshotError(
        "Cannot accept \(snapshot.name): the reference has changed since the test. Run the tests again.")
    }
    try ReferenceFiles.record(path, with: data, over: old)
    remove(snapshot)
  }

  /// Accepts inline snapshots of one source file, with one write.
  private func acceptInline(_ snapshots: [PendingSnapshot], in file: String) throws(SnapshotError)
    -> [(snapshot: PendingSnapshot, error: SnapshotError)]
  {
    let path = try ProjectRoot.path(file, in: root)
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SnapshotError("Cannot read the source \(path). Check that it exists and is readable.")
    }
    let source = Array(data)
    guard let tokens = SwiftLexer.tokens(of: source) else {
      throw SnapshotError("Cannot rewrite \(path): it has an unterminated string literal or comment.")
    }
    let current = Fingerprint.of(data)
    var (edits, accepted) = ([SourceEdit](), [PendingSnapshot]())
    var refused: [(snapshot: PendingSnapshot, error: SnapshotError)] = []
    for snapshot in snapshots {
      do throws(SnapshotError) {
        guard let inline = snapshot.inline, inline.sourceFingerprint == current else {
          throw SnapshotError(
            "Cannot accept \(snapshot.name): the source has changed since the test. Run the tests again.")
        }
        let text = String(decoding: try self.data(of: snapshot), as: UTF8.self)
        let call = try InlineCall(
          in: source, tokens: tokens, path: path, line: snapshot.source.line, column: snapshot.source.column,
          function: snapshot.test)
        edits.append(try call.edit(newText: text, expected: inline.expected, target: .closure(inline.closure)))
        accepted.append(snapshot)
      } catch {
        refused.append((snapshot, error))
      }
    }
    guard !edits.isEmpty else { return refused }
    let changed = applying(edits, to: source)
    try ReferenceFiles.replace(path, with: Data(changed))
    for snapshot in accepted { remove(snapshot) }
    try move(in: file, from: current, source, edits, to: Fingerprint.of(Data(changed)))
    return refused
  }

  /// Moves the other pending snapshots of a source file to their new lines.
  private func move(
    in file: String, from old: String, _ source: [UInt8], _ edits: [SourceEdit], to new: String
  ) throws(SnapshotError) {
    let newline = UInt8(ascii: "\n")
    // The line of the end of each edit, and the number of lines that it adds.
    let moves = edits.map { edit in
      (
        line: source[..<edit.range.upperBound].count { $0 == newline } + 1,
        count: edit.replacement.count { $0 == newline } - source[edit.range].count { $0 == newline }
      )
    }
    for snapshot in contents().snapshots
    where snapshot.source.file == file && snapshot.inline?.sourceFingerprint == old {
      guard let data = try? data(of: snapshot) else { continue }
      var moved = snapshot
      let count = moves.filter { $0.line < Int(snapshot.source.line) }.map(\.count).reduce(0, +)
      moved.source.line = UInt(Int(snapshot.source.line) + count)
      moved.inline?.sourceFingerprint = new
      remove(snapshot)
      try write(moved, data)
    }
  }
}

internal import Foundation
internal import SnapshotStore

// Processes that accept or reject snapshots of one project wait for each other.

extension PendingStore {
  typealias Refusal = (snapshot: PendingSnapshot, error: SnapshotError)

  /// Discards snapshots, and returns the reasons for those that are still pending or were absent.
  @discardableResult
  func reject(_ snapshots: [PendingSnapshot]) -> [Refusal] {
    withLock { refusals(of: snapshots) { snapshot throws(SnapshotError) in try remove(snapshot) } }
  }

  /// A reference or a source that has changed since the test is refused.
  ///
  /// Each file is replaced as a whole, so that after a failure it is either old or new.
  func accept(_ snapshots: [PendingSnapshot]) -> [Refusal] {
    withLock {
      var refused = refusals(of: snapshots.filter { $0.inline == nil }) { snapshot throws(SnapshotError) in
        try acceptFile(snapshot)
      }
      let inline = snapshots.filter { $0.inline != nil }
      // By bytes, as the file system compares names.
      let groups = Dictionary(grouping: inline) { Array($0.source.file.utf8) }.values.sorted {
        $0[0].source.file < $1[0].source.file
      }
      for group in groups {
        do throws(SnapshotError) { refused += try acceptInline(group, in: group[0].source.file) } catch {
          refused += group.map { ($0, error) }
        }
      }
      return refused
    }
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if lock >= 0 { close(lock) } }
    while lock >= 0, flock(lock, LOCK_EX) != 0, errno == EINTR {}
    return body()
  }

  private func refusals(
    of snapshots: [PendingSnapshot], _ body: (PendingSnapshot) throws(SnapshotError) -> Void
  ) -> [Refusal] {
    var refused: [Refusal] = []
    for snapshot in snapshots {
      do throws(SnapshotError) {
        try checkPending(snapshot)
        try body(snapshot)
      } catch {
        refused.append((snapshot, error))
      }
    }
    return refused
  }

  private func checkPending(_ snapshot: PendingSnapshot) throws(SnapshotError) {
    // A later snapshot of the same assertion has the same document.
    guard access("\(folder)/\(snapshot.id).json", F_OK) != 0 else { return }
    throw SnapshotError(
      "Cannot accept or reject \(snapshot.name): it is no longer pending, because another process decided about it or its "
        + "test passes. List the others: snapshots status")
  }

  private func acceptFile(_ snapshot: PendingSnapshot) throws(SnapshotError) {
    let path = try ProjectRoot.path(snapshot.reference ?? "", in: root)
    let (data, old) = (try data(of: snapshot), try reference(of: snapshot))
    // A crash can leave an accepted snapshot pending.
    guard old != data else { return try remove(snapshot) }
    guard old.map(Fingerprint.of) == snapshot.referenceFingerprint else {
      throw SnapshotError(
        "Cannot accept \(snapshot.name): the reference has changed since the test. Run the tests again.")
    }
    try ReferenceFiles.record(path, with: data, over: old)
    try remove(snapshot)
  }

  /// Accepts inline snapshots of one source file, with one write.
  private func acceptInline(_ snapshots: [PendingSnapshot], in file: String) throws(SnapshotError) -> [Refusal] {
    let path = try ProjectRoot.path(file, in: root)
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SnapshotError("Cannot read the source \(path). Check that it exists and is readable.")
    }
    let source = Array(data)
    guard let tokens = SwiftLexer.tokens(of: source) else {
      throw SnapshotError(
        "Cannot rewrite \(path): it has an unterminated string literal or comment. Correct it, and run the tests "
          + "again.")
    }
    let current = Fingerprint.of(data)
    var (edits, accepted) = ([SourceEdit](), [PendingSnapshot]())
    var refused = refusals(of: snapshots) { snapshot throws(SnapshotError) in
      guard let inline = snapshot.inline, inline.sourceFingerprint == current else {
        throw SnapshotError(
          "Cannot accept \(snapshot.name): the source has changed since the test. Run the tests again.")
      }
      let text = String(decoding: try self.data(of: snapshot), as: UTF8.self)
      let call = try InlineCall(
        in: source, tokens: tokens, path: path, line: snapshot.source.line, column: snapshot.source.column)
      edits.append(try call.edit(newText: text, expected: inline.expected, target: .closure(inline.closure)))
      accepted.append(snapshot)
    }
    guard !edits.isEmpty else { return refused }
    guard let changed = applying(edits, to: source) else {
      throw SnapshotError("Cannot accept snapshots of \(path): their calls overlap. Accept them one after the other.")
    }
    try ReferenceFiles.replace(path, with: Data(changed))
    refused += refusals(of: accepted) { snapshot throws(SnapshotError) in try remove(snapshot) }
    return refused + move(in: file, from: current, source, edits, to: changed)
  }

  private func move(
    in file: String, from old: String, _ source: [UInt8], _ edits: [SourceEdit], to changed: [UInt8]
  ) -> [Refusal] {
    let (oldLines, newLines) = (SourceLines(source), SourceLines(changed))
    let new = Fingerprint.of(Data(changed))
    let moves = contents().snapshots.compactMap { snapshot -> (old: PendingSnapshot, new: PendingSnapshot)? in
      guard snapshot.source.file.utf8.elementsEqual(file.utf8), snapshot.inline?.sourceFingerprint == old,
        let offset = oldLines.offset(line: snapshot.source.line, column: snapshot.source.column)
      else { return nil }
      let growth = edits.filter { $0.range.upperBound <= offset }.map { $0.replacement.count - $0.range.count }
      var moved = snapshot
      (moved.source.line, moved.source.column) = newLines.place(of: offset + growth.reduce(0, +))
      moved.inline?.sourceFingerprint = new
      return (snapshot, moved)
    }
    // A document is named after its place, so each place must be free before another snapshot moves there.
    let downwards = moves.filter { $0.new.place > $0.old.place }.sorted { $0.old.place > $1.old.place }
    let upwards = moves.filter { $0.new.place <= $0.old.place }.sorted { $0.old.place < $1.old.place }
    var refused: [Refusal] = []
    for (old, new) in downwards + upwards {
      do throws(SnapshotError) {
        try write(new, try data(of: old))
        if new.id != old.id { try remove(old) }
      } catch {
        refused.append((old, error))
      }
    }
    return refused
  }
}

extension PendingSnapshot {
  fileprivate var place: (UInt, UInt) { (source.line, source.column) }
}

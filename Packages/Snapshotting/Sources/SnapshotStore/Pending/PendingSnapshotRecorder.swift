package import Foundation

/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class PendingSnapshotRecorder: @unchecked Sendable {
  package static let shared = PendingSnapshotRecorder()

  private let lock = NSLock()
  private var roots: [String: String] = [:]
  /// The pending snapshots of each root by the bytes of their references and places.
  private var known: [String: [[UInt8]: PendingSnapshot]] = [:]

  package init() {}

  /// Returns `false` and stores nothing if the file is outside of the project.
  package func leave(
    _ data: Data, over old: Data?, for reference: Reference, strategy: Any.Type, comparison: [String: String]
  ) throws(SnapshotError) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    let root = root(of: reference.site)
    guard let path = ProjectRoot.relative(reference.path, to: root),
      let source = PendingSnapshot.Source(reference.site, in: root)
    else { return false }
    let snapshot = PendingSnapshot(
      data, of: path, over: old, source: source, test: reference.identity.function, suites: reference.suites,
      pathExtension: reference.identity.pathExtension, strategy: "\(strategy)",
      comparison: comparison.isEmpty ? nil : comparison, time: Date())
    try leave(snapshot, data, in: root)
    return true
  }

  /// Returns `false` and stores nothing if the source is outside of the project or was modified after the build.
  package func leave(
    _ text: String, over expected: String?, in closure: InlineCall.Closure, at site: AssertionSite, test: String,
    suites: [String], strategy: Any.Type
  ) throws(SnapshotError) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    let root = root(of: site)
    let path = site.filePath.description
    // In a source that was modified after the build, other calls can be at the places of the compiled ones.
    guard !InlineSources.shared.isModified(path), let bytes = InlineSources.shared.compiledSource(of: path),
      let source = PendingSnapshot.Source(site, in: root)
    else { return false }
    let inline = PendingSnapshot.Inline(expected: expected, closure: closure, source: bytes)
    let data = Data(text.utf8)
    let snapshot = PendingSnapshot(
      data, inline: inline, source: source, test: test, suites: suites, strategy: "\(strategy)", time: Date())
    try leave(snapshot, data, in: root)
    return true
  }

  private func leave(_ snapshot: PendingSnapshot, _ data: Data, in root: String) throws(SnapshotError) {
    load(root)
    try PendingStore(root: root).write(snapshot, data)
    known[root]?[Array(snapshot.key.utf8)] = snapshot
  }

  /// Removes the pending snapshot of an assertion that passes.
  package func remove(_ reference: String?, at site: AssertionSite) {
    lock.lock()
    defer { lock.unlock() }
    let root = root(of: site)
    load(root)
    guard known[root]?.isEmpty == false else { return }
    let key =
      reference.map { ProjectRoot.relative($0, to: root) } ?? PendingSnapshot.Source(site, in: root).map(\.key)
    guard let key, let snapshot = known[root]?.removeValue(forKey: Array(key.utf8))
    else { return }
    try? PendingStore(root: root).remove(snapshot)
  }

  private func root(of site: AssertionSite) -> String {
    let folder = ReferenceFiles.folder(of: site.filePath.description)
    if let root = roots[folder] { return root }
    let root = ProjectRoot.containing(folder)
    roots[folder] = root
    return root
  }

  /// Reads the pending snapshots of earlier runs, and removes inline ones whose source has changed.
  private func load(_ root: String) {
    guard known[root] == nil else { return }
    let store = PendingStore(root: root)
    var snapshots: [[UInt8]: PendingSnapshot] = [:]
    for snapshot in store.contents().snapshots {
      if let inline = snapshot.inline,
        let source = FileManager.default.contents(atPath: "\(root)/\(snapshot.source.file)"),
        Fingerprint.of(source) != inline.sourceFingerprint
      {
        try? store.remove(snapshot)
      } else {
        snapshots[Array(snapshot.key.utf8)] = snapshot
      }
    }
    known[root] = snapshots
  }
}

package import Foundation

/// The pending snapshots that the tests of this process leave and remove.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
package final class PendingSnapshots: @unchecked Sendable {
  /// The pending snapshots of the process.
  package static let shared = PendingSnapshots()

  private let lock = NSLock()
  /// The root of each folder of test files.
  private var roots: [String: String] = [:]
  /// The pending snapshots of each root by their references and places.
  private var known: [String: [String: PendingSnapshot]] = [:]

  package init() {}

  /// Leaves a pending snapshot of a reference file.
  package func leave(_ data: Data, over old: Data?, for reference: Reference) throws(SnapshotError) {
    try leave(data, at: reference.site) { PendingSnapshot(data, over: old, for: reference, in: $0, at: Date()) }
  }

  /// Leaves a pending inline snapshot.
  package func leave(
    _ text: String, over expected: String?, target: InlineCall.Target, at site: AssertionSite, test: String
  ) throws(SnapshotError) {
    let path = site.filePath.description
    guard let source = InlineSources.shared.compiledSource(of: path) else { return }
    let inline = PendingSnapshot.Inline(expected: expected, target: target, source: source)
    try leave(Data(text.utf8), at: site) {
      PendingSnapshot(text, inline, at: site, test: test, in: $0, at: Date())
    }
  }

  private func leave(
    _ data: Data, at site: AssertionSite, _ make: (_ root: String) -> PendingSnapshot?
  ) throws(SnapshotError) {
    lock.lock()
    defer { lock.unlock() }
    let root = root(of: site)
    guard let snapshot = make(root) else { return }
    load(root)
    try PendingStore(root: root).write(snapshot, data)
    known[root]?[key(snapshot.reference, site, in: root)] = snapshot
  }

  /// Removes the pending snapshot of an assertion that passes.
  ///
  /// - Parameter reference: The path of the reference; `nil` for an inline snapshot.
  package func remove(_ reference: String?, at site: AssertionSite) {
    lock.lock()
    defer { lock.unlock() }
    let root = root(of: site)
    load(root)
    guard known[root]?.isEmpty == false else { return }
    let key = key(reference.flatMap { ProjectRoot.relative($0, to: root) }, site, in: root)
    if let snapshot = known[root]?.removeValue(forKey: key) { PendingStore(root: root).remove(snapshot) }
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
    var snapshots: [String: PendingSnapshot] = [:]
    for snapshot in store.contents().snapshots {
      if let inline = snapshot.inline,
        let source = FileManager.default.contents(atPath: "\(root)/\(snapshot.source.file)"),
        Fingerprint.of(source) != inline.sourceFingerprint
      {
        store.remove(snapshot)
      } else {
        snapshots[snapshot.reference ?? place(snapshot.source)] = snapshot
      }
    }
    known[root] = snapshots
  }

  private func key(_ reference: String?, _ site: AssertionSite, in root: String) -> String {
    reference ?? "\(ProjectRoot.relative(site.filePath.description, to: root) ?? ""):\(site.line):\(site.column)"
  }

  private func place(_ source: PendingSnapshot.Source) -> String { "\(source.file):\(source.line):\(source.column)" }
}

internal import Foundation
internal import SnapshotStore

/// All paths are relative to the root of the project.
struct RenamedReferences {
  private struct Kind: Hashable {
    let size: Int
    let pathExtension: String
  }

  private let store: PendingStore
  private var references: [String: [Kind: [String]]] = [:]
  private var contents: [String: [Kind: [Data: [String]]]] = [:]
  private var sources: [String: DeclaredFunctions] = [:]

  init(in store: PendingStore) { self.store = store }

  /// Returns the reference with the bytes of a snapshot that has no reference yet, if its test does not exist any more.
  ///
  /// Searches only the same folder `__Snapshots__`, and only files that are older than the snapshot: a newer one was accepted since. If
  /// several references have the bytes, one with the same name of the assertion is preferred.
  mutating func oldReference(of snapshot: PendingSnapshot) -> String? {
    guard snapshot.isNew, let new = snapshot.reference, let data = try? store.data(of: snapshot) else { return nil }
    let parent = ReferenceFiles.folder(of: ReferenceFiles.folder(of: new))
    guard parent.hasSuffix("/__Snapshots__"), let path = try? ProjectRoot.path(parent, in: store.root) else {
      return nil
    }
    let kind = Kind(size: data.count, pathExtension: Self.pathExtension(of: new))
    let equal = (contents(of: kind, in: path, parent)[data] ?? []).filter {
      $0 != new && isOlder($0, than: snapshot.time) && !isUsed($0, in: parent)
    }
    return equal.first { Self.assertion(of: $0) == Self.assertion(of: new) } ?? equal.first
  }

  /// - Throws: ``SnapshotError`` if the two files differ, or the old one cannot be deleted.
  static func delete(_ old: String, replacedBy new: String, in root: String) throws(SnapshotError) {
    let (oldPath, newPath) = (try ProjectRoot.path(old, in: root), try ProjectRoot.path(new, in: root))
    guard let data = FileManager.default.contents(atPath: newPath),
      case .equal = try ReferenceFiles.compare(oldPath, with: data)
    else { throw SnapshotError("Cannot delete \(old): it differs from \(new) now. Compare the two files.") }
    guard unlink(oldPath) == 0 else {
      throw SnapshotError("Cannot delete \(old): \(String(cString: strerror(errno))). Check the folder's permissions.")
    }
  }

  private func isOlder(_ reference: String, than time: Date) -> Bool {
    var status = stat()
    return lstat("\(store.root)/\(reference)", &status) == 0
      && TimeInterval(status.st_mtim.tv_sec) < time.timeIntervalSince1970.rounded(.down)
  }

  private mutating func isUsed(_ reference: String, in parent: String) -> Bool {
    let folder = ProjectRoot.relative(ReferenceFiles.folder(of: reference), to: parent) ?? ""
    let path = "\(store.root)/\(ReferenceFiles.folder(of: parent))/\(folder).swift"
    return sources[path, default: DeclaredFunctions(of: path)].mayUse(ReferenceNaming.test(of: reference))
  }

  private mutating func contents(of kind: Kind, in path: String, _ parent: String) -> [Data: [String]] {
    if let known = contents[parent]?[kind] { return known }
    let all = references[parent] ?? Self.references(in: path, parent)
    references[parent] = all
    var found: [Data: [String]] = [:]
    for reference in all[kind] ?? [] {
      guard let path = try? ProjectRoot.path(reference, in: store.root),
        let data = FileManager.default.contents(atPath: path)
      else { continue }
      found[data, default: []].append(reference)
    }
    contents[parent, default: [:]][kind] = found
    return found
  }

  private static func references(in path: String, _ parent: String) -> [Kind: [String]] {
    var found: [Kind: [String]] = [:]
    for folder in ReferenceFiles.names(in: path).sorted() where !folder.hasPrefix(".") {
      for name in ReferenceFiles.names(in: "\(path)/\(folder)").sorted() where !name.hasPrefix(".") {
        var status = stat()
        guard lstat("\(path)/\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
        let kind = Kind(size: Int(status.st_size), pathExtension: pathExtension(of: name))
        found[kind, default: []].append("\(parent)/\(folder)/\(name)")
      }
    }
    return found
  }

  private static func pathExtension(of path: String) -> String { (path as NSString).pathExtension }

  private static func assertion(of path: String) -> Substring {
    (path.split(separator: "/").last ?? "").drop { $0 != "." }
  }
}

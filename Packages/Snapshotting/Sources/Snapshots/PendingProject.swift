internal import Foundation
internal import SnapshotStore

/// The pending snapshots of a project, for the commands.
struct PendingProject {
  private let store: PendingStore

  /// - Parameter folder: A folder of the project.
  init(containing folder: String) {
    store = PendingStore(root: ProjectRoot.containing(folder))
  }

  var root: String { store.root }

  /// The pending snapshots that match a filter.
  ///
  /// A snapshot matches if its reference, its source or its test contains the text.
  func snapshots(matching filters: [String] = []) -> (snapshots: [PendingSnapshot], problems: [SnapshotError]) {
    let (all, problems) = store.contents()
    let matching = all.filter { snapshot in
      filters.isEmpty
        || filters.contains { filter in
          [snapshot.name, snapshot.source.file, snapshot.testName].contains { $0.contains(filter) }
        }
    }
    return (matching, problems)
  }

  func difference(of snapshot: PendingSnapshot) throws(SnapshotError) -> Difference {
    Difference(
      from: try store.reference(of: snapshot), to: try store.data(of: snapshot),
      pathExtension: snapshot.pathExtension)
  }

  func accept(_ snapshots: [PendingSnapshot]) -> [(snapshot: PendingSnapshot, error: SnapshotError)] {
    store.accept(snapshots)
  }

  func reject(_ snapshots: [PendingSnapshot]) { store.reject(snapshots) }

  /// The path of the new snapshot, and of its reference if that is a file.
  func paths(of snapshot: PendingSnapshot) -> [String] {
    [snapshot.reference.map { "\(root)/\($0)" }, store.dataPath(of: snapshot)].compactMap(\.self)
  }
}

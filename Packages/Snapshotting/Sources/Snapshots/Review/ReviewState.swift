internal import SnapshotStore
internal import Terminal

struct ReviewState {
  enum Decision: Hashable {
    case accept, reject
    /// Accept the snapshot, and delete the old reference of its renamed test.
    case rename
  }

  enum Effect: Equatable {
    case open
    case suspend
    case finish
    case cancel
  }

  private struct Step {
    let index: Int
    let decisions: [Int: Decision]
  }

  let all: [PendingSnapshot]
  /// The changed lines of each snapshot, which tell whether two snapshots change alike.
  private let changes: [[String]?]
  let renames: [String: String]
  private(set) var index = 0
  /// Whether all snapshots were shown, and the decisions wait for a confirmation.
  private(set) var isAtEnd = false
  private(set) var scroll = 0
  private var decisions: [Int: Decision] = [:]
  private var history: [Step] = []

  init(_ snapshots: [PendingSnapshot], changes: [[String]?], renames: [String: String] = [:]) {
    all = snapshots
    self.changes = changes
    self.renames = renames
  }

  var current: PendingSnapshot { all[index] }

  func snapshots(_ decision: Decision?) -> [PendingSnapshot] {
    all.indices.filter { decisions[$0] == decision }.map { all[$0] }
  }

  var currentDecision: Decision? { decisions[index] }

  /// The number of undecided snapshots with the same change as the current one, including it.
  var alikeCount: Int { alike.count }

  private var alike: [Int] {
    guard let own = changes[index] else { return [index] }
    return all.indices.filter { $0 == index || (decisions[$0] == nil && changes[$0] == own) }
  }

  mutating func handle(_ event: KeyPress, pageRows: Int) -> Effect? {
    switch (event.key, event.modifiers) {
    case (.character("c"), .control): return .cancel
    case (.character("z"), .control): return .suspend
    case (.character("q"), []): return .finish
    case (.enter, []) where isAtEnd: return .finish
    case (.character("u"), []): undo()
    case (.left, []): move(to: isAtEnd ? index : index - 1)
    case _ where isAtEnd: break
    case (.character("a"), []): decide(.accept, [index])
    case (.character("A"), _): decide(.accept, alike)
    case (.character("m"), []) where renames[current.name] != nil: decide(.rename, [index])
    case (.character("r"), []): decide(.reject, [index])
    case (.character("s"), []): decide(nil, [index])
    case (.right, []): advance()
    case (.character("o"), []): return .open
    case (.down, []): scroll += 1
    case (.up, []): scroll = max(0, scroll - 1)
    case (.pageDown, []), (.character(" "), []): scroll += pageRows
    case (.pageUp, []): scroll = max(0, scroll - pageRows)
    default: break
    }
    return nil
  }

  mutating func limitScroll(lines: Int, rows: Int) { scroll = min(scroll, max(0, lines - rows)) }

  private mutating func decide(_ decision: Decision?, _ indices: [Int]) {
    history.append(Step(index: index, decisions: decisions))
    for index in indices { decisions[index] = decision }
    advance()
  }

  private mutating func advance() {
    guard let next = (all.indices.dropFirst(index + 1)).first(where: { decisions[$0] == nil }) else {
      isAtEnd = true
      return
    }
    move(to: next)
  }

  private mutating func move(to other: Int) {
    guard all.indices.contains(other) else { return }
    (index, scroll, isAtEnd) = (other, 0, false)
  }

  private mutating func undo() {
    guard let step = history.popLast() else { return }
    decisions = step.decisions
    move(to: step.index)
  }
}

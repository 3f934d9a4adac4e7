internal import SnapshotStore
internal import Terminal

/// The decisions of a review, and the place in it.
struct Review {
  enum Decision { case accepted, rejected, skipped }

  enum Effect: Equatable { case finish, cancel }

  let all: [PendingSnapshot]
  private(set) var index = 0
  /// Whether all snapshots were shown, and the decisions wait for a confirmation.
  private(set) var isAtEnd = false
  private(set) var showsHelp = false
  /// The number of lines above the visible ones; the screen limits it.
  var scroll = 0
  private var decisions: [Int: Decision] = [:]
  private var history: [(index: Int, decisions: [Int: Decision])] = []

  init(_ snapshots: [PendingSnapshot]) { all = snapshots }

  var current: PendingSnapshot { all[index] }
  var currentDecision: Decision? { decisions[index] }

  /// Returns the snapshots with a decision; those without one are skipped.
  func snapshots(_ decision: Decision) -> [PendingSnapshot] {
    all.indices.filter { decisions[$0, default: .skipped] == decision }.map { all[$0] }
  }

  mutating func handle(_ event: KeyPress, pageRows: Int) -> Effect? {
    switch (event.key, event.modifiers) {
    case (.character("c"), .control): return .cancel
    case _ where showsHelp: showsHelp = false
    case (.character("?"), _): showsHelp = true
    case (.character("q"), []): return .finish
    case (.enter, []) where isAtEnd: return .finish
    case (.character("u"), []): undo()
    case (.left, []): move(to: isAtEnd ? index : index - 1)
    case _ where isAtEnd: break
    case (.character("a"), []): decide(.accepted, [index])
    case (.character("A"), _): decide(.accepted, all.indices.filter { $0 == index || decisions[$0] == nil })
    case (.character("r"), []): decide(.rejected, [index])
    case (.character("s"), []): decide(.skipped, [index])
    case (.right, []): if index + 1 < all.count { move(to: index + 1) } else { isAtEnd = true }
    case (.down, []): scroll += 1
    case (.up, []): scroll = max(0, scroll - 1)
    case (.pageDown, []), (.character(" "), []): scroll += pageRows
    case (.pageUp, []): scroll = max(0, scroll - pageRows)
    default: break
    }
    return nil
  }

  private mutating func decide(_ decision: Decision, _ indices: [Int]) {
    history.append((index, decisions))
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

extension Review {
  /// Shows the snapshots in a terminal until the review ends, and returns whether its decisions are to be applied.
  ///
  /// A difference is made when it is first shown, so that a long review starts at once.
  mutating func run(
    on device: TerminalDevice, difference: (PendingSnapshot) -> Result<Difference, SnapshotError>
  ) throws -> Bool {
    let color = device.colorCapability()
    return try device.withSession { session in
      var (shown, isFirst): (Screen?, Bool) = (nil, true)
      var (loaded, known) = (index, difference(current))
      while true {
        let size = device.size()
        let isLoaded = loaded != index
        if isLoaded { (loaded, known) = (index, difference(current)) }
        let screen = draw(known, size)
        let output = screen.repaint(from: shown, color: color)
        // Images take a while to draw, and a key must not decide about one that is not shown.
        let isSlow = isLoaded && (try? known.get().pictures.isEmpty) == false
        if isFirst || isSlow { session.discardInput() }
        isFirst = false
        try device.write(output)
        shown = screen
        switch try session.readEvent() {
        case .input(.key(let key)):
          switch handle(key, pageRows: Self.rows(in: size)) {
          case .finish: return true
          case .cancel: return false
          case nil: break
          }
        case .resized, .resumed: shown = nil
        case .endOfInput, nil: return false
        case .input: break
        }
      }
    }
  }
}

internal import SnapshotStore
internal import Terminal

struct ReviewSession {
  private let store: PendingStore
  private let snapshots: [PendingSnapshot]
  private let device: TerminalDevice

  init(_ store: PendingStore, _ snapshots: [PendingSnapshot], _ device: TerminalDevice) {
    (self.store, self.snapshots, self.device) = (store, snapshots, device)
  }

  /// Returns the decisions, or `nil` if they are discarded.
  func run() throws -> ReviewState? {
    let differences = snapshots.map { snapshot in
      Result { () throws(SnapshotError) in try store.difference(of: snapshot) }
    }
    var state = ReviewState(
      snapshots, changes: differences.map { (try? $0.get())?.changes }, renames: store.renames(of: snapshots))
    let color = device.colorCapability()
    return try device.withSession { session in
      var shown: Screen?
      // Another thread restores the terminal and stops the program, so nothing is drawn before the next event.
      var isSuspending = false
      while true {
        let size = device.size()
        var (difference, problem) = (Difference?.none, String?.none)
        switch differences[state.index] {
        case .success(let found): difference = found
        case .failure(let error): problem = error.description
        }
        let screen = ReviewScreen.draw(&state, difference, error: problem, size, color: color)
        if !isSuspending {
          try device.write(screen.repaint(from: shown, color: color))
          shown = screen
        }
        isSuspending = false
        switch try session.readEvent() {
        case .input(.key(let key)):
          switch state.handle(key, pageRows: ReviewScreen.rows(in: size)) {
          case .finish: return state
          case .cancel: return nil
          case .suspend:
            (isSuspending, shown) = (true, nil)
            session.suspend()
          case .open: Desktop.open(store.paths(of: state.current))
          case nil: break
          }
        case .resized, .resumed: shown = nil
        case .endOfInput, nil: return nil
        case .input: break
        }
      }
    }
  }
}

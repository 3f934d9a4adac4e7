public import Coordinators
public import Terminal

/// Holds a navigator, the contents of its screens and a ``TerminalShell`` together, and runs them on a terminal or from a
/// script.
///
/// ```swift
/// let app = TerminalApp(contents: contents, work: work)
/// app.navigator.start("application") { ApplicationCoordinator($0) }
/// let ending = try await app.run(on: .standardOutput)
/// ```
///
/// Every key is one event: what coordinators do in answer to it is on the screen at once, in one write of the cells that
/// differ. Keys that have come while the screen was drawn are all answered before it is drawn again. Where the locale names no
/// UTF-8, nothing but ASCII is drawn.
@MainActor
public final class TerminalApp<Screen: NavigationScreen> {
  /// Where the coordinators are.
  public let navigator: Navigator<Screen>
  /// What the shell has and shows.
  public private(set) var shell: TerminalShell<Screen>
  private let contents: ScreenContents<Screen>
  private let work: PendingWork
  /// Whether more is answered before anything is drawn.
  private var isAnswering = false
  /// Whether the navigation may have changed since ``onChange`` was called.
  private var hasChanged = false
  /// Whether the program is about to stop.
  ///
  /// Another thread does that, and gives the terminal back. That it goes on, or what is typed next, says that it has it again;
  /// what came together with Ctrl-Z does not.
  private var isLeaving = false
  /// What is drawn on, while there is something.
  private var canvas: Canvas?
  private var write: (String) -> Void = { _ in }
  private var ended: TerminalEnding?
  /// Hears that the navigation may have changed; to save it, say.
  ///
  /// Called once for keys that are answered together.
  public var onChange: (Navigation<Screen>) -> Void = { _ in }

  /// Creates an app that shows nothing yet: start a coordinator.
  ///
  /// - Parameters:
  ///   - contents: The pages of the screens.
  ///   - work: What a script waits for after each key: the one that `contents` counts its fetches in.
  ///   - size: What is drawn in, until a terminal says otherwise.
  ///   - texts: The words that the shell adds to the pages.
  ///   - navigation: A restored navigation.
  ///   - report: Hears what was not obeyed.
  public init(
    contents: ScreenContents<Screen>, work: PendingWork, size: TerminalSize = TerminalSize(columns: 80, rows: 24),
    texts: TerminalTexts = TerminalTexts(), restoring navigation: Navigation<Screen>? = nil,
    report: @escaping (CoordinatorReport) -> Void = { _ in }
  ) {
    self.contents = contents
    self.work = work
    shell = TerminalShell(size: size, texts: texts)
    let relay = Relay<Batch<Screen>>()
    navigator = Navigator(restoring: navigation, shell: { relay.receive($0) }, report: report)
    relay.receive = { [weak self] in self?.perform($0) }
    contents.onChange = { [weak self] id in
      if let self, shell.tree.navigation?.frontPath.contains(where: { $0.id == id }) == true { draw() }
    }
  }

  /// The screen as it is now.
  public var screen: Terminal.Screen { shell.screen { contents.page(of: $0) } }

  /// Runs on a terminal until the person ends it, or the terminal is gone.
  ///
  /// - Parameters:
  ///   - device: The terminal.
  ///   - color: How many colours are shown; what the terminal can show, when nothing is said.
  /// - Throws: `TerminalError` when it is no terminal, or can neither be read nor written.
  public func run(on device: TerminalDevice, color: ColorCapability? = nil) async throws -> TerminalEnding {
    let canvas = Canvas(color: color ?? device.colorCapability(), characters: device.characterCapability())
    return try await device.withSession { session in
      var failure: (any Error)?
      shell.size = device.size()
      show(on: canvas) { bytes in
        guard failure == nil else { return }
        do { try device.write(bytes) } catch {
          failure = error
          // What waits for a key must hear of it.
          session.interrupt()
        }
      }
      defer { hide() }
      let inbox = EventInbox(session)
      defer { inbox.close() }
      while let events = try await inbox.next() {
        answer(events) { session.suspend() }
        if let failure { throw failure }
        if let ended { return ended }
      }
      if let failure { throw failure }
      return .closed
    }
  }

  /// Draws from now on, whenever something has changed.
  func show(on canvas: Canvas, write: @escaping (String) -> Void) {
    self.canvas = canvas
    self.write = write
    draw()
  }

  private func hide() {
    canvas = nil
    write = { _ in }
  }

  /// Answers all that has come, up to the end of the app, and draws once.
  func answer(_ events: [TerminalEvent], suspend: () -> Void) {
    isAnswering = true
    isLeaving = false
    for event in events where ended == nil {
      switch event {
      case .input(let input):
        switch receive(input) {
        case .repaint: canvas?.clear()
        case .suspend:
          isLeaving = true
          suspend()
        default: break
        }
      case .resized(let size), .resumed(let size):
        if case .resumed = event { isLeaving = false }
        shell.size = size
        canvas?.clear()
      case .endOfInput: ended = .closed
      }
    }
    isAnswering = false
    if hasChanged { changed() }
    if ended == nil { draw() }
  }

  /// Presses the keys of a script, each when what the one before began has ended; then waits for that too.
  ///
  /// A task that is cancelled presses no more keys; what is under way goes on.
  ///
  /// - Returns: How the script ended the app, if it did; later keys are left out then.
  public func run(_ script: TerminalScript) async -> TerminalEnding? {
    await work.settled()
    // A task that is cancelled waits for nothing, so the keys would be pressed on other screens than they are meant for.
    for key in script.keys where !Task.isCancelled {
      _ = receive(.key(key))
      if let ended { return ended }
      await work.settled()
    }
    return nil
  }

  /// Takes a key or a paste, and does what comes of it.
  @discardableResult
  public func receive(_ input: InputEvent) -> TerminalShell<Screen>.Reaction {
    let reaction = shell.receive(input) { contents.page(of: $0) }
    switch reaction {
    case .moved(let skeleton):
      contents.follow(shell.tree.navigation)
      navigator.observe(skeleton)
      changed()
    case .triggered(.send(let action), let node): navigator.send(action, from: node)
    case .triggered(.refresh, let node): contents.refresh(node)
    case .quit: ended = .quit
    case .interrupt: ended = .interrupted
    case .none, .repaint, .suspend: break
    }
    return reaction
  }

  private func perform(_ batch: Batch<Screen>) {
    // Commands that were not made for what the shell has are a mistake of this library: what it has then is told, and the
    // core sets it up anew.
    let acknowledgement =
      (try? shell.perform(batch)) ?? shell.tree.skeleton.map { Acknowledgement(batch: batch.number, skeleton: $0) }
    contents.follow(shell.tree.navigation)
    if let acknowledgement { navigator.acknowledge(acknowledgement) }
    changed()
    draw()
  }

  private func changed() {
    hasChanged = isAnswering
    if isAnswering { return }
    if let navigation = navigator.navigation { onChange(navigation) }
  }

  private func draw() {
    guard !isAnswering, !isLeaving, canvas != nil else { return }
    let screen = screen
    if let bytes = canvas?.bytes(for: screen), !bytes.isEmpty { write(bytes) }
  }
}

/// How an app in a terminal ended.
public enum TerminalEnding: Hashable, Sendable {
  /// The person quit.
  case quit
  /// The person pressed Ctrl-C.
  case interrupted
  /// The terminal is gone.
  case closed
}

/// Stands for somebody who is not there yet.
private final class Relay<Value> {
  var receive: (Value) -> Void = { _ in }
}

@_exported public import Coordinators
internal import Foundation
@_exported public import Terminal

/// An app in a terminal: the pages of its screens and its coordinators, run on a terminal or from a script.
///
/// ```swift
/// let app = TerminalApp(start: WordsCoordinator.init) { screen in
///   switch screen {
///   case .words: Page("Words", ["fiets", "brood"].map { .row($0, .select($0)) })
///   case .word(let word): Page(word, [.fact(label: "Dutch", value: word)])
///   }
/// }
/// await app.runOrExit()
/// ```
///
/// Each key is one event: all reactions of coordinators to it are drawn together, in one write of the changed cells. Keys that
/// arrive during drawing are all handled before the next drawing.
@MainActor
public final class TerminalApp<Screen: NavigationScreen> {
  public let navigator: Navigator<Screen>
  public private(set) var shell: TerminalShell<Screen>
  package let contents: ScreenContents<Screen>
  /// Whether events are being handled; drawing waits until all of them are handled.
  private var isAnswering = false
  private var hasChanged = false
  /// Whether the program is about to be suspended, so that it must not draw.
  ///
  /// Drawing resumes with a `resumed` event or with the next events.
  private var isLeaving = false
  private var canvas: Canvas?
  private var write: (String) -> Void = { _ in }
  private var ended: TerminalEnding?
  /// Called after the navigation has changed, for example to save it.
  ///
  /// Called once for keys that are handled together.
  public var onChange: (Navigation<Screen>) -> Void = { _ in }

  /// Creates an app that shows nothing until a coordinator starts in its ``navigator``.
  public init(
    size: TerminalSize = TerminalSize(columns: 80, rows: 24), texts: TerminalTexts = TerminalTexts(),
    restoring navigation: Navigation<Screen>? = nil, report: @escaping (CoordinatorReport) -> Void = { _ in },
    page: @escaping (Screen) -> Page<Screen.Action>
  ) {
    shell = TerminalShell(size: size, texts: texts)
    navigator = Navigator(restoring: navigation, report: report)
    contents = ScreenContents(work: navigator.work, page: page)
    navigator.show = { [weak self] in self?.show($0) }
    contents.onChange = { [weak self] id in
      if let self, shell.navigation?.isInFront(id) == true { draw() }
    }
  }

  /// Creates an app and starts its first coordinator, under the name `application`.
  public convenience init<Root: Coordinator>(
    start: (CoordinatorContext<Screen, Root.Output>) -> Root,
    size: TerminalSize = TerminalSize(columns: 80, rows: 24), texts: TerminalTexts = TerminalTexts(),
    restoring navigation: Navigation<Screen>? = nil, report: @escaping (CoordinatorReport) -> Void = { _ in },
    page: @escaping (Screen) -> Page<Screen.Action>
  ) where Root.Screen == Screen {
    self.init(size: size, texts: texts, restoring: navigation, report: report, page: page)
    navigator.start("application", make: start)
  }

  public var screen: Terminal.Screen { shell.screen { contents.page(of: $0) } }

  /// Runs on a terminal until the user quits, or the terminal is closed.
  ///
  /// - Throws: `TerminalError` when the device is not a terminal with a cursor, or cannot be read or written.
  @discardableResult
  public func run(on device: TerminalDevice = .standardOutput, color: ColorCapability? = nil) async throws
    -> TerminalEnding
  {
    let canvas = Canvas(color: color ?? device.colorCapability())
    return try await device.withSession { session in
      var failure: (any Error)?
      shell.size = device.size()
      show(on: canvas) { bytes in
        guard failure == nil else { return }
        do { try device.write(bytes) } catch {
          failure = error
          // Ends the wait for the next event, so that the error is thrown.
          session.interrupt()
        }
      }
      defer { hide() }
      let inbox = EventInbox(session)
      while let events = try await inbox.next() {
        answer(events) { session.suspend() }
        if let failure { throw failure }
        if let ended { return ended }
      }
      if let failure { throw failure }
      return .closed
    }
  }

  /// Runs on a terminal until the user quits; if it cannot, prints the error to standard error and exits with code 1.
  ///
  /// Call it from the entry point of a program. Otherwise the same as ``run(on:color:)``.
  @discardableResult
  public func runOrExit(on device: TerminalDevice = .standardOutput, color: ColorCapability? = nil) async
    -> TerminalEnding
  {
    do { return try await run(on: device, color: color) } catch {
      try? TerminalDevice.standardError.write("Error: \(error)\n")
      exit(1)
    }
  }

  func show(on canvas: Canvas, write: @escaping (String) -> Void) {
    self.canvas = canvas
    self.write = write
    draw()
  }

  private func hide() {
    canvas = nil
    write = { _ in }
  }

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

  /// Presses the keys of a script; waits for all work in flight before the first key and after each key.
  ///
  /// When the task is cancelled, no more keys are pressed; the work continues.
  ///
  /// - Returns: The end of the app, if the script ended it; later keys are then ignored.
  public func run(_ script: TerminalScript) async -> TerminalEnding? {
    await navigator.waitUntilIdle()
    // A cancelled task does not wait, so the remaining keys would reach the wrong screens.
    for key in script.keys where !Task.isCancelled {
      _ = receive(.key(key))
      if let ended { return ended }
      await navigator.waitUntilIdle()
    }
    return nil
  }

  @discardableResult
  public func receive(_ input: InputEvent) -> TerminalShell<Screen>.Reaction {
    let reaction = shell.receive(input) { contents.page(of: $0) }
    switch reaction {
    case .navigate(let intent): navigator.apply(intent)
    case .triggered(.send(let action), let node): navigator.send(action, from: node)
    case .triggered(.refresh, let node): refresh(node)
    case .quit: ended = .quit
    case .interrupt: ended = .interrupted
    case .none, .repaint, .suspend: break
    }
    return reaction
  }

  /// Fetches the content of a screen again; does nothing for a screen that is not visible, or not remote.
  public func refresh(_ id: NodeID) { contents.refresh(id) }

  private func show(_ navigation: Navigation<Screen>) {
    shell.show(navigation)
    contents.follow(navigation)
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

public enum TerminalEnding: Hashable, Sendable {
  case quit
  case interrupted
  case closed
}

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
/// Each key is one event: all reactions of coordinators to it are drawn together, in one write of the changed cells.
@MainActor
public final class TerminalApp<Screen: NavigationScreen> {
  public let navigator: Navigator<Screen>
  /// Called after the navigation has changed, for example to save it.
  public var onChange: (Navigation<Screen>) -> Void = { _ in }
  let contents: ScreenContents<Screen>
  private let report: (CoordinatorReport) -> Void
  /// The reports since the app began to run on a terminal, where they would destroy the screen.
  private var reports: [CoordinatorReport] = []
  let texts: TerminalTexts
  let theme: TerminalTheme
  var size: TerminalSize
  /// The focus, the scroll position and the input of each page.
  private var views: [NodeID: PageView] = [:]
  /// The help, a page in front of the visible one.
  var help: Page<Screen.Action>?
  /// The layout of the drawn page, which the next key refers to.
  private var layout: PageLayout<Screen.Action>?
  /// Whether drawing waits: for the end of an event, or until a suspended program continues.
  private var isAnswering = false
  var isSuspended = false
  var output: Output?
  var ended: TerminalEnding?

  /// The terminal, and the screen that it shows.
  struct Output {
    let color: ColorCapability
    let write: (String) -> Void
    let suspend: () -> Void
    var shown: Terminal.Screen?
  }

  /// Creates an app that shows nothing until a coordinator starts in its ``navigator``.
  ///
  /// `report` receives calls that were ignored or refused; by default, they are written to the standard error. While the app
  /// runs on a terminal, they wait for its end.
  public init(
    size: TerminalSize = TerminalSize(columns: 80, rows: 24), texts: TerminalTexts = TerminalTexts(),
    theme: TerminalTheme = TerminalTheme(), restoring navigation: Navigation<Screen>? = nil,
    report: @escaping (CoordinatorReport) -> Void = CoordinatorReport.print,
    page: @escaping (Screen) -> Page<Screen.Action>
  ) {
    (self.size, self.texts, self.theme) = (size, texts, theme)
    self.report = report
    navigator = Navigator(restoring: navigation, report: report)
    contents = ScreenContents(work: navigator.work, page: page)
    navigator.show = { [weak self] in self?.show($0) }
    navigator.report = { [weak self] in self?.output == nil ? report($0) : self?.reports.append($0) }
    contents.onChange = { [weak self] _ in
      self?.layout = nil
      self?.draw()
    }
  }

  /// Creates an app and starts its first coordinator, under the name `application`.
  public convenience init<Root: Coordinator>(
    start: (CoordinatorContext<Screen, Root.Output>) -> Root,
    size: TerminalSize = TerminalSize(columns: 80, rows: 24), texts: TerminalTexts = TerminalTexts(),
    theme: TerminalTheme = TerminalTheme(), restoring navigation: Navigation<Screen>? = nil,
    report: @escaping (CoordinatorReport) -> Void = CoordinatorReport.print,
    page: @escaping (Screen) -> Page<Screen.Action>
  ) where Root.Screen == Screen {
    self.init(size: size, texts: texts, theme: theme, restoring: navigation, report: report, page: page)
    navigator.start("application", make: start)
  }

  public var screen: Terminal.Screen { screen(of: layOut()) }

  /// Runs on a terminal until the user quits, or the terminal is closed.
  ///
  /// - Throws: `TerminalError` when the device is not a terminal with a cursor, or cannot be read or written.
  @discardableResult
  public func run(on device: TerminalDevice = .standardOutput, color: ColorCapability? = nil) async throws
    -> TerminalEnding
  {
    defer {
      reports.forEach(report)
      reports = []
    }
    return try await device.withSession { session in
      var failure: (any Error)?
      ended = nil
      func write(_ bytes: String) {
        do { try device.write(bytes) } catch {
          failure = failure ?? error
          // Ends the wait for the next event, so that the error is thrown.
          session.interrupt()
        }
      }
      output = Output(color: color ?? device.colorCapability(), write: write, suspend: session.suspend)
      defer { output = nil }
      answer(.resumed(device.size()))
      for try await event in events(of: session) {
        answer(event)
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

  /// Presses the keys of a script; waits for all work in flight before the first key and after each key.
  ///
  /// When the task is cancelled, no more keys are pressed; the work continues.
  ///
  /// - Returns: The end of the app, if the script ended it; later keys are then ignored.
  public func run(_ script: TerminalScript) async -> TerminalEnding? {
    ended = nil
    await navigator.waitUntilIdle()
    // A cancelled task does not wait, so the remaining keys would reach the wrong screens.
    for key in script.keys where !Task.isCancelled {
      receive(.key(key))
      if let ended { return ended }
      await navigator.waitUntilIdle()
    }
    return nil
  }

  /// Handles a key or a paste.
  public func receive(_ input: InputEvent) {
    let layout = layout ?? layOut()
    // Anything may change the next page.
    self.layout = nil
    view.fit(to: layout)
    let bindings = bindings(layout, view.focus)
    let text: String
    switch input {
    case .key(let press):
      if let binding = bindings.first(where: { $0.keys.contains(press) }) { return binding.run() }
      if help != nil { return help = nil }
      guard case .character(let character) = press.key, press.modifiers.isSubset(of: .shift) else { return }
      text = String(character)
    case .paste(let pasted): text = pasted
    case .unrecognized: return
    }
    if layout.page.field(view.focus)?.field.kind.isText == true { edit(layout.page) { $0.insert(text) } }
  }

  func answer(_ event: TerminalEvent) {
    isAnswering = true
    isSuspended = false
    switch event {
    case .input(let input): receive(input)
    case .resized(let size), .resumed(let size):
      self.size = size
      layout = nil
      output?.shown = nil
    case .endOfInput: ended = .closed
    }
    isAnswering = false
    if ended == nil { draw() }
  }

  /// Shows a navigation, and discards the focus and the input of removed screens.
  private func show(_ navigation: Navigation<Screen>) {
    help = nil
    views = views.filter { navigation[$0.key] != nil }
    // `follow` may start a fetch. What is drawn is the page that it returns, and no other one.
    layout = layOut(contents.follow(navigation))
    onChange(navigation)
    draw()
  }

  private func draw() {
    // Keys refer to the drawn page, or without a terminal to the current one.
    guard let output else { return layout = nil }
    guard !isAnswering, !isSuspended else { return }
    let layout = layout ?? layOut()
    self.layout = layout
    let screen = screen(of: layout)
    let bytes = screen.repaint(from: output.shown, color: output.color)
    self.output?.shown = screen
    // Terminals that support these marks show the text between them at once; others ignore the marks.
    if !bytes.isEmpty { output.write("\u{1B}[?2026h\(bytes)\u{1B}[?2026l") }
  }
}

// MARK: - The effects of keys

extension TerminalApp {
  /// The focus, the scroll position and the input of the visible page.
  var view: PageView {
    get { view(of: visible) }
    set { views[visible] = newValue }
  }

  func view(of id: NodeID) -> PageView { views[id] ?? PageView() }

  /// The node of the visible page; the help has no node.
  private var visible: NodeID { (help == nil ? front?.id : nil) ?? NodeID(rawValue: -1) }

  private var front: Node<Screen>? { navigator.navigation?.front }

  /// Lays out the visible page; `page` is the page in front, if it is known.
  private func layOut(_ page: Page<Screen.Action>? = nil) -> PageLayout<Screen.Action> {
    let page = help ?? page ?? front.map(contents.page) ?? Page("", [.text(texts.noScreen, role: .note)])
    return layOut(page, isModal: help != nil || navigator.navigation?.dismissIntent != nil, view)
  }

  func layOut(_ page: Page<Screen.Action>, isModal: Bool, _ view: PageView) -> PageLayout<Screen.Action> {
    PageLayout(page, size, isModal: isModal, problems: view.problems, theme: theme, texts: texts)
  }

  func activate(_ layout: PageLayout<Screen.Action>) {
    guard let front else { return }
    switch view.focus {
    case .row(let id)?: layout.page.row(id).map { navigator.send($0.action, from: front.id) }
    case .button(let id)?:
      if case .send(let action)? = layout.page.button(id)?.trigger {
        navigator.send(action, from: front.id)
      } else {
        refresh()
      }
    case .field(let id, _)?, .submit(let id)?:
      if let action = layout.page.form(id).flatMap({ view.send($0) }) { return navigator.send(action, from: front.id) }
      // The focus may have moved to a field with a problem, outside of the window.
      layout.index(of: view.focus).map { view.setFocus($0, in: layout) }
    case nil: break
    }
  }

  /// Changes the input of the field with the focus.
  func edit(_ page: Page<Screen.Action>, _ change: (inout TextInput) -> Void) {
    guard let front, let (form, field) = page.field(view.focus) else { return }
    let before = view.input(of: field, in: form.id)
    var input = before
    change(&input)
    view.set(input, for: field, in: form.id)
    guard input.text != before.text else { return }
    form.editAction(for: view.values(of: form)).map { navigator.send($0, from: front.id) }
  }

  func refresh() { if let front { contents.refresh(front.id) } }
}

public enum TerminalEnding: Hashable, Sendable {
  case quit
  case interrupted
  case closed
}

/// Returns the events of a session, which a thread reads until the session ends.
private func events(of session: TerminalSession) -> AsyncThrowingStream<TerminalEvent, any Error> {
  AsyncThrowingStream { continuation in
    Thread.detachNewThread {
      do {
        while let event = try session.readEvent() { continuation.yield(event) }
        continuation.finish()
      } catch { continuation.finish(throwing: error) }
    }
  }
}

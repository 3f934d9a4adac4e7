import Coordinators
import Foundation
import Futures
import Testing

enum Plain: NavigationScreen {
  case first, second, third
  enum Action: Sendable { case go }
}

/// A coordinator that does what a test tells it.
@MainActor
private final class Scripted: Coordinator {
  typealias Screen = Plain
  let presenter: Presenter<Plain, Int>
  let onStart: (Presenter<Plain, Int>) -> Void

  init(
    _ presenter: Presenter<Plain, Int>,
    onStart: @escaping (Presenter<Plain, Int>) -> Void = { $0.push(.screen(.first)) }
  ) {
    self.presenter = presenter
    self.onStart = onStart
  }

  func start() { onStart(presenter) }
}

/// What a coordinator is promised, one by one.
@MainActor
@Suite("Coordinators")
struct CoordinatorTests {
  /// Collects what was told.
  private final class Notes {
    var reports: [CoordinatorReport] = []
    var ends: [String] = []
    var batches = 0
    // Presenters do not keep it.
    var navigator: Navigator<Plain>?
  }

  private let notes = Notes()

  private func navigator() -> Navigator<Plain> {
    Navigator(shell: { [notes] _ in notes.batches += 1 }, report: { [notes] in notes.reports.append($0) })
  }

  /// A root that stays, and its presenter.
  private func started() throws -> (Navigator<Plain>, Presenter<Plain, Int>) {
    let navigator = navigator()
    notes.navigator = navigator
    var presenter: Presenter<Plain, Int>?
    navigator.start("root") {
      (given: Presenter<Plain, Int>) in
      presenter = given
      return Scripted(given)
    }
    return (navigator, try #require(presenter))
  }

  /// Starts a child that pushes a screen, and gives its presenter.
  private func child(
    of parent: Presenter<Plain, Int>, _ name: String, _ placement: CoordinatorPlacement = .push
  ) throws -> (Presenter<Plain, Int>, Future<Int, CoordinatorCancelled>) {
    var presenter: Presenter<Plain, Int>?
    let future = parent.start(name, placement) {
      (given: Presenter<Plain, Int>) in
      presenter = given
      return Scripted(given) { $0.push(.screen(.second)) }
    } then: { [notes] in
      notes.ends.append("\(name) \($0)")
    }
    return (try #require(presenter), future)
  }

  @Test("end with a value, which their future and their parent get")
  func endValueTheirFuture() throws {
    let (navigator, root) = try started()
    let (child, future) = try child(of: root, "child")
    #expect(future.result == nil)
    child.finish(7)
    #expect(future.value == 7 && notes.ends == ["child finished(7)"])
    #expect(navigator.coordinators == ["root"] && navigator.navigation?.front.screen == .first)
  }

  @Test("end as cancelled when their screens go, from leaf to root")
  func endCancelledWhenTheir() throws {
    let (navigator, root) = try started()
    let (child, future) = try child(of: root, "child")
    let (_, inner) = try self.child(of: child, "inner", .modal)
    root.unwind()
    #expect(notes.ends == ["inner cancelled", "child cancelled"])
    #expect(future.error == CoordinatorCancelled() && inner.error == CoordinatorCancelled())
    #expect(navigator.coordinators == ["root"] && notes.reports.isEmpty)
  }

  @Test("end before those above them, when those end with a value")
  func endBeforeThoseAbove() throws {
    let (_, root) = try started()
    let (child, _) = try child(of: root, "child")
    _ = try self.child(of: child, "inner")
    child.finish(1)
    #expect(notes.ends == ["inner cancelled", "child finished(1)"])
  }

  @Test("live as long as a screen of those below them")
  func liveLongScreenThose() throws {
    let (navigator, root) = try started()
    let (child, _) = try child(of: root, "child")
    _ = try self.child(of: child, "inner", .root)
    #expect(navigator.coordinators == ["root", "root/child", "root/child/inner"] && notes.ends.isEmpty)
  }

  @Test("a late result is dropped and reported")
  func lateResultDroppedReported() throws {
    let (navigator, root) = try started()
    let (child, future) = try child(of: root, "child")
    root.unwind()
    child.finish(3)
    child.push(.screen(.third))
    #expect(future.value == nil && notes.ends == ["child cancelled"])
    #expect(notes.reports == [.lateResult("root/child"), .lateIntent("root/child")])
    #expect(navigator.navigation?.front.screen == .first)
  }

  @Test("a late result, intent or call-off of one that is gone does nothing to another one of its name")
  func lateResultNamesake() throws {
    let (navigator, root) = try started()
    let (gone, goneFuture) = try child(of: root, "child")
    root.unwind()
    let (child, future) = try child(of: root, "child")
    gone.finish(3)
    gone.push(.screen(.third))
    goneFuture.cancel()
    #expect(notes.ends == ["child cancelled"] && future.result == nil)
    #expect(notes.reports == [.lateResult("root/child"), .lateIntent("root/child")])
    #expect(navigator.coordinators == ["root", "root/child"] && navigator.navigation?.front.screen == .second)
    child.finish(4)
    #expect(future.value == 4 && notes.ends == ["child cancelled", "child finished(4)"])
  }

  @Test("may be started again by their parent as soon as it hears how they ended", arguments: [0, 1, 2])
  func startedAgain(way: Int) throws {
    let placement: CoordinatorPlacement = [.push, .modal, .root][way]
    let (navigator, root) = try started()
    var presenters: [Presenter<Plain, Int>] = []
    var futures: [Future<Int, CoordinatorCancelled>] = []
    func start() {
      futures.append(
        root.start("child", placement) { (given: Presenter<Plain, Int>) in
          presenters.append(given)
          return Scripted(given) { $0.push(.screen(.second)) }
        } then: { [notes] in
          notes.ends.append("\($0)")
          if futures.count < 3 { start() }
        })
    }
    start()
    let first = navigator.navigation?.front.id
    try #require(presenters.first).finish(1)
    #expect(notes.ends == ["finished(1)"] && notes.reports.isEmpty && presenters.count == 2)
    #expect(futures.first?.value == 1 && futures.last?.result == nil)
    #expect(navigator.coordinators == ["root", "root/child"] && navigator.navigation?.front.screen == .second)
    #expect(navigator.navigation?.front.id != first)
    try #require(presenters.last).finish(2)
    #expect(notes.ends == ["finished(1)", "finished(2)"] && notes.reports.isEmpty && futures[1].value == 2)
  }

  @Test("whose child takes the place of everything while they start have no stack around it")
  func rootInStart() throws {
    let navigator = navigator()
    navigator.start("root") {
      Scripted($0) { $0.start("child", .root) { Scripted($0) } }
    }
    #expect(navigator.navigation?.root.children.map(\.screen) == [.first])
    #expect(navigator.navigation?.root.owner == "root/child")
    let (root, screen) = (navigator.navigation?.root.id, navigator.navigation?.front.id)
    navigator.apply(.show(.stack([.screen(.first), .screen(.third)]).owned(by: "root/child")))
    #expect(navigator.navigation?.root.id == root && navigator.navigation?.root.children.first?.id == screen)
    #expect(navigator.navigation?.front.screen == .third && notes.reports.isEmpty)
  }

  @Test("that push a stack of their own while they start have it as it is, and on a stack its elements stay theirs")
  func stackInStart() throws {
    let (navigator, root) = try started()
    root.start("child") {
      Scripted($0) { $0.push(.stack([.screen(.second), .screen(.third)])) }
    }
    #expect(navigator.navigation?.root.children.map(\.screen) == [.first, .second, .third])
    #expect(navigator.navigation?.root.children.map(\.owner.path) == ["root", "root/child", "root/child"])
  }

  @Test("a second result is dropped and reported")
  func secondResultDroppedReported() throws {
    let (_, root) = try started()
    let (child, future) = try child(of: root, "child")
    child.finish(1)
    child.finish(2)
    #expect(future.value == 1 && notes.reports == [.lateResult("root/child")])
  }

  @Test("of one name start once while they live")
  func oneNameStartOnce() throws {
    let (navigator, root) = try started()
    let (_, first) = try child(of: root, "child")
    let second = root.start("child") { Scripted($0) }
    #expect(first === second && notes.reports == [.startedTwice("root/child")])
    #expect(navigator.navigation?.frontStack?.children.count == 2)
  }

  @Test("that show nothing are gone at once, and reported")
  func showNothingAreGone() throws {
    let (navigator, root) = try started()
    let future = root.start("child") { Scripted($0) { _ in } }
    #expect(future.isFailure && navigator.coordinators == ["root"])
    #expect(notes.reports == [.startedWithoutScreens("root/child")])
  }

  @Test("that end while they start leave nothing")
  func endWhileTheyStart() throws {
    let (navigator, root) = try started()
    let future = root.start("child") {
      Scripted($0) {
        $0.push(.screen(.second))
        $0.finish(5)
      }
    }
    #expect(future.value == 5 && navigator.coordinators == ["root"])
    #expect(navigator.navigation?.front.screen == .first && notes.reports.isEmpty)
  }

  @Test("go when their future is cancelled")
  func goWhenTheirFuture() throws {
    let (navigator, root) = try started()
    let (_, future) = try child(of: root, "child")
    future.cancel()
    #expect(navigator.coordinators == ["root"] && navigator.navigation?.front.screen == .first)
    #expect(notes.ends == ["child cancelled"])
  }

  @Test("that end with nothing in their place are reported")
  func endNothingTheirPlace() throws {
    let (navigator, root) = try started()
    root.finish(1)
    #expect(notes.reports == [.nothingInItsPlace("root")])
    root.finish(2)
    #expect(root.future.value == 1 && notes.reports.last == .lateResult("root"))
    #expect(navigator.navigation?.front.screen == .first)
  }

  @Test("whose parent does more in answer cost one batch")
  func whoseParentDoesMore() throws {
    let (_, root) = try started()
    var next: Future<Int, CoordinatorCancelled>?
    var first: Presenter<Plain, Int>?
    root.start("one") {
      (given: Presenter<Plain, Int>) in
      first = given
      return Scripted(given)
    } then: { _ in
      next = root.start("two") { Scripted($0) { $0.push(.screen(.third)) } }
    }
    // The shell has not acknowledged the first batch yet, so nothing more is sent before it does.
    let before = notes.batches
    first?.finish(1)
    #expect(next != nil && notes.batches == before)
  }

  @Test("may be named by any text, what a person typed say", arguments: ["a/b", "%2F", "/", "", "100 %", "%252F/"])
  func namedByAnyText(name: String) throws {
    let (navigator, root) = try started()
    let (child, _) = try child(of: root, name)
    #expect(child.id.name == name && child.id.parent == "root")
    #expect(navigator.coordinators == ["root", child.id] && notes.reports.isEmpty)
    child.finish(1)
    #expect(navigator.coordinators == ["root"] && notes.ends == ["\(name) finished(1)"])
  }

  @Test("that nobody makes are reported each time that their screens come", arguments: [false, true])
  func nobodyMakes(boasts: Bool) throws {
    let navigator = navigator()
    navigator.start("root") { Adopting($0, makes: boasts ? nil : false) }
    for _ in 1...2 {
      navigator.apply(.show(.stack([.screen(.first), .screen(.third).owned(by: "root/stranger")]).owned(by: "root")))
      navigator.apply(.unwind(to: .coordinator("root")))
    }
    #expect(notes.reports == [.notAdopted("root/stranger"), .notAdopted("root/stranger")])
  }

  @Test("that start each other again without end are stopped and reported", arguments: [false, true])
  func startEachOther(endInStart: Bool) throws {
    let (navigator, root) = try started()
    var starts = 0
    func start() {
      starts += 1
      root.start("child \(endInStart ? starts : starts % 2)") {
        Scripted($0) { if endInStart { $0.finish(1) } }
      } then: { _ in
        start()
      }
    }
    start()
    // The root is there already, and comes on top; then one is refused.
    let limit = Navigator<Plain>.maximumStarts
    #expect(starts == limit + 2)
    let refused = notes.reports.filter { if case .startedTooOften(_, limit) = $0 { true } else { false } }
    #expect(refused.count == 1 && refused.first?.description.contains("256") == true)
    #expect(navigator.coordinators == ["root"] && navigator.navigation?.front.screen == .first)
    // The next event begins anew.
    _ = try child(of: root, "child")
    #expect(navigator.coordinators == ["root", "root/child"])
  }

  @Test("of a saved navigation are adopted, however many they are")
  func adoptedHoweverMany() throws {
    let count = Navigator<Plain>.maximumStarts + 50
    let children = (0..<count).map { Blueprint<Plain>.screen(.second).owned(by: CoordinatorID("root/\($0)")) }
    let navigator = Navigator<Plain>(
      restoring: try Navigation(.stack(children), owner: "root"), shell: { _ in },
      report: { [notes] in notes.reports.append($0) })
    navigator.start("root") { Adopting($0) }
    #expect(navigator.coordinators.count == count + 1 && notes.reports.isEmpty)
  }
}

/// A coordinator that makes whatever child is asked for, or not, or only says so.
@MainActor
private final class Adopting: Coordinator {
  typealias Screen = Plain
  let presenter: Presenter<Plain, Int>
  let makes: Bool?

  init(_ presenter: Presenter<Plain, Int>, makes: Bool? = true) {
    self.presenter = presenter
    self.makes = makes
  }

  func start() { presenter.push(.screen(.first)) }

  func adopt(_ name: String) -> Bool {
    makes == true ? presenter.adopt(name) { Adopting($0) } : makes == nil
  }
}

import Foundation
import Futures
import Testing

@testable import Coordinators

@MainActor
private final class Scripted: Coordinator {
  typealias Screen = Plain
  let context: CoordinatorContext<Plain, Int>
  let onStart: (CoordinatorContext<Plain, Int>) -> Void

  init(
    _ context: CoordinatorContext<Plain, Int>,
    onStart: @escaping (CoordinatorContext<Plain, Int>) -> Void = { $0.push(.screen(.first)) }
  ) {
    self.context = context
    self.onStart = onStart
  }

  func start() { onStart(context) }
}

@MainActor
@Suite("Coordinators")
struct CoordinatorTests {
  private final class Notes {
    var reports: [CoordinatorReport] = []
    var ends: [String] = []
    var updates = 0
    // Retained here, because contexts do not retain their navigator.
    var navigator: Navigator<Plain>?
  }

  private let notes = Notes()

  private func navigator() -> Navigator<Plain> {
    Navigator(report: { [notes] in notes.reports.append($0) }, show: { [notes] _ in notes.updates += 1 })
  }

  private func started() throws -> (Navigator<Plain>, CoordinatorContext<Plain, Int>) {
    let navigator = navigator()
    notes.navigator = navigator
    var context: CoordinatorContext<Plain, Int>?
    navigator.start("root") { (given: CoordinatorContext<Plain, Int>) in
      context = given
      return Scripted(given)
    }
    return (navigator, try #require(context))
  }

  private func child(
    of parent: CoordinatorContext<Plain, Int>, _ name: String, _ placement: CoordinatorPlacement = .push
  ) throws -> (CoordinatorContext<Plain, Int>, Future<Int, CoordinatorCancelled>) {
    var context: CoordinatorContext<Plain, Int>?
    let future = parent.startChild(name, placement) {
      (given: CoordinatorContext<Plain, Int>) in
      context = given
      return Scripted(given) { $0.push(.screen(.second)) }
    } then: { [notes] in
      notes.ends.append("\(name) \($0)")
    }
    return (try #require(context), future)
  }

  @Test("a coordinator finishes with a value, which its future and its parent receive")
  func finishDeliversValue() throws {
    let (navigator, root) = try started()
    let (child, future) = try child(of: root, "child")
    #expect(future.result == nil)
    child.finish(7)
    #expect(future.value == 7 && notes.ends == ["child finished(7)"])
    #expect(navigator.coordinators == ["root"] && navigator.navigation?.front.screen == .first)
  }

  @Test("removing screens cancels their coordinators from leaf to root")
  func removingScreensCancelsCoordinators() throws {
    let (navigator, root) = try started()
    let (child, future) = try child(of: root, "child")
    let (_, inner) = try self.child(of: child, "inner", .modal)
    root.unwind()
    #expect(notes.ends == ["inner cancelled", "child cancelled"])
    #expect(future.error == CoordinatorCancelled() && inner.error == CoordinatorCancelled())
    #expect(navigator.coordinators == ["root"] && notes.reports.isEmpty)
  }

  @Test("a coordinator runs while a child has a screen")
  func coordinatorRunsWhileChildHasScreen() throws {
    let (navigator, root) = try started()
    let (child, _) = try child(of: root, "child")
    _ = try self.child(of: child, "inner", .root)
    #expect(navigator.coordinators == ["root", "root/child", "root/child/inner"] && notes.ends.isEmpty)
  }

  @Test("a late result is dropped and reported")
  func lateResultIsReported() throws {
    let (navigator, root) = try started()
    let (child, future) = try child(of: root, "child")
    root.unwind()
    child.finish(3)
    child.push(.screen(.third))
    #expect(future.value == nil && notes.ends == ["child cancelled"])
    #expect(notes.reports == [.lateResult("root/child"), .lateIntent("root/child")])
    #expect(navigator.navigation?.front.screen == .first)
  }

  @Test("a late result, intent or cancellation does not affect a later coordinator of the same name")
  func lateResultDoesNotAffectNamesake() throws {
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

  @Test("a parent can start a child again in the callback of the child's result", arguments: [0, 1, 2])
  func childIsStartedAgainInCallback(way: Int) throws {
    let placement: CoordinatorPlacement = [.push, .modal, .root][way]
    let (navigator, root) = try started()
    var presenters: [CoordinatorContext<Plain, Int>] = []
    var futures: [Future<Int, CoordinatorCancelled>] = []
    func start() {
      futures.append(
        root.startChild("child", placement) { (given: CoordinatorContext<Plain, Int>) in
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

  @Test("a child that replaces the root during start is not wrapped in a stack")
  func rootChildIsNotWrapped() throws {
    let navigator = navigator()
    navigator.start("root") {
      Scripted($0) { $0.startChild("child", .root) { Scripted($0) } }
    }
    #expect(navigator.navigation?.root.children.map(\.screen) == [.first])
    #expect(navigator.navigation?.root.owner == "root/child")
    let (root, screen) = (navigator.navigation?.root.id, navigator.navigation?.front.id)
    navigator.apply(.show(.stack([.screen(.first), .screen(.third)]).owned(by: "root/child")))
    #expect(navigator.navigation?.root.id == root && navigator.navigation?.root.children.first?.id == screen)
    #expect(navigator.navigation?.front.screen == .third && notes.reports.isEmpty)
  }

  @Test("the elements of a stack pushed during start keep their owner on the parent's stack")
  func pushedStackKeepsOwner() throws {
    let (navigator, root) = try started()
    root.startChild("child") {
      Scripted($0) { $0.push(.stack([.screen(.second), .screen(.third)])) }
    }
    #expect(navigator.navigation?.root.children.map(\.screen) == [.first, .second, .third])
    #expect(navigator.navigation?.root.children.map(\.owner?.description) == ["root", "root/child", "root/child"])
  }

  @Test("a name can be started only once while its coordinator runs")
  func runningNameCannotStartAgain() throws {
    let (navigator, root) = try started()
    let (_, first) = try child(of: root, "child")
    let second = root.startChild("child") { Scripted($0) }
    #expect(first.result == nil && second.isFailure && notes.reports == [.startedTwice("root/child")])
    #expect(navigator.navigation?.frontStack?.children.count == 2)
  }

  @Test("a coordinator without screens is removed at once and reported")
  func coordinatorWithoutScreensIsReported() throws {
    let (navigator, root) = try started()
    let future = root.startChild("child") { Scripted($0) { _ in } }
    #expect(future.isFailure && navigator.coordinators == ["root"])
    #expect(notes.reports == [.startedWithoutScreens("root/child")])
  }

  @Test("a coordinator that finishes during start leaves no screens")
  func finishDuringStartLeavesNoScreens() throws {
    let (navigator, root) = try started()
    let future = root.startChild("child") {
      Scripted($0) {
        $0.push(.screen(.second))
        $0.finish(5)
      }
    }
    #expect(future.value == 5 && navigator.coordinators == ["root"])
    #expect(navigator.navigation?.front.screen == .first && notes.reports.isEmpty)
  }

  @Test("cancelling the future removes the coordinator and its screens")
  func cancellingFutureRemovesCoordinator() throws {
    let (navigator, root) = try started()
    let (_, future) = try child(of: root, "child")
    future.cancel()
    #expect(navigator.coordinators == ["root"] && navigator.navigation?.front.screen == .first)
    #expect(notes.ends == ["child cancelled"])
  }

  @Test("finishing without a replacement keeps the screens and is reported")
  func finishWithoutReplacementIsReported() throws {
    let (navigator, root) = try started()
    root.finish(1)
    #expect(notes.reports == [.notReplaced("root")])
    root.finish(2)
    #expect(root.future.value == 1 && notes.reports.last == .lateResult("root"))
    #expect(navigator.navigation?.front.screen == .first)
  }

  @Test("a coordinator restarted in the event that unwound it ends before the new one starts")
  func restartAfterUnwindingEndsOldOnesFirst() throws {
    let (navigator, root) = try started()
    let (first, future) = try child(of: root, "child")
    let (leaf, _) = try child(of: first, "leaf")
    var second: CoordinatorContext<Plain, Int>?
    navigator.transaction {
      root.unwind()
      #expect(notes.ends.isEmpty)
      root.startChild("child") { (given: CoordinatorContext<Plain, Int>) in
        second = given
        return Scripted(given) { $0.push(.screen(.third)) }
      } then: { [notes] in
        notes.ends.append("second \($0)")
      }
    }
    #expect(notes.ends == ["leaf cancelled", "child cancelled"] && future.error != nil && notes.reports.isEmpty)
    #expect(navigator.coordinators == ["root", "root/child"] && navigator.navigation?.front.screen == .third)
    first.finish(1)
    leaf.finish(1)
    #expect(notes.reports == [.lateResult("root/child"), .lateResult("root/child/leaf")])
    second?.finish(2)
    #expect(notes.ends.last == "second finished(2)" && navigator.coordinators == ["root"])
  }

  @Test("starting, unwinding and starting in one event creates two coordinators")
  func startUnwindStartCreatesTwo() throws {
    let (navigator, root) = try started()
    navigator.transaction {
      for screen in [Plain.second, .third] {
        root.startChild("child") {
          Scripted($0) { $0.push(.screen(screen)) }
        } then: { [notes] in
          notes.ends.append("child \($0)")
        }
        if screen == .second { root.unwind() }
      }
    }
    #expect(notes.ends == ["child cancelled"] && notes.reports.isEmpty)
    #expect(navigator.coordinators == ["root", "root/child"])
  }

  @Test("closing a tab cancels its coordinators from leaf to root")
  func closingTabCancelsCoordinators() throws {
    let stage = Stage()
    let tab = try #require(stage.childInTab())
    let child = try #require(stage.child(of: tab, "child"))
    stage.child(of: child, "leaf", .modal)
    #expect(stage.navigator.coordinators.count == 4)
    let tabs = try #require(stage.navigator.navigation)
    stage.root.apply(try #require(tabs.closing("one", in: tabs.root.id)))
    #expect(stage.ends == ["leaf cancelled", "child cancelled", "tab cancelled"])
    #expect(stage.navigator.coordinators == ["root"] && stage.navigator.navigation?.front.screen == .first)
    #expect(stage.reports.isEmpty)
  }

  @Test(
    "the name of a coordinator can be any text, such as user input",
    arguments: ["a/b", "%2F", "/", "", "100 %", "%252F/"])
  func nameCanBeAnyText(name: String) throws {
    let (navigator, root) = try started()
    let (child, _) = try child(of: root, name)
    #expect(child.id.name == name && child.id.parent == "root")
    #expect(navigator.coordinators == ["root", child.id] && notes.reports.isEmpty)
    child.finish(1)
    #expect(navigator.coordinators == ["root"] && notes.ends == ["\(name) finished(1)"])
  }
}

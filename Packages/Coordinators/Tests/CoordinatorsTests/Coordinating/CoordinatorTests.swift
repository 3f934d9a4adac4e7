import Futures
import Testing

@testable import Coordinators

@MainActor
@Suite("Coordinators")
struct CoordinatorTests {
  private let stage = Stage()

  @Test("a coordinator finishes with a value, which its future and its parent receive")
  func finishDeliversValue() throws {
    let child = try #require(stage.child(of: stage.root, "child"))
    #expect(child.future.result == nil)
    child.finish(7)
    #expect(child.future.value == 7 && stage.ends == ["child finished(7)"])
    #expect(stage.navigator.coordinators == ["root"] && stage.tree == "#0[#1 first]")
  }

  @Test("removing screens cancels their coordinators from leaf to root")
  func removingScreensCancelsCoordinators() throws {
    let child = try #require(stage.child(of: stage.root, "child"))
    let inner = try #require(stage.child(of: child, "inner", .modal))
    stage.root.unwind()
    #expect(stage.ends == ["inner cancelled", "child cancelled"])
    #expect(child.future.error == CoordinatorCancelled() && inner.future.error == CoordinatorCancelled())
    #expect(stage.navigator.coordinators == ["root"] && stage.reports.isEmpty)
  }

  @Test("a coordinator runs while a child has a screen")
  func coordinatorRunsWhileChildHasScreen() throws {
    let child = try #require(stage.child(of: stage.root, "child"))
    stage.child(of: child, "inner", .root)
    #expect(stage.navigator.coordinators == ["root", "root/child", "root/child/inner"] && stage.ends.isEmpty)
  }

  @Test("a late result, intent or cancellation is reported, and does not affect a later coordinator of the same name")
  func lateResultDoesNotAffectNamesake() throws {
    let gone = try #require(stage.child(of: stage.root, "child"))
    stage.root.unwind()
    let child = try #require(stage.child(of: stage.root, "child"))
    gone.finish(3)
    gone.push(.screen(.third))
    gone.future.cancel()
    #expect(stage.ends == ["child cancelled"] && gone.future.value == nil && child.future.result == nil)
    #expect(stage.reports == [.lateResult("root/child"), .lateIntent("root/child")])
    #expect(stage.navigator.coordinators == ["root", "root/child"] && stage.tree == "#0[#1 first, #3 second]")
    child.finish(4)
    #expect(child.future.value == 4 && stage.ends == ["child cancelled", "child finished(4)"])
  }

  @Test("a parent can start a child again in the callback of the child's result", arguments: [0, 1, 2])
  func childIsStartedAgainInCallback(way: Int) throws {
    let placement: CoordinatorPlacement = [.push, .modal, .root][way]
    var children: [CoordinatorContext<Plain, Int>] = []
    func start() {
      let child = stage.child(of: stage.root, "child", placement) { if children.count < 3 { start() } }
      if let child { children.append(child) }
    }
    start()
    let first = stage.navigator.navigation?.front.id
    try #require(children.first).finish(1)
    #expect(stage.ends == ["child finished(1)"] && stage.reports.isEmpty && children.count == 2)
    #expect(children.first?.future.value == 1 && children.last?.future.result == nil)
    #expect(stage.navigator.coordinators == ["root", "root/child"])
    let front = stage.navigator.navigation?.front
    #expect(front?.screen == .second && front?.id != first)
    try #require(children.last).finish(2)
    #expect(stage.ends == ["child finished(1)", "child finished(2)"] && stage.reports.isEmpty)
    #expect(children[1].future.value == 2)
  }

  @Test("a child that replaces the root during start is not wrapped in a stack")
  func rootChildIsNotWrapped() throws {
    let stage = Stage {
      $0.startChild("child", .root) { Stage.Actor($0) { $0.push(.screen(.first)) } }
    }
    let navigator = stage.navigator
    #expect(navigator.navigation?.root.children.map(\.screen) == [.first])
    #expect(navigator.navigation?.root.owner == "root/child")
    let (root, screen) = (navigator.navigation?.root.id, navigator.navigation?.front.id)
    navigator.apply(.show(.stack([.screen(.first), .screen(.third)]).owned(by: "root/child")))
    #expect(navigator.navigation?.root.id == root && navigator.navigation?.root.children.first?.id == screen)
    #expect(navigator.navigation?.front.screen == .third && stage.reports.isEmpty)
  }

  @Test("the elements of a stack pushed during start keep their owner on the parent's stack")
  func pushedStackKeepsOwner() {
    stage.child(of: stage.root, "child", onStart: { $0.push(.stack([.screen(.second), .screen(.third)])) })
    let elements = stage.navigator.navigation?.root.children
    #expect(elements?.map(\.screen) == [.first, .second, .third])
    #expect(elements?.map(\.owner?.description) == ["root", "root/child", "root/child"])
  }

  @Test("a name can be started only once while its coordinator runs")
  func runningNameCannotStartAgain() throws {
    let first = try #require(stage.child(of: stage.root, "child"))
    let second = stage.root.startChild("child") { Stage.Actor($0) { $0.push(.screen(.first)) } }
    #expect(first.future.result == nil && second.isFailure && stage.reports == [.startedTwice("root/child")])
    #expect(stage.navigator.navigation?.frontStack?.children.count == 2)
  }

  @Test("a coordinator without screens is removed at once and reported")
  func coordinatorWithoutScreensIsReported() throws {
    let child = try #require(stage.child(of: stage.root, "child", onStart: { _ in }))
    #expect(child.future.isFailure && stage.navigator.coordinators == ["root"])
    #expect(stage.reports == [.startedWithoutScreens("root/child")])
  }

  @Test("cancelling the future removes the coordinator and its screens")
  func cancellingFutureRemovesCoordinator() throws {
    try #require(stage.child(of: stage.root, "child")).future.cancel()
    #expect(stage.navigator.coordinators == ["root"] && stage.tree == "#0[#1 first]")
    #expect(stage.ends == ["child cancelled"])
  }

  @Test("finishing without a replacement keeps the screens and is reported")
  func finishWithoutReplacementIsReported() {
    stage.root.finish(1)
    #expect(stage.reports == [.notReplaced("root")])
    stage.root.finish(2)
    #expect(stage.root.future.value == 1 && stage.reports.last == .lateResult("root"))
    #expect(stage.tree == "#0[#1 first]")
  }

  @Test("a coordinator restarted in the event that unwound it ends before the new one starts")
  func restartAfterUnwindingEndsOldOnesFirst() throws {
    let first = try #require(stage.child(of: stage.root, "child"))
    let leaf = try #require(stage.child(of: first, "leaf"))
    var second: CoordinatorContext<Plain, Int>?
    stage.navigator.transaction {
      stage.root.unwind()
      #expect(stage.ends.isEmpty)
      second = stage.child(of: stage.root, "child", onStart: { $0.push(.screen(.third)) })
    }
    #expect(stage.ends == ["leaf cancelled", "child cancelled"] && first.future.error != nil && stage.reports.isEmpty)
    #expect(stage.navigator.coordinators == ["root", "root/child"])
    #expect(stage.navigator.navigation?.front.screen == .third)
    first.finish(1)
    leaf.finish(1)
    #expect(stage.reports == [.lateResult("root/child"), .lateResult("root/child/leaf")])
    second?.finish(2)
    #expect(stage.ends.last == "child finished(2)" && stage.navigator.coordinators == ["root"])
  }
}

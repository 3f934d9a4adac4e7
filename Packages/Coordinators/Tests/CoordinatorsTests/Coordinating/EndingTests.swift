import Coordinators
import Foundation
import Futures
import Testing

/// After its end a coordinator has no screens and no effect.
@MainActor
@Suite("End of a coordinator")
struct EndingTests {
  @Test("screens that children show during their end are removed")
  func screensShownDuringEndAreRemoved() throws {
    let stage = Stage()
    let a = try #require(stage.child(of: stage.root, "a"))
    let b = try #require(stage.child(of: a, "b"))
    stage.child(of: b, "c") { b.push(.screen(.third)) }
    a.finish(1)
    #expect(stage.ends == ["c cancelled", "b cancelled", "a finished(1)"])
    #expect(stage.tree == "#0[#1 first]" && stage.navigator.coordinators == ["root"] && stage.reports.isEmpty)
  }

  @Test("coordinators that children start during their end are cancelled")
  func coordinatorsStartedDuringEndAreCancelled() throws {
    let stage = Stage()
    let a = try #require(stage.child(of: stage.root, "a"))
    let b = try #require(stage.child(of: a, "b"))
    stage.child(of: b, "c") { stage.child(of: b, "d") }
    a.finish(1)
    #expect(stage.ends == ["c cancelled", "d cancelled", "b cancelled", "a finished(1)"])
    #expect(stage.tree == "#0[#1 first]" && stage.navigator.coordinators == ["root"] && stage.reports.isEmpty)
  }

  @Test("a coordinator that is ending cannot show a screen in the callback of a child's result")
  func endingCoordinatorShowsNothing() throws {
    let stage = Stage()
    let a = try #require(stage.child(of: stage.root, "a"))
    stage.child(of: a, "b") { a.push(.screen(.third)) }
    a.finish(1)
    #expect(stage.ends == ["b cancelled", "a finished(1)"] && stage.reports == [.lateIntent("root/a")])
    #expect(stage.tree == "#0[#1 first]" && stage.navigator.coordinators == ["root"])
  }

  @Test("intents of a coordinator after its end during start are reported as late")
  func intentsDuringStartAreLate() throws {
    let stage = Stage()
    let a = stage.child(
      of: stage.root, "a",
      onStart: {
        $0.push(.screen(.second))
        $0.finish(1)
        $0.push(.screen(.third))
        $0.present(.screen(.third))
      })
    #expect(stage.reports == [.lateIntent("root/a"), .lateIntent("root/a")] && stage.tree == "#0[#1 first]")
    #expect(a?.future.value == 1 && stage.navigator.coordinators == ["root"])
  }

  @Test("an ended coordinator whose screens stay restores no child and applies no intent")
  func endedCoordinatorWithScreensDoesNothing() throws {
    let stage = Stage(adopts: true)
    stage.child(of: stage.root, "a")
    stage.root.finish(1)
    stage.root.push(.screen(.third))
    #expect(
      stage.reports == [.notReplaced("root"), .notRestored("root/a"), .lateIntent("root")]
        && stage.tree == "#0[#1 first, #2 second]")
  }

  @Test("cancelling the future ends a coordinator in a tab, although its screens stay")
  func cancellingFutureEndsCoordinatorInTab() throws {
    let stage = Stage()
    let tab = try #require(stage.childInTab())
    let before = stage.tree
    tab.future.cancel()
    #expect(tab.future.error == CoordinatorCancelled() && stage.ends == ["tab cancelled"])
    #expect(stage.tree == before && stage.reports == [.notReplaced("root/tab")])
    tab.finish(1)
    tab.push(.screen(.third))
    #expect(stage.ends == ["tab cancelled"] && stage.tree == before)
    #expect(stage.reports.suffix(2) == [.lateResult("root/tab"), .lateIntent("root/tab")])
  }

  @Test("a cancelled coordinator in a tab is removed when its parent replaces its screens")
  func parentReplacesCancelledCoordinatorInTab() throws {
    let stage = Stage()
    let tab = try #require(
      stage.childInTab {
        guard case .tabs(let tabs, _)? = stage.navigator.navigation?.root.content, let first = tabs.first else {
          return
        }
        stage.root.apply(.replace(first.node.id, with: Node.screen(.third).owned(by: "root")))
      })
    tab.future.cancel()
    #expect(stage.ends == ["tab cancelled"] && stage.reports.isEmpty)
    #expect(stage.navigator.coordinators == ["root"] && stage.navigator.navigation?.front.screen == .third)
  }

  @Test("cancelling the future ends the root coordinator")
  func cancellingFutureEndsRoot() throws {
    let stage = Stage()
    stage.future?.cancel()
    #expect(stage.future?.error == CoordinatorCancelled() && stage.ends == ["root cancelled"])
    stage.root.finish(1)
    #expect(stage.ends == ["root cancelled"])
    #expect(stage.reports == [.notReplaced("root"), .lateResult("root")])
  }

  @Test("a cancellation by another thread precedes a later result of the coordinator")
  func cancellationByAnotherThreadWins() throws {
    let stage = Stage()
    let a = try #require(stage.child(of: stage.root, "a"))
    let cancelled = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [future = a.future] in
      future.cancel()
      cancelled.signal()
    }
    // The coordinator finishes before the main thread delivers the cancellation.
    cancelled.waitForIt()
    a.finish(1)
    #expect(a.future.error == CoordinatorCancelled() && stage.ends == ["a cancelled"])
    #expect(stage.navigator.coordinators == ["root"] && stage.reports.isEmpty)
  }
}

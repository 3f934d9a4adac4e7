import Coordinators
import Foundation
import Futures
import Testing

/// A coordinator that has ended has ended: nothing of it stays, and it does nothing more.
@MainActor
@Suite("A coordinator that ends")
struct EndingTests {
  @Test("leaves no screen that those below it show while they end")
  func screensOfThoseBelow() throws {
    let stage = Stage()
    let a = try #require(stage.child(of: stage.root, "a"))
    let b = try #require(stage.child(of: a, "b"))
    stage.child(of: b, "c") { b.push(.screen(.third)) }
    a.finish(1)
    #expect(stage.ends == ["c cancelled", "b cancelled", "a finished(1)"])
    #expect(stage.tree == "#0[#1 first]" && stage.navigator.coordinators == ["root"] && stage.reports.isEmpty)
  }

  @Test("ends those as well that those below it start while they end")
  func startedWhileEnding() throws {
    let stage = Stage()
    let a = try #require(stage.child(of: stage.root, "a"))
    let b = try #require(stage.child(of: a, "b"))
    stage.child(of: b, "c") { stage.child(of: b, "d") }
    a.finish(1)
    #expect(stage.ends == ["c cancelled", "d cancelled", "b cancelled", "a finished(1)"])
    #expect(stage.tree == "#0[#1 first]" && stage.navigator.coordinators == ["root"] && stage.reports.isEmpty)
  }

  @Test("shows nothing more, not even when it hears how those below it have ended")
  func ownChild() throws {
    let stage = Stage()
    let a = try #require(stage.child(of: stage.root, "a"))
    stage.child(of: a, "b") { a.push(.screen(.third)) }
    a.finish(1)
    #expect(stage.ends == ["b cancelled", "a finished(1)"] && stage.reports == [.lateIntent("root/a")])
    #expect(stage.tree == "#0[#1 first]" && stage.navigator.coordinators == ["root"])
  }

  @Test("wants nothing more in the same event")
  func sameEvent() throws {
    let stage = Stage()
    let a = try #require(stage.child(of: stage.root, "a"))
    // While another one starts, so that it is one event.
    stage.child(
      of: a, "b",
      onStart: { _ in
        a.finish(1)
        stage.wantEverything(a)
      })
    #expect(stage.tree == "#0[#1 first]" && stage.navigator.coordinators == ["root"])
    #expect(stage.reports.filter { $0 == .lateIntent("root/a") }.count == 6)
  }

  @Test("wants nothing more while it starts")
  func whileItStarts() throws {
    let stage = Stage()
    stage.child(
      of: stage.root, "a",
      onStart: {
        $0.push(.screen(.second))
        $0.finish(1)
        $0.push(.screen(.third))
        $0.present(.screen(.third))
      })
    #expect(stage.reports == [.lateIntent("root/a"), .lateIntent("root/a")] && stage.tree == "#0[#1 first]")
  }

  @Test("and whose screens stay, since nothing is in their place, is asked for nobody and wants nothing")
  func rootThatStays() throws {
    let stage = Stage(adopts: true)
    stage.child(of: stage.root, "a")
    stage.root.finish(1)
    stage.root.push(.screen(.third))
    #expect(
      stage.reports == [.notRestored("root/a"), .nothingInItsPlace("root"), .lateIntent("root")]
        && stage.tree == "#0[#1 first, #2 second]")
  }

  @Test("as cancelled, since its future is, has ended where nothing is in its place too: in a tab")
  func cancelledInTab() throws {
    let stage = Stage()
    let tab = try #require(stage.childInTab())
    let before = stage.tree
    tab.future.cancel()
    #expect(tab.future.error == CoordinatorCancelled() && stage.ends == ["tab cancelled"])
    #expect(stage.tree == before && stage.reports == [.nothingInItsPlace("root/tab")])
    tab.finish(1)
    tab.push(.screen(.third))
    #expect(stage.ends == ["tab cancelled"] && stage.tree == before)
    #expect(stage.reports.suffix(2) == [.lateResult("root/tab"), .lateIntent("root/tab")])
  }

  @Test("as cancelled in a tab, goes when its parent puts something in its place")
  func replacedInTab() throws {
    let stage = Stage()
    let tab = try #require(
      stage.childInTab {
        guard case .tabs(let tabs, _)? = stage.navigator.navigation?.root.content, let first = tabs.first else {
          return
        }
        stage.root.apply(.replace(first.node.id, with: Blueprint.screen(.third).owned(by: "root")))
      })
    tab.future.cancel()
    #expect(stage.ends == ["tab cancelled"] && stage.reports.isEmpty)
    #expect(stage.navigator.coordinators == ["root"] && stage.navigator.navigation?.front.screen == .third)
  }

  @Test("as cancelled, since its future is, has ended as the root too")
  func cancelledRoot() throws {
    let stage = Stage()
    stage.future?.cancel()
    #expect(stage.future?.error == CoordinatorCancelled() && stage.ends == ["root cancelled"])
    stage.root.finish(1)
    #expect(stage.ends == ["root cancelled"])
    #expect(stage.reports == [.nothingInItsPlace("root"), .lateResult("root")])
  }

  @Test("ends as its future has, when another thread cancels that one in the same instant")
  func cancelledElsewhere() throws {
    let stage = Stage()
    let a = try #require(stage.child(of: stage.root, "a"))
    let cancelled = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [future = a.future] in
      future.cancel()
      cancelled.signal()
    }
    // The main thread, where the coordinator would hear of it, comes first with a result.
    cancelled.waitForIt()
    a.finish(1)
    #expect(a.future.error == CoordinatorCancelled() && stage.ends == ["a cancelled"])
    #expect(stage.navigator.coordinators == ["root"] && stage.reports.isEmpty)
  }
}

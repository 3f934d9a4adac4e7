import Coordinators
import Futures
import Testing

/// Screens shown in `start()` are placed like screens shown later, for every placement.
@MainActor
@Suite("Start of a coordinator")
struct StartTests {
  @Test("a modal presented in start covers all screens of the coordinator")
  func modalInStartCoversAllScreens() {
    let stage = Stage {
      $0.push(.screen(.first))
      $0.present(.screen(.second))
      $0.push(.screen(.third))
    }
    #expect(stage.tree == "#0[#1 first, #2 third] ^ #3 second" && stage.reports.isEmpty)
    let early = Stage {
      $0.present(.screen(.second))
      $0.push(.screen(.first))
    }
    #expect(early.tree == "#0[#1 first] ^ #2 second" && early.reports.isEmpty)
    #expect(early.navigator.navigation?.front.owner == "root")
  }

  @Test("a modal presented in start covers the topmost screen on the parent's stack")
  func modalInStartCoversTopmostScreen() {
    let stage = Stage()
    stage.child(
      of: stage.root, "a",
      onStart: {
        $0.push(.screen(.second))
        $0.present(.screen(.third))
      })
    #expect(stage.tree == "#0[#1 first, #2 second ^ #3 third]" && stage.reports.isEmpty)
    #expect(stage.navigator.coordinators == ["root", "root/a"])
  }

  @Test("a second modal presented in start is dropped with its coordinator and reported")
  func secondModalInStartIsReported() {
    let stage = Stage { _ in }
    stage.navigator.start("other") { (context: CoordinatorContext<Plain, Int>) in
      Stage.Actor(context) {
        $0.push(.screen(.first))
        stage.child(of: $0, "one", .modal)
        stage.child(of: $0, "two", .modal, onStart: { $0.push(.screen(.third)) })
      }
    }
    #expect(stage.navigator.navigation?.front.owner == "other/one")
    #expect(stage.reports.contains(.presentedTwice("other")) && stage.ends.contains("two cancelled"))
    #expect(!stage.ends.contains { $0.hasPrefix("one") })
    #expect(stage.navigator.coordinators == ["other", "other/one"])
  }

  @Test("a pushed node keeps its modal below a modal presented in start")
  func pushedNodeKeepsItsModal() {
    let stage = Stage {
      $0.push(Node.tabs([.tab("x", .screen(.first))]).presenting(.screen(.second)))
      $0.present(.screen(.third))
    }
    #expect(stage.tree == "#0[#1{*x: #2 first} ^ #3 second] ^ #4 third" && stage.reports.isEmpty)
  }

  @Test("presenting over an empty stack in start shows nothing and is reported")
  func presentingOverNothingIsReported() {
    let stage = Stage()
    stage.child(of: stage.root, "a", onStart: { $0.present(.screen(.third)) })
    #expect(stage.reports == [.startedWithoutScreens("root/a")] && stage.tree == "#0[#1 first]")
  }
}

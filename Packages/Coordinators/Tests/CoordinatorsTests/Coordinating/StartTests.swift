import Coordinators
import Futures
import Testing

/// What a coordinator shows in `start()` is as it would be afterwards, wherever it is put.
@MainActor
@Suite("A coordinator that starts")
struct StartTests {
  @Test("may present something over all that it shows, before or after it")
  func presents() {
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

  @Test("presents it over its uppermost screen when it is put on its parent's stack")
  func presentsOnStack() {
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

  @Test("presents one modal: a second one is dropped and reported, and who is in it is gone")
  func twoModals() {
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

  @Test("keeps both modals when one is of what it has pushed")
  func modalOfItsOwn() {
    let stage = Stage {
      $0.push(Blueprint.tabs([.tab("x", .screen(.first))]).presenting(.screen(.second)))
      $0.present(.screen(.third))
    }
    #expect(stage.tree == "#0[#1{*x: #2 first} ^ #3 second] ^ #4 third" && stage.reports.isEmpty)
  }

  @Test("and presents something over nothing has shown nothing")
  func presentsOverNothing() {
    let stage = Stage()
    stage.child(of: stage.root, "a", onStart: { $0.present(.screen(.third)) })
    #expect(stage.reports == [.startedWithoutScreens("root/a")] && stage.tree == "#0[#1 first]")
  }
}

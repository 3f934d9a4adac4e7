import Coordinators
import Foundation
import Futures
import Testing

/// The flows of the talk and its drawing.
@MainActor
@Suite("The dictionary app of the talk")
struct DictionaryTests {
  private func loggedIn() -> App {
    let app = App()
    app.act(.logIn("ayaka"))
    return app
  }

  @Test("begins with the log-in, then shows the words in one batch without a flash")
  func beginsLogThenShows() {
    let app = App()
    #expect(app.front == .logIn)
    app.act(.logIn("ayaka"))
    #expect(app.front == .words && app.application?.user == "ayaka")
    #expect(app.batches == 2 && app.violations.isEmpty && app.reports.isEmpty)
    #expect(
      app.running == [
        "application", "application/dictionary", "application/dictionary/words", "application/dictionary/phrases",
      ])
  }

  @Test("signs up over the log-in, and both end with the name")
  func signsUpOverLog() {
    let app = App()
    app.act(.signUp)
    #expect(app.front == .signUp)
    app.act(.logIn("soroush"))
    #expect(app.front == .words && app.application?.user == "soroush" && app.violations.isEmpty)
    #expect(app.reports.isEmpty)
  }

  @Test("goes back to the log-in when the sign-up is swiped away")
  func goesBackLogWhen() {
    let app = App()
    app.act(.signUp)
    app.person { $0.dismissModal() }
    #expect(app.front == .logIn && app.running == ["application", "application/log in"] && app.violations.isEmpty)
  }

  @Test("a double tap pushes once, and says that the second was too late")
  func doubleTapPushesOnce() throws {
    let app = loggedIn()
    let list = try #require(app.navigation?.front.id)
    app.act(.select("fiets"), from: list)
    app.act(.select("fiets"), from: list)
    #expect(app.front == .word("fiets") && app.navigation?.frontStack?.children.count == 2)
    #expect(app.reports == [.lateAction(list)])
  }

  @Test("a double tap starts one search")
  func doubleTapStartsOne() throws {
    let app = loggedIn()
    app.isQuick = false
    let list = try #require(app.navigation?.front.id)
    app.act(.search, from: list)
    app.act(.search, from: list)
    app.catchUp()
    #expect(app.navigation?.frontStack?.children.count == 2 && app.violations.isEmpty)
  }

  @Test("search finds a word inside words, and leaves in the same batch")
  func searchFindsWordInside() {
    let app = loggedIn()
    app.act(.search)
    let before = app.batches
    app.act(.select("gezellig"))
    #expect(app.front == .word("gezellig") && app.navigation?.frontStack?.children.count == 2)
    #expect(app.batches == before + 1 && app.violations.isEmpty)
  }

  @Test("a search that is swiped away is gone at once")
  func searchSwipedAwayGone() {
    let app = loggedIn()
    app.act(.search)
    app.person { $0.swipeBack() }
    #expect(app.front == .words && app.running.count == 4 && app.violations.isEmpty)
  }

  @Test("logging out ends everything below, from leaf to root, and shows the log-in in one batch")
  func loggingOutEndsEverything() {
    let app = loggedIn()
    app.act(.search)
    app.person { $0.swipeBack() }
    let before = app.batches
    app.act(.logOut)
    #expect(app.front == .logIn && app.batches == before + 1)
    #expect(app.running == ["application", "application/log in"] && app.violations.isEmpty)
    #expect(app.reports.isEmpty)
  }

  @Test("a link's target makes the coordinators that it needs")
  func linksTargetMakesCoordinators() {
    let app = App()
    let dictionary = CoordinatorID("application/dictionary")
    let words = Blueprint<DictionaryScreen>.stack([.screen(.words), .screen(.word("brood"))]).owned(
      by: dictionary.child("words"))
    let phrases = Blueprint<DictionaryScreen>.stack([.screen(.phrases)]).owned(by: dictionary.child("phrases"))
    let target = Blueprint.tabs([.tab("words", words), .tab("phrases", phrases)]).owned(by: dictionary)
    app.apply(.show(target))
    #expect(app.front == .word("brood") && app.violations.isEmpty && app.reports.isEmpty)
    let batches = app.batches
    app.apply(.show(target))
    #expect(app.batches == batches)
    app.act(.select("x"))
    app.act(.logOut)
    #expect(app.front == .logIn && app.violations.isEmpty)
  }

  @Test("a restored navigation gets its coordinators back")
  func restoredNavigationGetsCoordinators() throws {
    let first = loggedIn()
    first.act(.search)
    let saved = try #require(first.navigation).archived()
    let second = App(restoring: Restoration<DictionaryScreen>(archive: saved).navigation)
    #expect(second.front == .search && second.violations.isEmpty && second.reports.isEmpty)
    second.act(.select("brood"))
    #expect(second.front == .word("brood") && second.running.count == 4 && second.violations.isEmpty)
  }

  @Test("screens that nobody adopts are shown and reported")
  func screensNobodyAdoptsAre() {
    let app = App()
    app.apply(.show(.screen(.search).owned(by: "application/stranger")))
    #expect(app.front == .search && app.reports == [.notRestored("application/stranger")])
    app.act(.done)
    #expect(app.reports.last == .notRestored("application/stranger"))
  }

  @Test("nothing is left when the navigator goes")
  func nothingLeftWhenNavigator() {
    let app = loggedIn()
    #expect(app.census.alive == 4)
    app.end()
    #expect(app.census.alive == 0)
  }
}

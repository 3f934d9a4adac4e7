import Coordinators
import Foundation
import Futures
import Testing

@MainActor
@Suite("The dictionary app of the talk")
struct DictionaryTests {
  private func loggedIn() -> App {
    let app = App()
    app.act(.logIn("ayaka"))
    return app
  }

  @Test("the app starts with the log-in and then shows the words in one update, without an intermediate screen")
  func logInLeadsToWordsInOneUpdate() {
    let app = App()
    #expect(app.front == .logIn)
    app.act(.logIn("ayaka"))
    #expect(app.front == .words && app.application?.user == "ayaka")
    #expect(app.updates == 2 && app.violations.isEmpty && app.reports.isEmpty)
    #expect(
      app.running == [
        "application", "application/dictionary", "application/dictionary/words", "application/dictionary/phrases",
      ])
  }

  @Test("the sign-up is shown over the log-in, and both finish with the name")
  func signUpFinishesLogIn() {
    let app = App()
    app.act(.signUp)
    #expect(app.front == .signUp)
    app.act(.logIn("soroush"))
    #expect(app.front == .words && app.application?.user == "soroush" && app.violations.isEmpty)
    #expect(app.reports.isEmpty)
  }

  @Test("a double tap pushes once, and the second tap is reported as late")
  func doubleTapPushesOnce() throws {
    let app = loggedIn()
    let list = try #require(app.navigation?.front.id)
    app.act(.select("fiets"), from: list)
    app.act(.select("fiets"), from: list)
    #expect(app.front == .word("fiets") && app.navigation?.frontStack?.children.count == 2)
    #expect(app.reports == [.lateAction(list)])
  }

  @Test("selecting a search result shows the word and closes the search in one update")
  func selectingResultClosesSearch() {
    let app = loggedIn()
    app.act(.search)
    let before = app.updates
    app.act(.select("gezellig"))
    #expect(app.front == .word("gezellig") && app.navigation?.frontStack?.children.count == 2)
    #expect(app.updates == before + 1 && app.violations.isEmpty)
  }

  @Test("logging out ends every coordinator from leaf to root and shows the log-in in one update")
  func logOutEndsEveryCoordinator() {
    let app = loggedIn()
    app.act(.search)
    app.person { $0.swipeBack() }
    let before = app.updates
    app.act(.logOut)
    #expect(app.front == .logIn && app.updates == before + 1)
    #expect(app.running == ["application", "application/log in"] && app.violations.isEmpty)
    #expect(app.reports.isEmpty)
  }

  @Test("showing a link's target creates the required coordinators")
  func linkCreatesCoordinators() {
    let app = App()
    let dictionary = CoordinatorID("application/dictionary")
    let words = Node<DictionaryScreen>.stack([.screen(.words), .screen(.word("brood"))]).owned(
      by: dictionary.child("words"))
    let phrases = Node<DictionaryScreen>.stack([.screen(.phrases)]).owned(by: dictionary.child("phrases"))
    let target = Node.tabs([.tab("words", words), .tab("phrases", phrases)]).owned(by: dictionary)
    app.apply(.show(target))
    #expect(app.front == .word("brood") && app.violations.isEmpty && app.reports.isEmpty)
    let updates = app.updates
    app.apply(.show(target))
    #expect(app.updates == updates)
    app.act(.select("x"))
    app.act(.logOut)
    #expect(app.front == .logIn && app.violations.isEmpty)
  }

  @Test("restoring a navigation restores its coordinators")
  func restoringNavigationRestoresCoordinators() throws {
    let first = loggedIn()
    first.act(.search)
    let saved = try #require(first.navigation).archived()
    let second = App(restoring: try Navigation(archive: saved))
    #expect(second.front == .search && second.violations.isEmpty && second.reports.isEmpty)
    second.act(.select("brood"))
    #expect(second.front == .word("brood") && second.running.count == 4 && second.violations.isEmpty)
  }

  @Test("the root coordinator opens a link: an existing screen becomes visible, and another one is pushed")
  func rootOpensLinks() {
    let stage = Stage()
    stage.navigator.open(.second)
    stage.navigator.open(.third)
    #expect(stage.tree == "#0[#1 first, #2 second, #3 third]")
    stage.navigator.open(.second)
    #expect(stage.tree == "#0[#1 first, #2 second]" && stage.reports.isEmpty)
    stage.root.popToRoot()
    #expect(stage.tree == "#0[#1 first]")
    stage.root.setStack([.first, .third])
    #expect(stage.tree == "#0[#1 first, #4 third]" && stage.reports.isEmpty)
    stage.root.finish(1)
    stage.navigator.open(.second)
    #expect(stage.reports.last == .notRunning("root"))
  }

  @Test("an action that a coordinator does not implement is reported")
  func actionWithoutReceiveIsReported() throws {
    let stage = Stage()
    stage.navigator.send(.go, from: try #require(stage.navigator.navigation?.front.id))
    #expect(stage.reports == [.notReceived("root", action: "Action")])
  }

  @Test("releasing the navigator releases every coordinator")
  func releasingNavigatorReleasesCoordinators() {
    let app = loggedIn()
    #expect(app.census.alive == 4)
    app.end()
    #expect(app.census.alive == 0)
  }
}

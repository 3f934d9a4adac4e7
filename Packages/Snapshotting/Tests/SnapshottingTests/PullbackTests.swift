import Dispatch
import Foundation
import Parallel
import ParallelTesting
import Snapshotting
import TestSupport
import Testing

@Suite("pullback is contravariant")
struct PullbackLawTests {
  private let strategies = Generator<PureFunction<Int, String>>.function(from: Int.self, to: .string)
  private let functions = Generator<PureFunction<Int, Int>>.function(from: Int.self, to: .int(in: -9...9))
  private let values = Generator<Int>.int(in: -9...9)

  /// A strategy that shows numbers by a function.
  private func strategy(_ show: PureFunction<Int, String>) -> Snapshotting<Int, String> {
    Snapshotting(pathExtension: "number", diffing: .lines) { show($0) }
  }

  @Test("identity: a pullback along the identity changes nothing")
  func identity() throws {
    try checkProperty("s.pullback(id) = s", strategies, values) { show, value in
      taken(value, as: strategy(show).pullback { $0 }) == taken(value, as: strategy(show))
    }
  }

  @Test("composition: two pullbacks are one pullback along the composed function")
  func composition() throws {
    try checkProperty("s.pullback(f).pullback(g) = s.pullback(f ∘ g)", strategies, functions, functions, values) {
      show, f, g, value in
      taken(value, as: strategy(show).pullback { f($0) }.pullback { g($0) })
        == taken(value, as: strategy(show).pullback { f(g($0)) })
    }
  }

  @Test("asyncPullback along a synchronous function is pullback")
  func asyncPullbackOfPure() throws {
    try checkProperty("s.asyncPullback(value ∘ f) = s.pullback(f)", strategies, functions, values) { show, f, value in
      taken(value, as: strategy(show).asyncPullback { Parallel(value: f($0)) })
        == taken(value, as: strategy(show).pullback { f($0) })
    }
  }

  @Test("pullback keeps the path extension and the diffing")
  func parts() throws {
    let strategy = Snapshotting<Int, String>(pathExtension: "number", diffing: .lines) { "\($0)" }
      .pullback { (text: String) in text.count }
      .asyncPullback { (texts: [String]) in Parallel(value: texts.joined()) }
    #expect(strategy.pathExtension == "number")
    #expect(strategy.diffing.diff("a", "b") != nil)
    #expect(strategy.diffing.diff("a", "a") == nil)
  }
}

/// A class of the main actor, like a view.
@MainActor private final class Screen {
  var title = "Birds"
  var reads = 0

  func read() -> String {
    reads += 1
    return title
  }
}

private final class Draft {
  var text = "draft"
}

extension Snapshotting where Value == Draft, Format == String {
  /// A strategy in a static constant in mode 6.
  fileprivate static let text = Snapshotting<String, String>.lines.pullback { (draft: Draft) in draft.text }
}

extension Snapshotting where Value == Screen, Format == String {
  /// A constant has no isolation, so its closure declares its actor.
  fileprivate static let title = SimplySnapshotting.lines.pullback { @MainActor (screen: Screen) in screen.read() }
}

@Suite("Strategies and actors")
struct IsolationTests {
  @Test("in language mode 6 a static constant can hold a strategy for a type that is not Sendable")
  func staticConstant() {
    #expect(taken(Draft(), as: .text) == "draft")
  }

  @Test("a pullback that is formed on the main actor reads its members, synchronously on the main thread")
  @MainActor func mainActor() {
    #expect(taken(Screen(), as: SimplySnapshotting.lines.pullback { $0.title }) == "Birds")
    #expect(taken(Screen(), as: .title) == "Birds")
  }

  @Test("a pullback that is formed on the main actor runs there, also from another thread")
  func goesHome() async throws {
    let screen = Screen()
    #expect(try await Snapshotting.title.snapshot(screen).value() == "Birds")
    #expect(await screen.reads == 1)
  }

  @Test("every form of closure runs on the actor on which it is formed")
  @MainActor func allForms() async throws {
    let screen = Screen()
    let strategies: [Snapshotting<Screen, String>] = [
      Snapshotting(pathExtension: nil, diffing: .lines) { (screen: Screen) -> String in screen.read() },
      Snapshotting(diffing: .lines, pathExtension: nil) { (screen: Screen) -> String in screen.read() },
      Snapshotting(pathExtension: nil, diffing: .lines) { screen -> Parallel<String> in
        Parallel { callback in callback(screen.read()) }
      },
      Snapshotting(diffing: .lines, pathExtension: nil) { screen -> Parallel<String> in Parallel(value: screen.read())
      },
      Snapshotting(pathExtension: nil, diffing: .lines) { screen, _ in Parallel(value: screen.read()) },
      Snapshotting<String, String>.lines.asyncPullback { Parallel(value: $0.read()) },
    ]
    for strategy in strategies {
      let elsewhere = strategy.snapshot(screen).start(on: DispatchQueue(label: "elsewhere"))
      #expect(try await elsewhere.value() == "Birds")
    }
    #expect(screen.reads == strategies.count)
  }

  @Test("a closure of an actor can use the state of the actor")
  func customActor() async throws {
    #expect(try await Aviary().strategy().snapshot(2).value() == "Swift")
  }

  private actor Aviary {
    private let names = ["Puffin", "Owl", "Swift"]
    func strategy() -> Snapshotting<Int, String> { SimplySnapshotting.lines.pullback { self.names[$0] } }
  }

  @Test("nothing happens before the run, and each run takes a new snapshot")
  @MainActor func cold() {
    let screen = Screen()
    let snapshot = Snapshotting.title.snapshot(screen)
    #expect(screen.reads == 0)
    snapshot.run { _ in }
    snapshot.run { _ in }
    #expect(screen.reads == 2)
  }
}

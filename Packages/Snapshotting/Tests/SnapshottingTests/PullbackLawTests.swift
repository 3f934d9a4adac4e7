import Foundation
import Parallel
import TestSupport
import Snapshotting
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

  @Test("asyncPullback composes like flatMap, also for later values")
  func asyncComposition() async throws {
    try await checkProperty(
      "s.asyncPullback(f).asyncPullback(g) = s.asyncPullback(g >=> f)", strategies, functions, functions, values
    ) {
      show, f, g, value in
      let later: @Sendable (Int) -> Parallel<Int> = { number in
        Parallel { callback in
          DispatchQueue.global().async { callback(f(number)) }
        }
      }
      let nested = strategy(show).asyncPullback(later).asyncPullback { Parallel(value: g($0)) }
      let composed = strategy(show).asyncPullback { Parallel(value: g($0)).flatMap(later) }
      let (left, right) = (try await nested.snapshot(value).value(), try await composed.snapshot(value).value())
      return left == right
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

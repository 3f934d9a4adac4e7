import Foundation
import Parallel
import Snapshotting
import Testing

private enum Direction: String, CaseIterable {
  case up, down, left, right
  var rotatedLeft: Direction {
    switch self {
    case .up: .left
    case .down: .right
    case .left: .down
    case .right: .up
    }
  }
}

private enum Refusal: Error, CustomStringConvertible {
  case tooShort(by: Int)
  var description: String { "It is too short." }
}

@Suite("Functions and results")
struct CollectionTests {
  @Test("func(into:) shows a row for each case of the input")
  func functions() {
    let strategy = Snapshotting<Direction, String>.func(into: Snapshotting<Direction, String>.description)
    #expect(
      taken({ $0.rotatedLeft }, as: strategy)
        == "\"up\",\"left\"\n\"down\",\"right\"\n\"left\",\"down\"\n\"right\",\"up\"")
    #expect(strategy.pathExtension == "csv")
  }

  @Test("func(into:) keeps the order of asynchronous results")
  func slowFunctions() async throws {
    let slow = SimplySnapshotting<String>.lines.asyncPullback { (direction: Direction) in
      Parallel<String> { callback in DispatchQueue.global().async { callback(direction.rawValue) } }
    }
    let strategy = Snapshotting<Direction, String>.func(into: slow)
    let text = try await strategy.snapshot { $0 }.value()
    #expect(text.split(separator: "\n").map { $0.prefix(3) } == ["\"up", "\"do", "\"le", "\"ri"])
  }

  @Test("results and thrown errors are labelled as success or failure")
  func results() {
    func length(_ result: Result<Int, any Error>) -> String? { taken(result, as: .result(.readable)) }
    #expect(length(.success(3)) == "success:\n3")
    #expect(length(.failure(Refusal.tooShort(by: 2))) == "failure:\nRefusal: It is too short.\n.tooShort(by: 2)")
    #expect(
      taken(Result<Int, Refusal>.failure(.tooShort(by: 1)), as: .result(.readable, .readable))
        == "failure:\n.tooShort(by: 1)")
    let refusing: () throws -> Int = { throw CancellationError() }
    #expect(taken(refusing, as: .thrown(.readable)) == "failure:\nCancellationError: CancellationError()")
  }
}

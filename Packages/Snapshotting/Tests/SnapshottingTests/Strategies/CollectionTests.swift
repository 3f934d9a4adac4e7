import Foundation
import Parallel
import ParallelTesting
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

private struct Bird: Sendable {
  var name: String
  var length: Int?
}

private enum Refusal: Error, CustomStringConvertible {
  case tooShort(by: Int)
  var description: String { "It is too short." }
}

@Suite("Functions, results, tables and sequences")
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

  @Test("a table has aligned columns, and no line ends in a space")
  func table() {
    let columns: [SnapshotColumn<Bird>] = [.init("Name") { $0.name }, .init("Length") { $0.length }]
    #expect(
      taken([Bird(name: "Owl", length: 35), Bird(name: "A\nB", length: nil)], as: .table(columns)) == """
        Name  Length
        ----  ------
        Owl   35
        A⏎B
        """)
  }

  @Test("a timeline has a line for each element, and for the end")
  func timeline() async throws {
    let clock = ManualClock()
    let stream = AsyncStream<Int> { continuation in
      continuation.yield(1)
      clock.schedule(after: .seconds(2)) {
        continuation.yield(2)
        continuation.finish()
      }
    }
    let strategy = Snapshotting<AsyncStream<Int>, String>.timeline(of: .readable)
    async let text = strategy.snapshot(stream).value()
    clock.advance(by: .seconds(2))
    #expect(try await text == "1\n2\nfinished")
  }

  @Test("the elements of a timeline have times of a clock")
  func timedTimeline() async throws {
    let clock = ManualClock()
    let elements = AsyncStream<Int>(unfolding: {
      clock.advance(by: .seconds(1))
      return clock.now < .zero.advanced(by: .seconds(3)) ? 7 : nil
    })
    let strategy = Snapshotting<AsyncStream<Int>, String>.timeline(of: .readable, on: clock)
    #expect(try await strategy.snapshot(elements).value() == "1.0 seconds: 7\n2.0 seconds: 7\n3.0 seconds: finished")
  }

  @Test("the time of an element is that of its arrival, not of its snapshot")
  func arrivalTimes() async throws {
    let clock = ManualClock()
    let slow = SimplySnapshotting.lines.asyncPullback { (number: Int) in
      Parallel<String> {
        clock.advance(by: .seconds(1))
        return "\(number)"
      }
    }
    let elements = AsyncStream { continuation in
      continuation.yield(7)
      continuation.yield(8)
      continuation.finish()
    }
    let strategy = Snapshotting<AsyncStream<Int>, String>.timeline(of: slow, on: clock)
    #expect(
      try await strategy.snapshot(elements).value()
        == "0.0 seconds: 7\n1.0 seconds: 8\n2.0 seconds: finished")
  }

  @Test("a timeline stops an endless sequence, and shows the error of a sequence that throws")
  func ends() async throws {
    let endless = AsyncStream<Int>(unfolding: { 1 })
    #expect(
      try await Snapshotting.timeline(of: .readable, upTo: 2).snapshot(endless).value() == "1\n1\nstopped after 2")
    let throwing = AsyncThrowingStream<Int, any Error>(unfolding: { throw Refusal.tooShort(by: 1) })
    #expect(try await Snapshotting.timeline(of: .readable).snapshot(throwing).value() == "threw It is too short.")
  }
}

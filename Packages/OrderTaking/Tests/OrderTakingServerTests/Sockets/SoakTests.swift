import Foundation
import ParallelTesting
import Testing

@Suite("The soak, small") struct SoakTests {
  private func soak(_ arguments: String...) async throws -> ChildProcess.Outcome { try await soak(arguments) }

  private func soak(_ arguments: [String]) async throws -> ChildProcess.Outcome {
    try await ChildProcess(
      ChildProcess.path(besideTests: "OrderTakingSoak"), arguments,
      environment: ["SWIFT_BACKTRACE": "enable=no", "TMPDIR": NSTemporaryDirectory()]
    ).outcome()
  }

  @Test(
    "drivers that are killed again and again agree with a server that fails again and again",
    .timeLimit(.minutes(5)))
  func small() async throws {
    let outcome = try await soak("--orders", "60", "--clients", "6", "--kills", "5", "--seed", "7")
    #expect(outcome.status == 0, "\(outcome.output)")
    // As many as there is time for: the first one comes before a sixth of the orders is settled.
    let kills = try #require(outcome.output.firstMatch(of: #/(\d+) kills/#)).1
    #expect(Int(kills).map((1...5).contains) == true)
    #expect(outcome.output.contains("server and journals agree on every order"))
  }

  @Test(
    "says what is wrong with its line",
    arguments: [["--orders"], ["--orders", "0"], ["--orders", "many"], ["--order", "1"]])
  func usage(arguments: [String]) async throws {
    #expect(try await soak(arguments).status == 64)
  }

  @Test("does not start without faults that can be read") func faults() async throws {
    #expect(try await soak("--faults", "nonsense").status == 2)
  }
}

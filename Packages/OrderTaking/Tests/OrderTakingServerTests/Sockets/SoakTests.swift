import Foundation
import TestSupport
import Testing

@Suite("A small soak test") struct SoakTests {
  private func soak(_ arguments: String...) async throws -> ChildProcess.Outcome { try await soak(arguments) }

  private func soak(_ arguments: [String]) async throws -> ChildProcess.Outcome {
    try await ChildProcess(
      ChildProcess.path(besideTests: "OrderTakingSoak"), arguments,
      environment: ["SWIFT_BACKTRACE": "enable=no", "TMPDIR": NSTemporaryDirectory()]
    ).outcome()
  }

  @Test(
    "the journals of drivers that are killed repeatedly agree with a server that simulates faults",
    .timeLimit(.minutes(5)))
  func small() async throws {
    let outcome = try await soak("--orders", "60", "--clients", "6", "--kills", "5", "--seed", "7")
    #expect(outcome.status == 0, "\(outcome.output)")
    // The first kill comes before a sixth of the orders has a result. Later ones may come too late.
    let kills = try #require(outcome.output.firstMatch(of: #/(\d+) kills/#)).1
    #expect(Int(kills).map((1...5).contains) == true)
    #expect(outcome.output.contains("server and journals agree on every order"))
  }

  @Test(
    "the soak test exits with code 64 for an invalid option, and the error says what to do",
    arguments: [
      (["--orders"], "Cannot read --orders: it needs a value."),
      (["--orders", "0"], "Cannot use the value 0 of --orders: it is not a number from 1 to 100000."),
      (["--orders", "many"], "Cannot use the value many of --orders: it is not a number from 1 to 100000."),
      (["--order", "1"], "Cannot read --order: it is not an option."),
    ])
  func usage(arguments: [String], error: String) async throws {
    let outcome = try await soak(arguments)
    #expect(outcome.status == 64 && outcome.errors == "error: \(error) See Scripts/stress --help.\n", "\(outcome)")
  }

  @Test("the soak test does not start if it cannot create its folder") func folder() async throws {
    let outcome = try await soak("--folder", "/dev/null/soak")
    #expect(outcome.status == 64 && outcome.errors.hasPrefix("error: Cannot create the folder /dev/null/soak: "))
    #expect(outcome.errors.hasSuffix(" Use --folder with another path.\n"))
  }

  @Test("the soak test does not start with invalid faults") func faults() async throws {
    #expect(try await soak("--faults", "nonsense").status == 2)
  }
}

import Foundation
import Testing

@Suite("The soak, small") struct SoakTests {
  @Test(
    "drivers that are killed again and again agree with a server that fails again and again",
    .timeLimit(.minutes(5)))
  func small() async throws {
    let outcome = try await Program.run(
      "OrderTakingSoak", "--orders", "60", "--clients", "6", "--kills", "5", "--seed", "7")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("5 kills"))
    #expect(outcome.output.contains("server and journals agree on every order"))
  }

  @Test(
    "says what is wrong with its line",
    arguments: [["--orders"], ["--orders", "0"], ["--orders", "many"], ["--order", "1"]])
  func usage(arguments: [String]) async throws {
    #expect(try await Program.run("OrderTakingSoak", arguments).status == 64)
  }

  @Test("does not start without faults that can be read") func faults() async throws {
    #expect(try await Program.run("OrderTakingSoak", "--faults", "nonsense").status == 2)
  }
}

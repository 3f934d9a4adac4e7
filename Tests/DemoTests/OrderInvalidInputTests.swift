import Foundation
import Loopback
import OrderTaking
import OrderTakingServer
import TestSupport
import Testing

@testable import Demo

@Suite("Order commands with invalid options, servers and files", .timeLimit(.minutes(5)))
struct OrderInvalidInputTests {
  @Test("an invalid command line has exit code 64, and a failure 1, with the next step")
  func failures() async throws {
    let server = ["--server", "http://127.0.0.1:9"]
    for (arguments, status, advice) in [
      (["take", "tour-99"], 1, "no order has this name. See the names with 'demo order list'.\n"),
      (["take", "a/b"], 64, "cannot be a name"),
      (["take", "--token", ""], 64, "expected a text that is not empty"),
      (["take", "--timeout", "0.5"] + server, 1, "Start the server"),
      (["take", "--server", "http://h/?a=b"], 64, "an HTTP URL without user, '?' and '#'"),
      (["resume"], 64, "Add --journal FILE or --database URL"),
      (["status"], 64, "Add --journal FILE or --database URL"),
      (["discard", "7", "--reason", "r"], 64, "Add --journal FILE"),
      (["list", "--state", "lost"], 64, "expected unfinished"),
      (["status", "--journal", "/no/such/file"], 1, "Cannot open the journal /no/such/file: the file does not exist"),
      (["take", "--journal", "/no/such/file"], 1, "Check the path"),
      (["take", "--faults", "lost"], 64, "expected all, or names from lost-response"),
      (["take", "--timeout", "120.5"], 64, "must be at most 120"),
      (["take", "--push", "nowhere"], 64, "such as 127.0.0.1:7001"),
      (["take", "--push", "127.0.0.1:7001"], 64, "'--push' can only be used with '--server'"),
      (["take", "--faults", "all"] + server, 64, "'--faults' and '--server' cannot be used together"),
      (["take", "--seed", "7"], 64, "'--seed' can only be used with '--faults'"),
      (["take", "--ca", "ca.pem"] + server, 64, "'--ca' can only be used with an https URL"),
      (["take", "--database", "d", "--journal", "j"], 64, "'--database' and '--journal' cannot be used together."),
      (["serve", "--state", "/proc/state"], 1, "Check the path, and create its folder"),
      (["serve", "--tls-cert", "a.pem"], 64, "'--tls-cert' and '--tls-key' must be used together."),
      (["serve", "--port", "70000"], 64, "a whole number from 0 to 65535"),
      (["work"], 64, "Add --journal FILE or --database URL"),
      (["simulate", "--count", "0"], 64, "from 1 to 100000000"),
      (["simulate", "--seed", "\(UInt64.max)", "--count", "2"], 64, "Give a smaller '--seed' or '--count'"),
    ] {
      let outcome = try await DemoProcess.start(["order"] + arguments).outcome()
      #expect(outcome.status == status && outcome.errors.contains(advice), "\(arguments): \(outcome)")
    }
  }

  @Test(
    "a malformed connection string is an error, and is not printed",
    arguments: ["take tour-1", "list --state unknown", "status", "work"])
  func malformedAddress(command: String) async throws {
    let words = ["order"] + command.split(separator: " ").map(String.init)
    let outcome = try await DemoProcess.start(words + ["--database", "postgres://me:s3cret@[127.0.0.1/orders"])
      .outcome()
    #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
    #expect(!outcome.errors.contains("s3cret"), "\(outcome)")
  }

  /// Runs a command with a server that responds to the list of orders.
  private func run(_ command: String, _ reply: @escaping @Sendable () -> HTTPReply) async throws
    -> DemoProcess.Outcome
  {
    let server = try await HTTPServer.start(Router { Route(.get, "/orders") { _ in reply() } })
    let words = ["order"] + command.split(separator: " ").map(String.init)
    let outcome = try await DemoProcess.start(words + ["--server", "http://127.0.0.1:\(server.port)"]).outcome()
    await server.stop(grace: .zero)
    return outcome
  }

  @Test(
    "an invalid response to the list of orders is an error with its own advice",
    arguments: [
      (500, "", "the response has status 500"), (401, "", "Give it with --token"), (404, "", "has status 404"),
      (200, "<html>", "the body is not the expected JSON"),
    ])
  func listFailures(status: Int, body: String, advice: String) async throws {
    // A status of 500 is tried again until the timeout.
    for command in ["list"] + (status == 500 ? [] : ["take --timeout 60"]) {
      let outcome = try await run(command) { .response(.text(body, status: HTTPStatus(status))) }
      #expect(outcome.status == 1 && outcome.errors.contains(advice), "\(outcome)")
    }
  }

  @Test("order names are unchanged in JSON, and their direction marks are escaped in text")
  func directionMarksInNames() async throws {
    let names = ["a\u{202E}b", "a\u{200B}b", String(repeating: "x", count: 255)]
    let body = String(decoding: try JSONEncoder().encode(["orders": names]), as: UTF8.self)
    let json = try await run("list --json") { .response(.text(body)) }
    let read = try json.output.split(separator: "\n").map {
      try JSONDecoder().decode([String: String].self, from: Data($0.utf8))["order"]
    }
    #expect(read == names)
    let text = try await run("list") { .response(.text(body)) }
    #expect(text.output.split(separator: "\n").map(String.init) == [#"a\u{202E}b"#, #"a\u{200B}b"#, names[2]])
  }

  @Test("equivalent server URLs name the same server")
  func equivalentServerURLs() throws {
    let names = try [
      "http://h", "HTTP://H:80/", "http://h//", "https://h", "https://H:443", "http://h:81", "http://h/a/",
    ].map { try ServerAddress(argument: $0).name }
    let (plain, secure) = ("http://h:80", "https://h:443")
    #expect(names == [plain, plain, plain, secure, secure, "http://h:81", "http://h:80/a"])
  }

  @Test("serve names the port that is in use")
  func portInUse() async throws {
    let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in .text("") } })
    let outcome = try await DemoProcess.run("order", "serve", "--port", "\(server.port)")
    #expect(outcome.status == 1 && outcome.errors.contains("\(server.port)"), "\(outcome)")
    await server.stop(grace: .zero)
  }
}

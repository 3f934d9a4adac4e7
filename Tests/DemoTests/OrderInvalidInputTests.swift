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
      (["take", "a/b"], 1, "no order has this name. See the names with 'demo order list'.\n"),
      (["take", ".."], 1, "Check the order's name"), (["take", ""], 64, "expected a text that is not empty"),
      (["take", "--token", ""], 64, "expected a text that is not empty"),
      (["take", "--timeout", "0.5"] + server, 1, "Start the server"),
      (["take", "--server", "http://h/?a=b"], 64, "an HTTP URL without user, '?' and '#'"),
      (["take", "--server", "http://ann@h"], 64, "an HTTP URL without user, '?' and '#'"),
      (["resume"], 64, "Add --journal FILE"), (["status"], 64, "Add --journal FILE"),
      (["status", "--journal", "/no/such/file"], 1, "Cannot open the journal /no/such/file: the file does not exist"),
      (["take", "--journal", "/no/such/file"], 1, "Check the path"),
      (["take", "--faults", "lost=7"], 64, "expected all, or a list of chances from 0 to 1"),
      (["take", "--faults", ""], 64, "expected all, or a list of chances from 0 to 1"),
      (["take", "--timeout", "120.5"], 64, "must be at most 120"),
      (["take", "--timeout", "0"], 64, "above 0"),
      (["take", "--push", "nowhere"], 64, "such as 127.0.0.1:7001"),
      (["take", "--push", "127.0.0.1:7001"], 64, "'--push' can only be used with '--server'"),
      (["take", "--faults", "all"] + server, 64, "'--faults' and '--server' cannot be used together"),
      (["take", "--seed", "7"], 64, "'--seed' can only be used with '--faults'"),
      (["take", "--ca", "ca.pem"] + server, 64, "'--ca' can only be used with an https URL"),
      (["take", "--database", "d", "--journal", "j"], 64, "'--database' and '--journal' cannot be used together."),
      (["serve", "--database", "d", "--state", "s"], 64, "'--database' and '--state' cannot be used together."),
      (["serve", "--state", "/proc/state"], 1, "unable to open database file. Check that its folder exists and is"),
      (["serve", "--tls-cert", "a.pem"], 64, "'--tls-cert' and '--tls-key' must be used together."),
      (["serve", "--port", "70000"], 64, "a whole number from 0 to 65535"),
      (["serve", "--orders", "0"], 64, "from 1 to 1000000"),
      (["status", "7", "--database", "d"], 64, "It cannot be used with an order."),
      (["work"], 64, "Add --database URL"),
      (["work", "--database", "d", "--workers", "0"], 64, "a number from 1 to 64"),
      (["simulate", "--count", "0"], 64, "from 1 to 100000000"),
      (["simulate", "--seed", "\(UInt64.max)", "--count", "2"], 64, "Give a smaller '--seed' or '--count'"),
    ] {
      let outcome = try await DemoProcess.start(["order"] + arguments).outcome()
      #expect(outcome.status == status && outcome.errors.contains(advice), "\(arguments): \(outcome)")
    }
  }

  @Test(
    "a malformed connection string is an invalid command line, and is not printed",
    arguments: ["take tour-1", "list", "status", "work", "serve"])
  func malformedAddress(command: String) async throws {
    let words = ["order"] + command.split(separator: " ").map(String.init)
    let outcome = try await DemoProcess.start(words + ["--database", "postgres://me:s3cret@[127.0.0.1/orders"])
      .outcome()
    #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("Cannot use the value of '--database'"), "\(outcome)")
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
    for command in ["list", "take --timeout 1"] {
      let outcome = try await run(command) { .response(.text(body, status: HTTPStatus(status))) }
      #expect(outcome.status == 1 && outcome.errors.contains(advice), "\(outcome)")
    }
  }

  @Test(
    "a response that is not HTTP, or ends inside its header, is an error and does not crash the process",
    arguments: [
      ("220 ready\r\n", "the server does not speak HTTP"), ("HTTP/1.1 200 OK\r\nConte", "the response ended"),
    ])
  func notHTTP(bytes: String, problem: String) async throws {
    let outcome = try await run("list") { .raw(Array(bytes.utf8)) }
    #expect(outcome.status == 1 && outcome.errors.contains(problem), "\(outcome)")
  }

  @Test("order names are unchanged in JSON, and their control characters are escaped in text")
  func controlCharactersInNames() async throws {
    let names = ["a\u{202E}b", "a\u{9B}31mb", "a\nb", String(repeating: "x", count: 3_000)]
    let body = String(decoding: try JSONEncoder().encode(["orders": names]), as: UTF8.self)
    let json = try await run("list --json") { .response(.text(body)) }
    let read = try json.output.split(separator: "\n").map {
      try JSONDecoder().decode([String: String].self, from: Data($0.utf8))["order"]
    }
    #expect(read == names)
    let text = try await run("list") { .response(.text(body)) }
    let lines = text.output.split(separator: "\n").map(String.init)
    #expect(lines == [#"a\u{202E}b"#, #"a\u{9B}31mb"#, #"a\u{A}b"#, names[3]])
  }

  @Test("equivalent server URLs name the same server")
  func equivalentServerURLs() throws {
    let names = try [
      "http://h", "HTTP://H:80/", "http://h//", "https://h", "https://H:443", "http://h:81", "http://h/a/",
    ].map { try ServerAddress(argument: $0).name }
    let (plain, secure) = ("http://h:80", "https://h:443")
    #expect(names == [plain, plain, plain, secure, secure, "http://h:81", "http://h:80/a"])
  }

  @Test("a journal given to serve and a server state given to take are refused by name")
  func journalAndStateSwapped() async throws {
    let files = try OrderFiles()
    try await files.store([])
    let served = try await DemoProcess.start(["order", "serve", "--state", files.journal]).outcome()
    #expect(served.status == 1 && served.errors.contains("it is an order journal"), "\(served)")
    let state = files.folder.appending(path: "state").path
    try OrderStore.sqlite(at: state).close()
    let taken = try await DemoProcess.start(["order", "take", "tour-1", "--journal", state]).outcome()
    #expect(taken.status == 1 && taken.errors.contains("the file is the state of an order server"), "\(taken)")
  }

  @Test("serve names the port that is in use")
  func portInUse() async throws {
    let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in .text("") } })
    let outcome = try await DemoProcess.run("order", "serve", "--port", "\(server.port)")
    #expect(outcome.status == 1 && outcome.errors.contains("\(server.port)"), "\(outcome)")
    await server.stop(grace: .zero)
  }
}

import Foundation
import Loopback
import OrderTaking
import OrderTakingJournal
import OrderTakingServer
import TestSupport
import Testing

@testable import Demo

@Suite("Order commands with invalid servers, files and names", .timeLimit(.minutes(5)))
final class OrderInvalidInputTests: Sendable {
  private let files: OrderFiles

  init() throws { files = try OrderFiles() }

  var folder: URL { files.folder }
  var journal: String { files.journal }

  /// Writes an earlier process's intents into the journal.
  private func writeToJournal(
    _ orders: [String], _ checkpoint: TakingCheckpoint = .begun, isDelivered: Bool = false, server: URL? = nil
  ) async throws {
    let records = orders.enumerated().map { index, order in
      TakingRecord(order, key: UInt64(index), checkpoint, age: .seconds(60 - index), isDelivered: isDelivered)
    }
    try await files.store(records, server: server)
  }

  private func records() throws -> [TakingRecord<String>] { try files.records() }

  private func shared(_ server: OrderServer) -> [String] {
    ["--server", server.url.absoluteString, "--token", "t", "--journal", journal]
  }

  @Test("each failure of an order command has its exit code and suggests the next step")
  func failures() async throws {
    for (arguments, status, advice) in [
      (["take", "tour-99"], 21, "no order has this name. See the names with: demo order list\n"),
      (["take", "a/b"], 21, "the server does not accept this name. See the names with: demo order list\n"),
      (["take", "--token", ""], 64, "Give a token, or omit the option"),
      (["take", "--server", "http://127.0.0.1:9"], 10, "Start the server"),
      (["take", "--server", "http://h/?a=b"], 64, "a URL without '?' and '#'"),
      (["take", "--server", "http://h/#f"], 64, "a URL without '?' and '#'"),
      (["take", "--server", "http://a%20b"], 64, "expected an HTTP URL such as"),
      (["resume"], 64, "Add --journal FILE"), (["status"], 64, "Add --journal FILE"),
      (["status", "--journal", "/no/such/file"], 25, "Cannot open the journal /no/such/file: the file does not exist"),
      (["status", "--journal", String(repeating: "x", count: 300)], 25, "File name too long. Check the path, and the"),
      (["take", "--journal", "/no/such/file"], 25, "Check the path"),
      (["take", "--faults", "lost=7"], 64, "'--faults <spec>': it needs a chance from 0 to 1."),
      (["take", "--timeout", "120.5"], 64, "expected at most 120 seconds"),
      (["take", "--timeout", "0"], 64, "above 0"),
      (
        ["resume", "--journal", "x", "--timeout", "121"], 64, "'demo order resume' finishes an order that is still open"
      ),
      (["take", "--push", "nowhere"], 64, "such as 127.0.0.1:7001"),
      (["serve", "--port", "abc"], 64, "it is not a port from 0 to 65535"),
      (["serve", "--port", "70000"], 64, "it is not a port"), (["serve", "--push-port", "-1"], 64, "--push-port"),
      (["serve", "--orders", "0"], 64, "from 1 to 1000000"), (["simulate", "--count", "0"], 64, "from 1 to 100000000"),
      (["simulate", "--seed", "\(UInt64.max)", "--count", "2"], 64, "Give a smaller '--seed' or '--count'"),
    ] {
      let outcome = try await DemoProcess.start(["order"] + arguments).outcome()
      #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(advice), "\(arguments): \(outcome.errors)")
    }
  }

  @Test("an option without an effect is refused with code 64")
  func unusedOptions() async throws {
    let server = ["--server", "http://127.0.0.1:9"]
    for (arguments, advice) in [
      (["take", "--push", "127.0.0.1:7001"], "'--push' can only be used with '--server'"),
      (["take", "--faults", "all"] + server, "'--faults' and '--server' cannot be used together"),
      (["take", "--seed", "7"], "'--seed' can only be used with '--faults'"),
      (["resume", "--seed", "7"] + server, "can only be used with '--faults'"),
      (["status", "--faults", "all"] + server, "cannot be used together"),
      (["list", "--push", "127.0.0.1:7001"] + server, "--push"),
      (["list", "--journal", journal] + server, "--journal"),
      (["list", "--seed", "7"], "can only be used with '--faults'"),
      (["serve", "--seed", "7"], "can only be used with '--faults'"),
    ] {
      let outcome = try await DemoProcess.start(["order"] + arguments).outcome()
      #expect(outcome.status == 64 && outcome.output.isEmpty, "\(arguments): \(outcome)")
      #expect(outcome.errors.contains(advice), "\(arguments): \(outcome.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: journal))
    let allowed = try await DemoProcess.run("order", "list", "--faults", "503=0.1", "--seed", "7")
    #expect(allowed.status == 0, "\(allowed)")
  }

  @Test("each invalid response to the order list has its exit code and its own advice")
  func listFailures() async throws {
    for (status, body, code, advice) in [
      (500, "", 11, "Look at the server's log, or try again"), (503, "", 11, "Look at the server's log"),
      (429, "", 11, "Try again later"), (401, "", 11, "Give its token with --token"),
      (404, "", 11, "Check the address given with --server"), (200, "<html>", 12, "is not a list of orders"),
    ] {
      let server = try await HTTPServer.start(
        Router { Route(.get, "/orders") { _ in .text(body, status: HTTPStatus(status)) } })
      for command in ["list", "take"] {
        let outcome = try await DemoProcess.run("order", command, "--server", "http://127.0.0.1:\(server.port)")
        #expect(outcome.status == code && outcome.errors.contains(advice), "\(status): \(outcome)")
      }
      await server.stop(grace: .zero)
    }
  }

  @Test("resume reports each outcome immediately, even while an earlier order is open")
  func resumeReportsImmediately() async throws {
    // The timers never fire, so the server decides only orders without a delay.
    let server = try await OrderServer.start(
      .init(
        offers: [OfferedOrder("slow", decidedAfter: .seconds(1)), OfferedOrder("fast", details: "{}")],
        credentials: ["t": "ann"]),
      timers: Timers(schedule: { _, _ in {} }, now: { Moment(sinceEpoch: .zero, sinceBoot: .zero) }))
    try await writeToJournal(["slow", "fast"], server: server.url)
    let process = try DemoProcess.start(["order", "resume", "--timeout", "120"] + shared(server))
    var line = await process.nextLine()
    while let text = line, text != "Order fast is yours: {}" { line = await process.nextLine() }
    #expect(line != nil)
    process.interrupt()
    let outcome = await process.outcome()
    #expect(outcome.status == 130 && outcome.errors.contains("The outcome of order slow is unknown"), "\(outcome)")
    #expect(try records().allSatisfy(\.isDelivered))
    await server.stop(grace: .zero)
  }

  @Test("take exits with code 16 if it cannot print the result, and resume reports the result")
  func unwrittenResult() async throws {
    let full = try await DemoProcess.bash("$demo order take tour-1 --journal '\(journal)' > /dev/full")
    #expect(full.status == 16 && full.errors.hasPrefix("Error: Cannot write to standard output: "), "\(full)")
    #expect(full.errors.contains(" Outcome: Order tour-1 is yours: {"), "\(full)")
    #expect(try records().map(\.isDelivered) == [false])
    let declined = try await DemoProcess.bash("$demo order take tour-3 --json --journal '\(journal)' > /dev/full")
    #expect(declined.status == 16, "\(declined)")
    let resumed = try await DemoProcess.run("order", "resume", "--journal", journal)
    #expect(resumed.status == 20 && resumed.output.contains("Order tour-1 is yours"), "\(resumed)")
    #expect(resumed.errors.contains("Order tour-3 was declined"), "\(resumed)")
    #expect(try await DemoProcess.run("order", "resume", "--journal", journal).output.contains("Nothing to resume"))
  }

  @Test("a journal is not used with another server", arguments: ["take", "resume", "status"])
  func journalOfOtherServer(command: String) async throws {
    let server = try await OrderServer.start(.init(offers: [OfferedOrder("7")], credentials: ["t": "ann"]))
    #expect(try await DemoProcess.start(["order", "take", "7"] + shared(server)).outcome().status == 0)
    let order = command == "resume" ? [] : ["7"]
    for other in [[], ["--server", "http://127.0.0.1:9"]] {
      let outcome = try await DemoProcess.start(["order", command] + order + other + ["--journal", journal]).outcome()
      #expect(outcome.status == 25 && outcome.errors.contains("holds orders of http://127.0.0.1:"), "\(outcome)")
      #expect(outcome.errors.contains("demo order repair --journal"), "\(outcome)")
    }
    // An equivalent URL names the same server.
    let same = ["--server", server.url.absoluteString.uppercased() + "/", "--token", "t", "--journal", journal]
    #expect(try await DemoProcess.start(["order", command] + order + same).outcome().status == 0)
    await server.stop(grace: .zero)
  }

  @Test("equivalent server URLs name the same server")
  func equivalentServerURLs() throws {
    let names = try [
      "http://h", "HTTP://H:80/", "http://me:secret@h//", "https://h", "https://H:443", "http://h:81", "http://h/a/",
    ].map { try ServerAddress(argument: $0).name }
    let (plain, secure) = ("http://h:80", "https://h:443")
    #expect(names == [plain, plain, plain, secure, secure, "http://h:81", "http://h:80/a"])
  }

  @Test("serve exits if it cannot print its address, and serve --quiet prints nothing else")
  func serveAnnouncesAddress() async throws {
    let full = try await DemoProcess.bash("$demo order serve > /dev/full")
    #expect(full.status == 16 && full.errors.contains("Cannot write to standard output: No space left"), "\(full)")
    let process = try DemoProcess.start(["order", "serve", "--quiet"])
    let line = try #require(await process.nextLine())
    let address = try #require(line.firstMatch(of: /--server (\S+)/)).1
    #expect(try await DemoProcess.run("order", "list", "--server", String(address)).status == 0)
    process.interrupt()
    let outcome = await process.outcome()
    #expect(outcome.status == 130 && outcome.output == "", "\(outcome)")
  }

  @Test("canonically equivalent names with different bytes are different orders")
  func canonicallyEquivalentNames() async throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let server = try await OrderServer.start(
      .init(
        offers: [OfferedOrder(composed, details: "{}"), OfferedOrder(decomposed, verdict: .decline(reason: "late"))],
        credentials: ["t": "ann"]))
    try await writeToJournal([composed, decomposed], server: server.url)
    let outcome = try await DemoProcess.start(["order", "resume"] + shared(server)).outcome()
    #expect(outcome.status == 20, "\(outcome)")
    #expect(Data(outcome.output.utf8).range(of: Data("Order \(composed) is yours: {}\n".utf8)) != nil)
    #expect(Data(outcome.errors.utf8).range(of: Data("Order \(decomposed) was declined: late".utf8)) != nil)
    let status = try await DemoProcess.start(["order", "status", decomposed] + shared(server)).outcome()
    #expect(status.output.split(separator: "\n").count == 1 && status.output.contains("declined: late"), "\(status)")
    await server.stop(grace: .zero)
  }

  @Test(
    "a response that ends inside its header is an error and does not crash the process", arguments: ["list", "take"])
  func truncatedHeader(command: String) async throws {
    let server = try await HTTPServer.start(
      Router { Route(.get, "/orders") { _ in HTTPReply.raw(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)) } })
    let outcome = try await DemoProcess.run("order", command, "--server", server.url.absoluteString)
    #expect(outcome.status == 10 && outcome.errors.contains("the connection closed"), "\(outcome)")
    await server.stop()
  }

  @Test("a list with endless pages ends at the page limit or at a repeated page", arguments: ["ahead", "again"])
  func endlessList(kind: String) async throws {
    let pages = Locked(0)
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/orders") { _ in
          let page = pages.withLock { pages in
            pages += 1
            return pages
          }
          let next = kind == "ahead" ? String(1_000_000 + page) : "again"
          return .text(#"{"orders":[],"next":"\#(next)"}"#)
        }
      })
    let outcome = try await DemoProcess.run("order", "list", "--server", "http://127.0.0.1:\(server.port)")
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
    #expect(pages.withLock { $0 } == (kind == "ahead" ? 1_000 : 2))
    await server.stop(grace: .zero)
  }

  @Test("order names are unchanged in JSON, and their control characters are escaped in text")
  func controlCharactersInNames() async throws {
    let names = ["a\u{202E}b", "a\u{200B}b", "a\u{9B}31mb", "a\u{2028}b", "a\nb", String(repeating: "x", count: 3_000)]
    let body = String(decoding: try JSONEncoder().encode(["orders": names]), as: UTF8.self)
    let server = try await HTTPServer.start(Router { Route(.get, "/orders") { _ in .text(body) } })
    let address = "http://127.0.0.1:\(server.port)"
    let json = try await DemoProcess.run("order", "list", "--json", "--server", address)
    let lines = json.output.split(separator: "\n")
    let read = try lines.map { try JSONDecoder().decode([String: String].self, from: Data($0.utf8))["order"] }
    #expect(read == names)
    #expect(json.output.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7F).contains($0.value) })
    let text = try await DemoProcess.run("order", "list", "--server", address)
    #expect(
      text.output.split(separator: "\n").map(String.init) == [
        #"a\u{202E}b"#, #"a\u{200B}b"#, #"a\u{9B}31mb"#, #"a\u{2028}b"#, #"a\u{A}b"#, names[5],
      ])
    await server.stop(grace: .zero)
  }

  @Test("a password in the server's URL is not shown in an error")
  func passwordIsNotShown() async throws {
    for (status, body) in [(404, ""), (200, "<html>")] {
      let server = try await HTTPServer.start(
        Router { Route(.get, "/orders") { _ in .text(body, status: HTTPStatus(status)) } })
      let outcome = try await DemoProcess.run(
        "order", "list", "--server", "http://ann:secret@127.0.0.1:\(server.port)")
      #expect(outcome.status == (status == 200 ? 12 : 11) && !outcome.errors.contains("secret"), "\(outcome)")
      await server.stop(grace: .zero)
    }
    let unreachable = try await DemoProcess.run("order", "list", "--server", "http://ann:secret@127.0.0.1:9")
    #expect(unreachable.status == 10 && !unreachable.errors.contains("secret"), "\(unreachable)")
    #expect(URL(string: "http://ann:p%40ss@h:1/x")?.withoutSecrets == "http://h:1/x")
  }

  @Test("a server that does not speak HTTP is reported as such, with the exit code of the command birds")
  func serverWithoutHTTP() async throws {
    let server = try await HTTPServer.start(
      Router { Route(.get, "/orders") { _ in HTTPReply.raw(Array("220 ready\r\n".utf8)) } })
    let address = server.url.absoluteString
    let outcome = try await DemoProcess.run("order", "list", "--server", address)
    #expect(outcome.status == 10)
    #expect(
      outcome.errors.contains("Cannot GET \(address)/orders: the server does not speak HTTP. Check the host"),
      "\(outcome)")
    await server.stop(grace: .zero)
  }

  @Test("a server without TLS behind an https address is reported as such")
  func serverWithoutTLS() async throws {
    let server = try await HTTPServer.start(Router { Route(.get, "/orders") { _ in .text("[]") } })
    let outcome = try await DemoProcess.run("order", "list", "--server", "https://127.0.0.1:\(server.port)")
    #expect(outcome.status == 10)
    #expect(
      outcome.errors.contains(
        "Cannot GET https://127.0.0.1:\(server.port)/orders: the TLS connection failed: the server does not use TLS on this port."
      ),
      "\(outcome)")
    await server.stop(grace: .zero)
  }

  @Test("an order name that no URL can contain is refused before the journal opens", arguments: ["", ".", ".."])
  func invalidOrderNames(name: String) async throws {
    let outcome = try await DemoProcess.run("order", "take", name, "--journal", journal)
    #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("Cannot take order '\(name)': no URL can contain this name."), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: journal))
  }

  @Test("a journal path that is a pipe is refused and creates no file")
  func journalAtPipe() async throws {
    let pipe = folder.appending(path: "pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    for line in [["take", "tour-1", "--journal", pipe], ["serve", "--state", pipe]] {
      let outcome = try await DemoProcess.start(["order"] + line).outcome()
      #expect(outcome.status == 25 && outcome.errors.contains("it is not a regular file"), "\(outcome)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
  }

  @Test("a journal given to serve and a server state given to take are refused by name")
  func journalAndStateSwapped() async throws {
    try await writeToJournal([])
    let served = try await DemoProcess.start(["order", "serve", "--state", journal]).outcome()
    #expect(
      served.status == 25
        && served.errors.contains(
          "it is an order journal. Use another file. A journal belongs to the option --journal of 'demo order take'."),
      "\(served)")
    let state = folder.appending(path: "state").path
    try OrderStore.sqlite(at: state).close()
    let taken = try await DemoProcess.start(["order", "take", "tour-1", "--journal", state]).outcome()
    #expect(
      taken.status == 25 && taken.errors.contains("the file is the state of an order server, and was not changed"),
      "\(taken)")
  }

  @Test("list does not create a missing journal")
  func listCreatesNoJournal() async throws {
    let outcome = try await DemoProcess.run("order", "list", "--journal", journal)
    #expect(
      outcome.status == 25 && outcome.errors.contains("Cannot open the journal \(journal): the file does not exist"),
      "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("serve exits with code 18 if the port is already in use")
  func portInUse() async throws {
    let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in .text("") } })
    let outcome = try await DemoProcess.run("order", "serve", "--port", "\(server.port)")
    #expect(outcome.status == 18 && outcome.errors.contains("\(server.port)"), "\(outcome)")
    await server.stop(grace: .zero)
  }

  @Test("a journal path that is not a file path is refused", arguments: [":memory:", "file:takings"])
  func journalIsNotAFile(path: String) async throws {
    let outcome = try await DemoProcess.run("order", "take", "tour-1", "--journal", path)
    #expect(outcome.status == 25 && outcome.errors.contains("SQLite does not read this as a file name"), "\(outcome)")
  }
}

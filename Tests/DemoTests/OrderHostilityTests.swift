import Foundation
import Loopback
import OrderTaking
import OrderTakingJournal
import OrderTakingServer
import ParallelTesting
import Testing

@testable import Demo

/// What servers, files and names do to `demo order` that nobody meant them to do.
@Suite("demo order, against a hostile world,", .timeLimit(.minutes(5)))
final class OrderHostilityTests: Sendable {
  private let files: OrderFiles

  init() throws { files = try OrderFiles() }

  var folder: URL { files.folder }
  var journal: String { files.journal }

  /// Writes wishes into the journal that an earlier process has left.
  private func remember(_ orders: [String], _ change: TakingChange = .begun, isDelivered: Bool = false) throws {
    let file = try SQLiteJournal<String>(at: journal)
    defer { file.close() }
    for (index, order) in orders.enumerated() {
      try file.journal.write(
        TakingRecord(
          intent: TakingIntent(order: order, key: IdempotencyKey(high: 7, low: UInt64(index))),
          begunAt: Timers.dispatch().now() - .seconds(60 - index), change: change, isDelivered: isDelivered))
    }
  }

  private func records() throws -> [TakingRecord<String>] {
    let file = try SQLiteJournal<String>(at: journal)
    defer { file.close() }
    return try file.journal.records()
  }

  private func shared(_ server: OrderServer) -> [String] {
    ["--server", server.url.absoluteString, "--token", "t", "--journal", journal]
  }

  @Test("resume tells each end as it comes, also while an earlier order is still open")
  func asTheyEnd() async throws {
    // Nothing is decided here but what is decided at once.
    let server = try await OrderServer.start(
      .init(
        offers: [OfferedOrder("slow", decidedAfter: .seconds(1)), OfferedOrder("fast", details: "{}")],
        credentials: ["t": "ann"]), timers: Timers(schedule: { _, _ in {} }, now: { .zero }))
    try remember(["slow", "fast"])
    let process = try DemoProcess.start(["order", "resume", "--timeout", "120"] + shared(server))
    var line = await process.firstLine()
    while let text = line, text != "Order fast is yours: {}" { line = await process.firstLine() }
    #expect(line != nil)
    process.interrupt()
    let outcome = await process.outcome()
    #expect(outcome.status == 130 && outcome.errors.contains("The outcome of order slow is unknown"), "\(outcome)")
    #expect(try records().allSatisfy(\.isDelivered))
    await server.stop(grace: .zero)
  }

  @Test("an end that could not be written has a status of its own, and is told by resume")
  func fullDisk() async throws {
    let full = try await DemoProcess.bash("$demo order take tour-1 --journal '\(journal)' > /dev/full")
    #expect(full.status == 16 && full.errors.contains("Cannot write the outcome of order tour-1"), "\(full)")
    #expect(try records().map(\.isDelivered) == [false])
    let declined = try await DemoProcess.bash("$demo order take tour-3 --json --journal '\(journal)' > /dev/full")
    #expect(declined.status == 16, "\(declined)")
    let resumed = try await DemoProcess.run("order", "resume", "--journal", journal)
    #expect(resumed.status == 20 && resumed.output.contains("Order tour-1 is yours"), "\(resumed)")
    #expect(resumed.errors.contains("Order tour-3 was declined"), "\(resumed)")
    #expect(try await DemoProcess.run("order", "resume", "--journal", journal).output.contains("Nothing to resume"))
  }

  @Test("every command says what was salvaged of a damaged journal", arguments: ["status", "resume"])
  func damaged(command: String) async throws {
    try remember(["1", "2"], .ended(.declined(reason: "late")), isDelivered: true)
    var bytes = try Data(contentsOf: URL(filePath: journal))
    let key = try #require(bytes.range(of: Data(IdempotencyKey(high: 7, low: 1).description.utf8)))
    bytes[key.lowerBound] ^= 1
    try bytes.write(to: URL(filePath: journal))
    let outcome = try await DemoProcess.run("order", command, "--journal", journal)
    #expect((outcome.output + outcome.errors).contains("The journal was damaged"), "\(outcome)")
    #expect((outcome.output + outcome.errors).contains("1 lost (2)"), "\(outcome)")
  }

  @Test("a journal is never taken to another server", arguments: ["take", "resume", "status"])
  func otherServer(command: String) async throws {
    let server = try await OrderServer.start(.init(offers: [OfferedOrder("7")], credentials: ["t": "ann"]))
    #expect(try await DemoProcess.start(["order", "take", "7"] + shared(server)).outcome().status == 0)
    let order = command == "resume" ? [] : ["7"]
    for other in [[], ["--server", "http://127.0.0.1:9"]] {
      let outcome = try await DemoProcess.start(["order", command] + order + other + ["--journal", journal]).outcome()
      #expect(outcome.status == 25 && outcome.errors.contains("holds orders of http://127.0.0.1:"), "\(outcome)")
    }
    // However its address is written.
    let same = ["--server", server.url.absoluteString.uppercased() + "/", "--token", "t", "--journal", journal]
    #expect(try await DemoProcess.start(["order", command] + order + same).outcome().status == 0)
    await server.stop(grace: .zero)
  }

  @Test("a server is the same however its address is written")
  func serverNames() throws {
    let names = try [
      "http://h", "HTTP://H:80/", "http://me:secret@h//", "https://h", "https://H:443", "http://h:81", "http://h/a/",
    ].map { try ServerAddress(argument: $0).name }
    let (plain, secure) = ("http://h:80", "https://h:443")
    #expect(names == [plain, plain, plain, secure, secure, "http://h:81", "http://h:80/a"])
  }

  @Test("a server that cannot tell anybody where it is does not run; a quiet one tells nothing else")
  func announcement() async throws {
    let full = try await DemoProcess.bash("$demo order serve > /dev/full")
    #expect(full.status == 16 && full.errors.contains("Cannot write to standard output: No space left"), "\(full)")
    let process = try DemoProcess.start(["order", "serve", "--quiet"])
    let line = try #require(await process.firstLine())
    let address = try #require(line.firstMatch(of: /--server (\S+)/)).1
    #expect(try await DemoProcess.run("order", "list", "--server", String(address)).status == 0)
    process.interrupt()
    let outcome = await process.outcome()
    #expect(outcome.status == 130 && outcome.output == "", "\(outcome)")
  }

  @Test("two names that look alike are two orders, each with its own end")
  func canonicallyEqualNames() async throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let server = try await OrderServer.start(
      .init(
        offers: [OfferedOrder(composed, details: "{}"), OfferedOrder(decomposed, verdict: .decline(reason: "late"))],
        credentials: ["t": "ann"]))
    try remember([composed, decomposed])
    let outcome = try await DemoProcess.start(["order", "resume"] + shared(server)).outcome()
    #expect(outcome.status == 20, "\(outcome)")
    #expect(Data(outcome.output.utf8).range(of: Data("Order \(composed) is yours: {}\n".utf8)) != nil)
    #expect(Data(outcome.errors.utf8).range(of: Data("Order \(decomposed) was declined: late".utf8)) != nil)
    let status = try await DemoProcess.start(["order", "status", decomposed] + shared(server)).outcome()
    #expect(status.output.split(separator: "\n").count == 1 && status.output.contains("declined: late"), "\(status)")
    await server.stop(grace: .zero)
  }

  @Test("an answer that ends inside its header is an error, and no end of the process", arguments: ["list", "take"])
  func cutHeader(command: String) async throws {
    let server = try await HTTPServer.start(
      Router { Route(.get, "/orders") { _ in HTTPReply.raw("HTTP/1.1 200 OK\r\nContent-Le".utf8) } })
    let outcome = try await DemoProcess.run("order", command, "--server", server.url.absoluteString)
    #expect(outcome.status == 10 && outcome.errors.contains("the connection closed"), "\(outcome)")
    await server.stop()
  }

  @Test("a list that never ends is left after a while", arguments: ["ahead", "again"])
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

  @Test("names come through JSON as they are, and through text without a character that does something")
  func hostileNames() async throws {
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

  @Test("a password in the server's address is in no error")
  func password() async throws {
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

  @Test("a name that no URL can say is refused before anything is opened", arguments: ["", ".", ".."])
  func impossibleNames(name: String) async throws {
    let outcome = try await DemoProcess.run("order", "take", name, "--journal", journal)
    #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: journal))
  }

  @Test("beside a pipe or a device nothing is made")
  func device() async throws {
    let pipe = folder.appending(path: "pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    for line in [["take", "tour-1", "--journal", pipe], ["serve", "--state", pipe]] {
      let outcome = try await DemoProcess.start(["order"] + line).outcome()
      #expect(outcome.status == 25 && outcome.errors.contains("is no file that could hold"), "\(outcome)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
  }

  @Test("a list makes no journal, nor a server of one that is not there")
  func listWithoutJournal() async throws {
    let outcome = try await DemoProcess.run("order", "list", "--journal", journal)
    #expect(
      outcome.status == 25 && outcome.errors.contains("Cannot open the journal \(journal): no such file"), "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("a port that somebody has is told, with a number of its own")
  func portInUse() async throws {
    let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in .text("") } })
    let outcome = try await DemoProcess.run("order", "serve", "--port", "\(server.port)")
    #expect(outcome.status == 18 && outcome.errors.contains("\(server.port)"), "\(outcome)")
    await server.stop(grace: .zero)
  }

  @Test("a journal that is no file is refused", arguments: [":memory:", "file:takings"])
  func noFile(path: String) async throws {
    let outcome = try await DemoProcess.run("order", "take", "tour-1", "--journal", path)
    #expect(outcome.status == 25 && outcome.errors.contains("is no file that could hold a journal"), "\(outcome)")
  }
}

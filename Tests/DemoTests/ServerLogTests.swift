import Foundation
import LoopbackTesting
import Terminal
import TestSupport
import Testing

@testable import Demo

@Suite("The log of demo order serve", .timeLimit(.minutes(2))) struct ServerLogTests {
  @Test("a log whose reader stops does not delay the requests of the order server") func stoppedReader() async throws {
    let files = try OrderFiles()
    let pipe = files.folder.appending(path: "pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let reader = FileHandle(fileDescriptor: open(pipe, O_RDWR), closeOnDealloc: true)
    let server = try DemoProcess.start(["order", "serve", "--json"], into: pipe)
    let line = String(decoding: await onThread { reader.availableData }, as: UTF8.self)
    let port = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) })
    // The lines of these requests are larger than the buffer of the pipe.
    for number in 1...40 {
      let client = try RawClient(port: port)
      let path = String(repeating: "x", count: 4_000)
      await client.send("GET /\(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      try #require(await client.readLine()?.contains("404") == true, "request \(number)")
    }
    server.kill()
    _ = await server.outcome()
  }

  @Test("a slow reader receives the first lines, and the number of lost lines") func slowReader() async throws {
    let pipe = Pipe()
    let device = TerminalDevice(
      input: pipe.fileHandleForReading.fileDescriptor, output: pipe.fileHandleForWriting.fileDescriptor)
    let log = ServerLog(Timeline(on: device, json: false) { .seconds(1) })
    for number in 0..<20_000 { log.show(TimelineEntry("http", "request \(number)")) }
    async let output = onThread { try? pipe.fileHandleForReading.readToEnd() }
    await log.finish()
    try pipe.fileHandleForWriting.close()
    let lines = String(decoding: await output ?? Data(), as: UTF8.self).split(separator: "\n")
    let dropped = try #require(lines.last?.firstMatch(of: /(\d+) lines dropped/).flatMap { Int($0.1) })
    #expect(lines.count - 1 + dropped == 20_000)
    #expect(lines.first == "   1.000 s  http    request 0")
  }
}

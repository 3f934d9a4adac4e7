import Foundation
import Testing

@testable import Terminal

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

@Suite("Terminal device", .timeLimit(.minutes(5)))
struct DeviceTests {
  private func makePipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    // A child process of another test could inherit an end and keep it open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  @Test("Writing to a closed pipe throws an error and does not terminate the process")
  func writingToClosedPipeThrows() throws {
    let ends = try makePipe()
    close(ends.read)
    defer { close(ends.write) }
    let error = #expect(throws: TerminalError.self) {
      try TerminalDevice(input: STDIN_FILENO, output: ends.write).write("anyone?")
    }
    #expect(error?.kind == .closed)
    var pending = sigset_t()
    sigpending(&pending)
    #expect(sigismember(&pending, SIGPIPE) == 0)
  }

  @Test("A long text reaches a slow reader completely through a full non-blocking pipe")
  func writingWaitsForFullPipe() throws {
    let ends = try makePipe()
    _ = fcntl(ends.write, F_SETFL, fcntl(ends.write, F_GETFL) | O_NONBLOCK)
    let text = String(repeating: "鳥 and more. ", count: 40_000)
    let writer = Thread {
      try? TerminalDevice(input: STDIN_FILENO, output: ends.write).write(text)
      close(ends.write)
    }
    writer.start()
    var received: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1_000)
    while case let count = read(ends.read, &bytes, bytes.count), count > 0 { received += bytes[..<count] }
    close(ends.read)
    #expect(received.elementsEqual(text.utf8))
  }

  @Test("A pipe is not a terminal, and its size comes from the environment")
  func pipeSizeComesFromEnvironment() throws {
    let ends = try makePipe()
    defer { [ends.read, ends.write].forEach { close($0) } }
    let device = TerminalDevice(input: ends.read, output: ends.write)
    #expect(!device.isTerminal && device.sessionError()?.kind == .notATerminal)
    #expect(device.size(environment: ["COLUMNS": "132"]) == TerminalSize(columns: 132, rows: 24))
    #expect(device.colorCapability(environment: ["TERM": "xterm"]) == .none)
  }

  @Test(
    "Columns and rows come from the terminal, otherwise from the environment, otherwise from 80×24",
    arguments: [
      (nil, [:], 80, 24), (TerminalSize(columns: 0, rows: 9), [:], 80, 9),
      (TerminalSize(columns: 7, rows: 9), ["COLUMNS": "100"], 7, 9), (nil, ["COLUMNS": "-4", "LINES": "x"], 80, 24),
      (nil, ["COLUMNS": "999999999"], 1_000, 24),
    ] as [(TerminalSize?, [String: String], Int, Int)])
  func sizeFallsBackToEnvironment(reported: TerminalSize?, environment: [String: String], columns: Int, rows: Int) {
    let size = TerminalSize(reported: reported, environment: environment)
    #expect(size == TerminalSize(columns: columns, rows: rows))
  }
}

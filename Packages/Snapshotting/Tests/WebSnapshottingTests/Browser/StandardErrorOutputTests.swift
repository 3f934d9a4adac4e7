import Foundation
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("What a browser writes to standard error, until its end", .timeLimit(.minutes(2)))
struct StandardErrorOutputTests {
  private let output: StandardErrorOutput
  private let pipe = Pipe()
  private var writer: FileHandle { pipe.fileHandleForWriting }

  init() {
    output = StandardErrorOutput(dup(pipe.fileHandleForReading.fileDescriptor))
  }

  @Test("is all that was written, also while another one holds the pipe")
  func held() throws {
    try writer.write(contentsOf: Data("last words".utf8))
    output.finish(within: .seconds(3_600), orWhen: { true })
    #expect(output.text == "last words")
  }

  @Test("has one limit, however much is written meanwhile")
  func chatter() async {
    let isDone = Signal()
    // It does not wait for a reader, and is not ended when there is none: the pipe keeps an end of its own.
    _ = fcntl(writer.fileDescriptor, F_SETFL, O_NONBLOCK)
    let block = Data(repeating: 0x78, count: 4_096)
    Thread { [pipe] in
      while !isDone.hasBeenRaised { try? pipe.fileHandleForWriting.write(contentsOf: block) }
    }.start()
    await onThread { [output] in output.finish(within: .milliseconds(20), orWhen: { false }) }
    isDone.raise()
  }

  @Test("is awaited of those who do not write any more either, for a while")
  func silent() throws {
    try writer.write(contentsOf: Data("last words".utf8))
    try writer.close()
    var looks = 0
    output.finish(within: .seconds(3_600), rest: .seconds(3_600)) {
      looks += 1
      return looks == 3
    }
    #expect(looks == 3 && output.text == "last words")
  }

  @Test("is not awaited for ever of those whose end nobody notices")
  func unnoticed() throws {
    try writer.close()
    output.finish(within: .seconds(3_600), rest: .milliseconds(5), orWhen: { false })
    #expect(output.text.isEmpty)
  }
}

import BrightFuturesCompatibility
import TestSupport
import Testing

@Suite("Logging completions")
struct DebugTests {
  private struct Lines: LoggerType {
    let lines: Log<String>
    func log(message: String) { lines.append(message) }
  }

  @Test("debug logs the completion without the value, with an identifier or the source location")
  func messages() {
    let lines = Log<String>()
    Future<Int, Trouble>(value: 1).debug("bird", logger: Lines(lines: lines), context: now)
    Future<Int, Trouble>(error: .first).debug(
      logger: Lines(lines: lines), file: "/a/b.swift", line: 7, function: "f()", context: now)
    #expect(
      lines.all == [
        "Future bird completed", "b.swift at line 7, func: f() - future completed",
      ])
  }

  @Test("the returned future completes after the message was logged")
  func order() {
    let lines = Log<String>()
    let promise = Promise<Int, Trouble>()
    let logged = promise.future.debug("bird", logger: Lines(lines: lines), context: now)
    logged.onSuccess(now) { lines.append("\($0)") }
    promise.success(1)
    #expect(lines.all == ["Future bird completed", "1"])
  }
}

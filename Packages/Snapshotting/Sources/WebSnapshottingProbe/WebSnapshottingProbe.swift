internal import Dispatch
internal import Foundation
internal import WebSnapshotting

/// A process with a browser, which the tests of the browser kill.
///
/// usage: WebSnapshottingProbe capture [N [HTML]] | hang | hold | start | drop
///
/// `capture` prints a fingerprint of N images of a page. `hang` waits for a page that never loads. `hold` takes an image and then
/// sleeps. Both print `ready` when the browser is warm, and run until they are killed. `start` captures a page; an interrupt cancels the
/// capture and ends the process. `drop` releases a browser, and kills itself when the browser's shell has ended.
/// The browser inherits descriptor 9 if it is open. With a name of `StandInBrowser`, the program is a fake browser.
@main
enum WebSnapshottingProbe {
  static func main() async {
    // An error that leaves `main` starts a crash reporter, which keeps descriptors open.
    do { try await run() } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func run() async throws {
    if var browser = StandInBrowser(program: CommandLine.arguments[0]) { return browser.run() }
    let page = WebPage(
      html: CommandLine.arguments.dropFirst(3).first ?? "<h1>Welcome to Point-Free!</h1><p>A page.</p>")
    switch CommandLine.arguments.dropFirst().first {
    case "capture":
      let browser = browser()
      for _ in 0..<(CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1) {
        say(fingerprint(of: try await browser.png(of: page)))
      }
    case "hang":
      let browser = browser()
      try await browser.start()
      say("ready")
      var endless = WebPage(html: "<script>for (;;);</script>")
      endless.timeout = .seconds(86_400)
      _ = try await browser.png(of: endless)
    case "hold":
      let browser = browser()
      _ = try await browser.png(of: page)
      say("ready")
      try await Task.sleep(for: .seconds(86_400))
      await browser.close()
    case "start":
      signal(SIGINT, SIG_IGN)
      let browser = browser()
      let task = Task { try await browser.png(of: page) }
      let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
      source.setEventHandler { @Sendable in task.cancel() }
      source.activate()
      say("ready")
      let result = await task.result
      await browser.close()
      guard case .failure(let error as WebError) = result, error.kind == .cancelled else { exit(1) }
      exit(130)
    case "drop":
      try await browser().start()
      var information = siginfo_t()
      while waitid(P_ALL, 0, &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      kill(getpid(), SIGKILL)
    default:
      say("usage: WebSnapshottingProbe capture [N [HTML]] | hang | hold | start | drop")
      exit(64)
    }
  }

  private static func browser() -> Browser {
    var options = Browser.Configuration()
    if fcntl(9, F_GETFD) >= 0 { options.keptDescriptor = 9 }
    return Browser(options)
  }

  private static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }

  private static func fingerprint(of data: Data) -> String {
    String(data.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
  }
}

internal import Dispatch
internal import Foundation
internal import WebSnapshotting

/// A process for the tests of the browser to end in the middle of things.
///
/// usage: WebSnapshottingProbe capture [N [HTML]] | hang | hold | start | drop | measure
///
/// `capture` prints a fingerprint of N pictures of one page and ends; `hang` waits for a page that never loads; `hold` takes one
/// picture and goes on with nothing. Both of these print `ready` when the browser is warm, and end only when they are made to.
/// `start` captures a page; an interrupt cancels that, and ends the process when it is over.
/// `drop` lets go of a browser, and is killed as soon as the shell around it has ended.
/// The browser keeps descriptor 9, if there is one. Under a name that `StandInBrowser` knows, the program is one.
@main
enum WebSnapshottingProbe {
  static func main() async {
    // What is thrown to the top crashes, and what then writes down how outlives this process and holds what it had open.
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
    case "measure": try await measure(page)
    default:
      say("usage: WebSnapshottingProbe capture [N [HTML]] | hang | hold | start | drop | measure")
      exit(64)
    }
  }

  private static func browser() -> Browser {
    var options = Browser.Configuration()
    if fcntl(9, F_GETFD) >= 0 { options.keptDescriptor = 9 }
    return Browser(options)
  }

  /// Says how long a browser takes to its first picture, how long a warm one takes for one, and how many it takes in a second.
  private static func measure(_ page: WebPage) async throws {
    let clock = ContinuousClock()
    var starts: [Duration] = []
    for _ in 0..<5 {
      let browser = Browser()
      let start = clock.now
      _ = try await browser.png(of: page)
      starts.append(clock.now - start)
      await browser.close()
    }
    say("start to first picture  \(milliseconds(median(starts)))   median of 5")
    let browser = Browser.shared
    // What has a script gets a new window each time.
    let script = WebPage(html: "<h1>Welcome to Point-Free!</h1><p>A page.</p><script>document.title = 'A'</script>")
    // What has an address is loaded from it, and its requests are answered here; with a script it gets a context of its own each time.
    let base = URL(string: "https://birds.example/")
    var (addressed, own) = (page, script)
    addressed.content = .html("<h1>Welcome to Point-Free!</h1><p>A page.</p>", baseURL: base)
    own.content = .html(
      "<h1>Welcome to Point-Free!</h1><p>A page.</p><script>document.title = 'A'</script>", baseURL: base)
    var masked = page
    masked.masks = ["p"]
    let pages = [
      (page, "without a script"), (script, "with a script"), (masked, "with a mask"), (addressed, "with a base URL"),
      (own, "with both"),
    ]
    for (page, words) in pages {
      for _ in 0..<20 { _ = try await browser.png(of: page) }
      var times: [Duration] = []
      for _ in 0..<200 {
        let start = clock.now
        _ = try await browser.png(of: page)
        times.append(clock.now - start)
      }
      say("warm picture            \(milliseconds(median(times)))   median of 200, one after the other, \(words)")
    }
    for tabs in [1, 2, 4] {
      let start = clock.now
      let count = 200
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<tabs {
          group.addTask { for _ in 0..<(count / tabs) { _ = try await browser.png(of: page) } }
        }
        try await group.waitForAll()
      }
      let seconds = (clock.now - start) / .seconds(1)
      say(
        "\(tabs) at a time             \((Double(count) / seconds).formatted(.number.precision(.fractionLength(0)))) pictures/s"
      )
    }
    await browser.close()
  }

  private static func median(_ durations: [Duration]) -> Duration { durations.sorted()[durations.count / 2] }

  private static func milliseconds(_ duration: Duration) -> String {
    "\((duration / .milliseconds(1)).formatted(.number.precision(.fractionLength(1)))) ms"
  }

  /// Writes a line at once.
  private static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// FNV-1a.
  private static func fingerprint(of data: Data) -> String {
    String(data.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
  }
}

internal import Foundation
internal import WebSnapshotting

/// A process for the tests of the browser to end in the middle of things.
///
/// usage: WebSnapshottingProbe capture [N] | hang | hold | measure
///
/// `capture` prints a fingerprint of N pictures of one page and ends; `hang` waits for a page that never loads; `hold` takes one
/// picture and goes on with nothing. Both of these print `ready` when the browser is warm, and end only when they are made to.
/// The browser keeps descriptor 9, if there is one.
@main
enum WebSnapshottingProbe {
  static func main() async throws {
    let page = WebPage(html: "<h1>Welcome to Point-Free!</h1><p>A page.</p>")
    switch CommandLine.arguments.dropFirst().first {
    case "capture":
      let browser = browser()
      for _ in 0..<(CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1) {
        say(fingersay(of: try await browser.png(of: page)))
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
    case "measure": try await measure(page)
    default:
      say("usage: WebSnapshottingProbe capture [N] | hang | hold | measure")
      exit(64)
    }
  }

  private static func browser() -> Browser {
    var options = Browser.Options(environment: nil)
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
    for (page, words) in [(page, "without a script"), (script, "with a script")] {
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
  private static func fingersay(of data: Data) -> String {
    String(data.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
  }
}

internal import Foundation
internal import WebSnapshotting

/// A process for the tests of the browser to end in the middle of things.
///
/// usage: WebSnapshottingProbe capture [N] | hang | hold
///
/// `capture` prints a fingerprint of N pictures of one page and ends; `hang` waits for a page that never loads; `hold` takes one
/// picture and goes on with nothing. The last two print `ready` when the browser is warm, and end only when they are made to.
@main
enum WebSnapshottingProbe {
  static func main() async throws {
    let page = WebPage(html: "<h1>Welcome to Point-Free!</h1><p>A page.</p>")
    switch CommandLine.arguments.dropFirst().first {
    case "capture":
      for _ in 0..<(CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1) {
        say(fingersay(of: try await Browser.shared.png(of: page)))
      }
    case "hang":
      try await Browser.shared.start()
      say("ready")
      _ = try await Browser.shared.png(of: WebPage(html: "<script>for (;;);</script>"))
    case "hold":
      _ = try await Browser.shared.png(of: page)
      say("ready")
      try await Task.sleep(for: .seconds(86_400))
    default:
      say("usage: WebSnapshottingProbe capture [N] | hang | hold")
      exit(64)
    }
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

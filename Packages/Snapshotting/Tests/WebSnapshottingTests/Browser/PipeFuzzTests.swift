import Foundation
import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Invalid output of a browser", .timeLimit(.minutes(4)))
struct PipeFuzzTests {
  @Test("a capture ends with an image or an error for any output, and no process remains")
  func fuzz() async throws {
    let temporary = try TemporaryFolder()
    let (rarity, seed) = (Generator<Int>.int(in: 1...30), Generator<Int>.int(in: 0...1_000_000))
    try await checkProperty("captures end", count: 12, rarity, seed) { rarity, seed in
      // The name configures the fake browser.
      let program = "\(temporary.path)/stand-in-\(rarity)-\(seed)"
      let probe = try Probe.program
      try? FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: probe)
      let browser = Browser(Browser.Configuration(executable: program, sandbox: .off))
      let process = try await browser.running().process
      // A reply that leads nowhere ends in a timeout, which is an error like the others.
      let pages = ["<p>Puffin", "<script>1</script>"].map {
        WebPage(.html($0, baseURL: nil), timeout: .milliseconds(500))
      }
      let results = await withTaskGroup(of: Result<Data, WebError>.self) { group in
        for index in 0..<6 {
          group.addTask {
            do throws(WebError) {
              return .success(try await browser.png(of: pages[index % 2]))
            } catch {
              return .failure(error)
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      await browser.close()
      await process.waitUntilEnded()
      // A slightly invalid reply still gives an image of the fake browser.
      return results.allSatisfy { (try? $0.get())?.isEmpty != true }
    }
  }
}

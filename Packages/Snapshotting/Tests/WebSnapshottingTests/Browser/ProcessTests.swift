import Foundation
import ParallelTesting
import TestSupport
import Snapshotting
import Testing

@testable import WebSnapshotting

@Suite("The browser's process", .timeLimit(.minutes(2)))
struct ProcessTests {
  @Test("no files remain after the process of a browser, or after a killed owner", arguments: [1])
  func success(_ count: Int) async throws {
    let temporary = try TemporaryFolder()
    let dead = "\(temporary.path)/\(ProfileFolder.prefix)dead"
    try FileManager.default.createDirectory(atPath: "\(dead)/profile", withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: "\(dead).lock"))
    let probe = try Probe("capture", "\(count)", temporary: temporary)
    #expect(await probe.lines().count == count)
    #expect(await probe.end() == 0)
    #expect(temporary.contents.isEmpty)
  }

  @Test(
    "no files remain after a signal, also during a capture",
    arguments: [("hold", SIGINT), ("hold", SIGKILL), ("hang", SIGINT), ("hang", SIGKILL)])
  func ended(_ mode: String, by signal: Int32) async throws {
    let temporary = try TemporaryFolder()
    let probe = try Probe(mode, temporary: temporary)
    #expect(await probe.line() == "ready")
    #expect(!temporary.contents.isEmpty)
    kill(probe.process, signal)
    #expect(await probe.end() == -signal)
    #expect(temporary.contents.isEmpty)
  }

  @Test("a closed browser has ended, and the next capture starts another one")
  func close() async throws {
    let browser = Browser()
    let page = WebPage(html: "<p>Puffin")
    let first = try await browser.png(of: page)
    let process = try await browser.running().process
    await browser.close()
    #expect(!process.exists)
    #expect(try await browser.png(of: page) == first)
    await browser.close()
  }

  @Test("twenty captures of a page in four concurrent processes are identical")
  func determinism() async throws {
    let temporary = try TemporaryFolder()
    let pictures = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          let probe = try Probe("capture", "5", temporary: temporary)
          let lines = await probe.lines()
          #expect(await probe.end() == 0)
          return lines
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(pictures.count == 20)
    #expect(Set(pictures).count == 1)
  }

  @Test("the path of the temporary folder may be long, and the path of the browser relative")
  func paths() async throws {
    let temporary = try TemporaryFolder()
    let long = "\(temporary.path)/\(String(repeating: "a", count: 120))"
    try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: true)
    let finder = BrowserFinder(isExecutable: { access($0, X_OK) == 0 }, path: ["/usr/bin"])
    let names: [String] = ["chromium-headless-shell", "chromium", "google-chrome"]
    let browsers = names.filter { (try? finder.find($0)) != nil }
    // All installed browsers.
    for browser in browsers {
      let probe = try Probe(
        "capture", "1", temporary: temporary, variables: ["TMPDIR": long, "WEB_SNAPSHOTTING_BROWSER": browser])
      #expect(await probe.lines().count == 1, "\(browser)")
      #expect(await probe.end() == 0)
    }
    let up = String(repeating: "../", count: FileManager.default.currentDirectoryPath.split(separator: "/").count)
    let relative = Browser(
      Browser.Configuration(executable: "\(up)\(try program("ends-at-once").dropFirst())", sandbox: .off))
    #expect(await failure { try await relative.start() }?.description.contains("cannot open display") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: long).isEmpty)
  }

  @Test("captures of a page are identical in all installed browsers of one version")
  func browsers() async throws {
    let finder = BrowserFinder(isExecutable: { access($0, X_OK) == 0 }, path: ["/usr/bin"])
    let page = WebPage(html: "<h1>Welcome to Point-Free!</h1><p>A page.</p>")
    var pictures: [String: Set<Data>] = [:]
    for name in ["chromium-headless-shell", "chromium"] {
      guard let program = try? finder.find(name) else { continue }
      let browser = Browser(
        Browser.Configuration(executable: program))
      let reply = try await browser.running().connection.send("Browser.getVersion")
      let version = String(try #require(reply["product"]?.string?.split(separator: "/").last))
      for _ in 0..<5 { pictures[version, default: []].insert(try await browser.png(of: page)) }
      await browser.close()
    }
    for (version, all) in pictures { #expect(all.count == 1, "\(version)") }
  }

  #if os(Linux)
    @Test("a browser does not inherit files and sockets")
    func descriptors() async throws {
      // Without `O_CLOEXEC`, unlike nearly all descriptors that Swift opens.
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      defer { for end in ends { Foundation.close(end) } }
      let name = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(ends[1])")
      let browser = Browser()
      _ = try await browser.png(of: WebPage(html: "<p>Puffin"))
      let group = try await browser.running().process.process
      let members = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
        .filter { getpgid($0) == group }
      #expect(members.count > 2)
      for member in members {
        let folder = "/proc/\(member)/fd"
        let open = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let names = open.map { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
        #expect(!names.contains(name))
      }
      await browser.close()
    }
  #endif

  @Test("a program that is not a browser is an error with its standard error")
  func noBrowser() async throws {
    let program = try program("ends-at-once")
    let error = try #require(
      await failure { try await Browser(Browser.Configuration(executable: program, sandbox: .off)).start() })
    #expect(error.kind == .cannotStart)
    #expect(error.description.contains(program) && error.description.contains("cannot open display"))
    #expect(error.attachments.map(\.name) == ["browser-stderr.txt"])
  }

  @Test("a browser without a sandbox is an error that explains how to turn the sandbox off")
  func noSandbox() async throws {
    let program = try program("finds-no-sandbox")
    let error = try #require(
      await failure { try await Browser(Browser.Configuration(executable: program, sandbox: .off)).start() })
    #expect(error.kind == .noSandbox && error.description.contains("WEB_SNAPSHOTTING_SANDBOX=off"))
  }

  @Test("root must turn the sandbox off")
  func root() async throws {
    guard geteuid() == 0 else { return }
    let error = try #require(await failure { try await Browser(Browser.Configuration(sandbox: .on)).start() })
    #expect(error.kind == .noSandbox && error.description.contains("runs as root"))
  }

  @Test("a browser with invalid output is ended")
  func invalidOutput() async throws {
    let program = try program("writes-invalid-output")
    let error = try #require(
      await failure { try await Browser(Browser.Configuration(executable: program, sandbox: .off)).start() })
    #expect(error.kind == .cannotStart)
    #expect(error.description.contains("Cannot read the browser's output"))
  }

  @Test("a browser that never responds ends at the start's time limit")
  func silence() async throws {
    let clock = ManualClock()
    let options = Browser.Configuration(executable: try program("says-nothing"), sandbox: .off)
    let task = Task { await failure { try await Browser(options, clock: clock).start() } }
    try await clock.advanceToNextSleep()
    let error = try #require(await task.value)
    #expect(
      error.kind == .cannotStart
        && error.description.contains("Timed out after 60.0 seconds while waiting for the browser to answer"))
  }
}

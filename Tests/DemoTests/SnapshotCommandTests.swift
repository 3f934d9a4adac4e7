import Foundation
import Loopback
import TestSupport
import Testing

@Suite("Command snapshot")
struct SnapshotCommandTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "snapshot-\(UUID())")

  /// Runs the command in a folder with a page, with the sandbox setting of these tests.
  private func run(_ arguments: String, variables: String = "") async throws -> (DemoProcess.Outcome, [String]) {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page =
      "<title>Coast</title><h1>Puffin</h1><p id=a style='width:50px;height:30px;margin:0'>x</p><div style='height:2000px'>"
    try Data(page.utf8).write(to: folder.appending(path: "page.html"))
    let sandbox = ProcessInfo.processInfo.environment["WEB_SNAPSHOTTING_SANDBOX"] ?? "on"
    let outcome = try await DemoProcess.bash(
      "cd '\(folder.path)' && export WEB_SNAPSHOTTING_SANDBOX=\(sandbox) \(variables); \"$demo\" snapshot \(arguments)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return (outcome, files)
  }

  @Test("snapshot writes a picture of the viewport and shows progress on standard error")
  func pictureOfFile() async throws {
    let (outcome, files) = try await run("page.html --viewport 300x200")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("Wrote snapshot.png, "))
    #expect(outcome.errors.contains("Browser 1/1") && outcome.errors.contains("Page 1/1"))
    #expect(files == ["page.html", "snapshot.png"])
  }

  @Test("snapshot --text prints the visible text, and --dom prints the document")
  func textAndDocument() async throws {
    let text = try await run("page.html --text").0
    #expect(text.output == "Puffin\n\nx\n", "\(text)")
    #expect(try await run("page.html --dom").0.output.contains("    <h1>Puffin</h1>\n"))
  }

  @Test("snapshot --json describes the capture, and includes a text that is not written to a file")
  func jsonOutput() async throws {
    struct Line: Decodable { let page: String, format: String, bytes: Int, output: String?, content: String? }
    let text = try await run("page.html --text --json").0
    let line = try JSONDecoder().decode(Line.self, from: Data(text.output.utf8))
    #expect(text.status == 0 && line.content == "Puffin\n\nx\n" && line.format == "text" && line.output == nil)
    #expect(line.bytes == 10 && line.page.hasSuffix("/page.html"))
    let (picture, files) = try await run("page.html --json -o page.png")
    let file = try JSONDecoder().decode(Line.self, from: Data(picture.output.utf8))
    #expect(picture.status == 0 && file.output == "page.png" && file.format == "picture" && file.content == nil)
    #expect(files == ["page.html", "page.png"] && file.bytes > 100)
  }

  @Test("snapshot captures one element or the whole page to standard output")
  func elementAndFullPage() async throws {
    let (element, files) = try await run("page.html --selector '#a' -o - | od -An -tu1 -j16 -N8")
    #expect(element.output.split(whereSeparator: \.isWhitespace) == ["0", "0", "0", "50", "0", "0", "0", "30"])
    #expect(files == ["page.html"])
    let (whole, _) = try await run("page.html --viewport 100x100 --full-page -o - | od -An -tu1 -j20 -N4")
    let height = whole.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.reduce(0) { $0 * 256 + $1 }
    #expect(height > 2_000)
  }

  @Test("snapshot --wait captures a page from a server after the condition holds")
  func waitOptions() async throws {
    let html = "<body><script>setTimeout(() => document.body.innerHTML = '<p id=late>Late', 20)</script>"
    let server = try await HTTPServer.start(
      Router { Route(.get, "/") { _ in .html(html) } })
    let outcome = try await run("\(server.url.absoluteString)/ --text --wait selector:#late --wait stable").0
    #expect(outcome.output == "Late\n", "\(outcome)")
    await server.stop(grace: .zero)
  }

  @Test("without a browser, snapshot suggests how to install one and exits with code 40")
  func noBrowser() async throws {
    let (outcome, files) = try await run("page.html", variables: "PATH=/none")
    #expect(outcome.status == 40)
    #expect(outcome.errors.contains("Cannot find a browser") && outcome.errors.contains("Install Chromium or Chrome"))
    #expect(files == ["page.html"])
  }

  @Test("snapshot removes the diagnostic files of an earlier failure after a success")
  func removedRemains() async throws {
    let folder = try TemporaryFolder()
    let output = folder.file("picture.png")
    try FileManager.default.createDirectory(atPath: output + ".failed", withIntermediateDirectories: false)
    try Data("<p>".utf8).write(to: URL(filePath: output + ".failed/document.html"))
    #expect(try await run("page.html -o \(output)").0.status == 0)
    #expect(folder.contents == ["picture.png"])
  }

  @Test("an error of snapshot does not show the user name and the password of a URL")
  func password() async throws {
    let outcome = try await run("http://puffin:secret@127.0.0.1:1/").0
    #expect(outcome.status == 41 && !outcome.errors.contains("secret"), "\(outcome)")
  }

  @Test("each failure of snapshot has its own exit code and keeps existing files")
  func failures() async throws {
    #expect(try await run("none.html").0.status == 41)
    #expect(try await run("http://127.0.0.1:1/").0.status == 41)
    let (missing, files) = try await run("page.html --selector .none")
    #expect(missing.status == 42 && missing.errors.contains("Diagnostic files are in snapshot.png.failed"))
    #expect(files == ["page.html", "snapshot.png.failed"])
    let late = try await run("page.html --timeout 0.000001").0
    #expect(late.status == 15 && late.errors.contains("Set the time limit with --timeout."), "\(late)")
    #expect(try await run("page.html -o /dev/null/a.png").0.status == 16)
  }

  #if os(Linux)
    /// The remaining files in a folder, and the processes whose command line contains its path.
    private func remains(in temporary: TemporaryFolder) throws -> [String] {
      let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { pid_t($0) != nil }
        .filter { id in
          let words = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") ?? Data()
          return String(decoding: words, as: UTF8.self).contains(temporary.path)
        }
      return temporary.contents + processes
    }

    private func start(_ words: String..., in temporary: TemporaryFolder) throws -> DemoProcess {
      let sandbox = ProcessInfo.processInfo.environment["WEB_SNAPSHOTTING_SANDBOX"] ?? "on"
      return try DemoProcess.start(
        ["snapshot", "-q"] + words, environment: ["TMPDIR": temporary.path, "WEB_SNAPSHOTTING_SANDBOX": sandbox])
    }

    @Test("snapshot exits with code 41 if the page cannot be loaded, and leaves no browser process or file")
    func unloadablePage() async throws {
      let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in HTTPResponse(.internalServerError) } })
      let temporary = try TemporaryFolder()
      for (address, words) in [
        ("/none.html", "Cannot load /none.html"), ("/", "Cannot load /: it is a directory"),
        ("http://127.0.0.1:1/", "Cannot load http://127.0.0.1:1/: browsers do not connect to this port"),
        ("http://127.0.0.1:99999/", "the port 99999 is not from 1 to 65535. Correct the port."),
        ("\(server.url.absoluteString)/", "the server returned status 500 and no content"),
      ] {
        let outcome = await (try start(address, "-o", temporary.file("a.png"), in: temporary)).outcome()
        #expect(outcome.status == 41 && outcome.errors.hasPrefix("Error: "), "\(address): \(outcome)")
        #expect(outcome.errors.contains(words), "\(outcome)")
        #expect(try remains(in: temporary) == [], "\(address)")
      }
      await server.stop(grace: .zero)
    }

    @Test("snapshot exits with code 130 on Ctrl-C during a page load, and leaves no browser process or file")
    func interruptedCapture() async throws {
      let (requests, request) = AsyncStream.makeStream(of: Void.self)
      let server = try await HTTPServer.start(
        Router {
          Route(.get, "/") { _ in
            request.yield()
            try await Task.sleep(for: .seconds(86_400))
            return .text("")
          }
        })
      let temporary = try TemporaryFolder()
      let command = try start("\(server.url.absoluteString)/", "-o", temporary.file("a.png"), in: temporary)
      for await _ in requests { break }
      #expect(try remains(in: temporary).count > 2)
      command.interrupt()
      let outcome = await command.outcome()
      #expect(outcome.status == 130 && outcome.errors.contains("Error: Interrupted."), "\(outcome)")
      #expect(try remains(in: temporary) == [])
      await server.stop(grace: .zero)
    }
  #endif

  @Test("snapshot exits with code 64 on an invalid command line")
  func usageErrors() async throws {
    for mistake in [
      "", "a b", "page.html --viewport 3", "page.html --wait x", "page.html --dom --text", "ftp://a/",
      "page.html --precision 1", "page.html --perceptual-precision 1", "page.html --ignore-antialiasing",
      "page.html -o ''", "page.html --json -o -",
    ] {
      #expect(try await run(mistake).0.status == 64, "\(mistake)")
    }
  }

  @Test("snapshot writes through symbolic links, to devices and to pipes")
  func outputFiles() async throws {
    let through = try await run(
      "page.html -o \"$(ln -s real.png b; ln -s b link.png; echo old > real.png; chmod 640 real.png; echo link.png)\"; "
        + "test -L link.png -a -L b && stat -c %a real.png && head -c 4 real.png | od -An -c")
    #expect(through.0.output.contains("640") && through.0.output.contains("P   N   G"))
    #expect(through.1 == ["b", "link.png", "page.html", "real.png"])
    let dangling = try await run(
      "page.html -o \"$(ln -s new.png link.png; echo link.png)\"; test -L link.png && test -f new.png")
    #expect(dangling.0.status == 0)
    let null = try await run("page.html -o /dev/null; test -c /dev/null && echo device")
    #expect(null.0.output.hasSuffix("device\n"))
    let pipe = try await run("page.html --text -q -o >(cat >&2) > /dev/null; sleep 0")
    #expect(pipe.0.status == 0)
  }

  @Test("snapshot exits with code 16 if it cannot write, and leaves no partial file")
  func unwritableOutput() async throws {
    for output in [
      "--text > /dev/full", "-o - > /dev/full", "-o /dev/full", "--text >&-", "-o - >&-", "-o .", "-o none/a.png",
      "-o \"$(ln -s loop loop; echo loop)\"",
    ] {
      let (outcome, files) = try await run("page.html -q \(output)")
      #expect(outcome.status == 16 && outcome.errors.contains("Error: Cannot write "), "\(output): \(outcome.errors)")
      #expect(files.filter { $0 != "loop" } == ["page.html"], "\(output): \(files)")
    }
  }

  @Test("snapshot checks its output before it starts a browser")
  func outputIsCheckedFirst() async throws {
    for output in ["-o none/a.png", "-o .", "--text >&-"] {
      let (outcome, _) = try await run("page.html -q \(output)", variables: "WEB_SNAPSHOTTING_BROWSER=/bin/true")
      #expect(outcome.status == 16, "\(output): \(outcome)")
    }
    let (outcome, files) = try await run("page.html -q --json -o a.png > /dev/full")
    let reason = "No space left on device. Check the destination, or redirect the output."
    #expect(outcome.errors == "Error: Cannot write to standard output: \(reason)\n" && outcome.status == 16)
    #expect(files.contains("a.png"))
  }

  @Test("a program that is not a browser is named in the error, and snapshot exits with code 40")
  func invalidBrowser() async throws {
    let (outcome, _) = try await run("page.html -q", variables: "WEB_SNAPSHOTTING_BROWSER=/bin/true")
    #expect(outcome.status == 40)
    #expect(outcome.errors.contains("/bin/true") && outcome.errors.contains("WEB_SNAPSHOTTING_BROWSER"))
    #expect(!outcome.errors.contains("The next capture"))
  }
}

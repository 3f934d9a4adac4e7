import Foundation
import Loopback
import TestSupport
import Testing

@testable import Demo

@Suite("Command birds")
struct BirdsCommandTests {
  @Test("birds lists every bird of the embedded server with its picture's size and load time")
  func embeddedServer() async throws {
    let outcome = try await DemoProcess.run("birds")
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("Name") == true)
    #expect(lines.contains { $0.contains(#/^Atlantic puffin +Fratercula arctica +\d+×\d+ +\d+ +\d+\.\d ms$/#) })
    #expect(lines.contains { $0.hasPrefix("Common swift") })
    #expect(lines.last?.hasPrefix("8 birds, ") == true)
    #expect(outcome.errors.contains("Pictures 8/8"))
    #expect(!(outcome.output + outcome.errors).contains("\u{1B}"))
  }

  @Test("birds --json prints one JSON line for each bird and nothing else on standard output")
  func jsonOutput() async throws {
    let outcome = try await DemoProcess.run("birds", "--json")
    #expect(outcome.status == 0)
    struct Entry: Decodable {
      struct Picture: Decodable { let width: Int, height: Int, bytes: Int, milliseconds: Double }
      let name: String, picture: Picture
    }
    let birds = try outcome.output.split(separator: "\n").map {
      try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
    }
    #expect(birds.map(\.name).prefix(2) == ["Atlantic puffin", "Common swift"])
    #expect(birds.allSatisfy { $0.picture.width > 100 && $0.picture.bytes > 1_000 })
  }

  @Test("birds --save writes each picture under its bird's name")
  func saveWritesPictures() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "birds-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let outcome = try await DemoProcess.run("birds", "--save", folder.appending(path: "new").path)
    #expect(outcome.status == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "new").path)
    #expect(files.count == 8)
    let puffin = try Data(contentsOf: folder.appending(path: "new/atlantic-puffin.png"))
    #expect(puffin.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test("birds --save writes through a symbolic link and keeps the link")
  func saveFollowsSymbolicLink() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "birds-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let outcome = try await DemoProcess.bash(
      """
      mkdir -p '\(folder.path)/new' && cd '\(folder.path)' && ln -s ../elsewhere.png new/atlantic-puffin.png
      "$demo" birds -q --save new && [[ -L new/atlantic-puffin.png && -s elsewhere.png ]]
      """)
    #expect(outcome.status == 0, "\(outcome)")
  }

  @Test("birds --save fails with code 16 before any request if the folder cannot be written")
  func saveFailure() async throws {
    let outcome = try await DemoProcess.run("birds", "--save", "/dev/null/birds")
    #expect(outcome.status == 16)
    // The whole error output: nothing was loaded.
    #expect(
      outcome.errors
        == "Error: Cannot write /dev/null/birds: /dev/null is not a folder. Use --save with a writable folder.\n"
    )
  }

  @Test("a full disk is an error that suggests free space or another folder for --save")
  func fullDiskOfPictures() {
    let error = BirdsError.cannotSave("birds", because: OutputFile.Failure(code: ENOSPC))
    #expect(
      error.description
        == "Cannot write birds: No space left on device. Free disk space, or use --save with another folder.")
  }

  @Test("birds exits with code 16 if standard output cannot be written")
  func fullDisk() async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    #expect(try await DemoProcess.bash(#"exec "$demo" birds > /dev/full 2> /dev/null"#).status == 16)
  }

  @Test("birds exits with code 0 if the reader closes the pipe early")
  func closedPipe() async throws {
    #expect(try await DemoProcess.bash(#"set -o pipefail; "$demo" birds 2> /dev/null | :"#).status == 0)
  }

  @Test("birds exits with code 64 on an invalid command line and explains the mistake")
  func usageErrors() async throws {
    let outcome = try await DemoProcess.run("birds", "--serve", "http://127.0.0.1:80")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("Did you mean '--server'?"))
    let address = try await DemoProcess.run("birds", "--server", "birds.example")
    #expect(address.status == 64)
    #expect(address.errors.contains("expected an HTTP URL"))
    #expect(try await DemoProcess.run("birds", "--timeout", "-1").status == 64)
  }

  @Test("--help and --version print to standard output")
  func helpAndVersion() async throws {
    let help = try await DemoProcess.run("birds", "--help")
    #expect(help.status == 0)
    #expect(help.output.contains("USAGE: demo birds"))
    #expect(help.output.contains("130  interrupted with Ctrl-C"))
    #expect(try await DemoProcess.run("--version").output == "0.1.0\n")
    #expect(try await DemoProcess.run().output.contains("birds"))
  }
}

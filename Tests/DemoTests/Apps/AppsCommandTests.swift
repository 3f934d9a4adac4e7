import Coordinators
import CoordinatorsTerminal
import Foundation
import Futures
import Loopback
import TestSupport
import Terminal
import Testing

@testable import Demo

@Suite("Commands dictionary, stories and open")
struct AppsCommandTests {
  private static let logIn = "'ayaka' tab 'tulp' enter"

  @Test("a script presses keys and the command prints the final screen")
  func scriptPrintsFinalScreen() async throws {
    let word = try await DemoProcess.run("dictionary", "--script", "\(Self.logIn) down enter")
    #expect(word.status == 0 && word.output.hasPrefix(" ‹ brood\n") && word.output.contains("English  bread"))
    let back = try await DemoProcess.run("dictionary", "--script", "\(Self.logIn) down enter back", "--size", "40X10")
    #expect(
      back.output.hasPrefix(" Words\n")
        && back.output.split(separator: "\n", omittingEmptySubsequences: false).count == 11)
    let story = try await DemoProcess.run("stories", "--script", "down enter back")
    #expect(story.output.hasPrefix(" Stories\n") && story.output.contains("Concert tickets"))
    #expect(try await DemoProcess.run("stories", "--script", "down ctrl-c enter").status == 130)
  }

  @Test("a link opens its screen from a cold start, after a log-in if the screen needs one")
  func linkOpensItsScreen() async throws {
    #expect(try await DemoProcess.run("open", "boundaries://stories/104", "--script", "").output.hasPrefix(" ‹ お土産\n"))
    #expect(
      try await DemoProcess.run("open", "boundaries://users/gary", "--script", "").output.contains("Draws boundaries."))
    #expect(try await DemoProcess.run("open", "boundaries://messages/5", "--script", "").output.contains("Ring ring."))
    let friends = try await DemoProcess.run("open", "boundaries://stories/12345", "--script", "")
    #expect(friends.output.contains("‹ Log in ─") && !friends.output.contains("party"))
    let known = try await DemoProcess.run("open", "boundaries://stories/12345", "--script", Self.logIn)
    #expect(known.output.hasPrefix(" ‹ Surprise party\n"))
    let word = try await DemoProcess.run("open", "boundaries://words/kaas", "--script", Self.logIn)
    #expect(word.output.hasPrefix(" ‹ kaas\n"))
    let found = try await DemoProcess.run("open", "boundaries://words/search?q=ijs", "--script", Self.logIn)
    #expect(found.output.hasPrefix(" ‹ Search\n") && found.output.contains("ice, ice cream"))
    let missing = try await DemoProcess.run("open", "boundaries://stories/9", "--script", "")
    #expect(missing.status == 0 && missing.output.contains("Cannot show the story"))
  }

  @Test("the next run restores the screens and the log-in of the last run")
  func stateIsRestored() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    let open = ["open", "boundaries://stories/12345", "--state", file.path, "--script"]
    _ = try await DemoProcess.start(open + ["\(Self.logIn) end enter"]).outcome()
    let again = try await DemoProcess.run("stories", "--state", file.path, "--script", "")
    #expect(again.output.contains("Messages: Surprise party") && again.output.contains("I have balloons."))
    let back = try await DemoProcess.run("stories", "--state", file.path, "--script", "back back end")
    #expect(back.output.hasPrefix(" Stories\n") && back.output.contains("Log out"))

    // A truncated file loses the screens that need the missing part, and the loss is reported.
    let data = try Data(contentsOf: file)
    try data.prefix(data.count - 20).write(to: file)
    let cut = try await DemoProcess.run("stories", "--state", file.path, "--script", "")
    #expect(cut.status == 0 && cut.errors.contains("Dropped"))
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let nowhere = try await DemoProcess.run("stories", "--state", "/dev/null/x", "--script", "down")
    #expect(nowhere.status == 16 && nowhere.errors.contains("The state is not saved."))
    #expect(!nowhere.errors.contains(".."), "\(nowhere.errors)")
  }

  @Test("the next run removes a temporary state file that a killed run left")
  func leftoverStateFileIsRemoved() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "folder-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let other = folder.appending(path: "other")
    try Data("mine".utf8).write(to: other)
    // A symbolic link at the temporary file's path is not followed.
    try FileManager.default.createSymbolicLink(at: folder.appending(path: ".state.new"), withDestinationURL: other)
    let file = folder.appending(path: "state").path
    #expect(try await DemoProcess.run("stories", "--state", file, "--script", "down").status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["other", "state"])
    #expect(try Data(contentsOf: other) == Data("mine".utf8))
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
  }

  @Test("a state file of another program or app is not changed, and the error names it")
  func foreignStateFileIsKept() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    let thesis = Data("My thesis\n".utf8)
    try thesis.write(to: file)
    let other = try await DemoProcess.run("stories", "--state", file.path, "--script", "")
    #expect(other.status == 1 && other.errors.contains("it is not a state file of this command. The file is unchanged"))
    #expect(try Data(contentsOf: file) == thesis)
    // The same holds for the other app's state and for a device.
    try Data().write(to: file)
    _ = try await DemoProcess.run("stories", "--state", file.path, "--script", "down")
    let stories = try Data(contentsOf: file)
    let dictionary = try await DemoProcess.run("dictionary", "--state", file.path, "--script", "down")
    #expect(dictionary.status == 1 && dictionary.errors.contains("the other app"))
    #expect(try Data(contentsOf: file) == stories)
    let device = try await DemoProcess.run("stories", "--state", "/dev/null", "--script", "down")
    #expect(device.status == 1 && device.errors.contains("not a regular file. Use --state with another file."))
  }

  @Test("the app commands exit with code 64 on an invalid command line and explain the mistake")
  func usageErrors() async throws {
    let lines: [([String], String)] = [
      (["open", "boundaries://storeis/1"], "No route matches this link"), (["open", "nonsense"], "nonsense"),
      (["open", "boundaries://words/search?q=%zz"], "two hexadecimal digits after '%'"),
      (["stories", "--script", "dwon"], "'dwon' is not a key"), (["stories", "--size", "80"], "expected a size"),
      (["stories", "--web", "--size", "80x24"], "--size can only be used with --script"),
      (["stories", "--size", "80x24"], "--size can only be used with --script"),
      (["stories", "--web", "--script", "down"], "cannot be used together"),
      (["stories", "--port", "1"], "only be used with --web"),
      (["stories", "--web", "--port", "x"], "not a port"), (["stories", "--web", "--state", "x"], "state of one user"),
    ]
    for (line, words) in lines {
      let outcome = try await DemoProcess.start(line).outcome()
      #expect(outcome.status == 64 && outcome.errors.contains(words), "\(line): \(outcome.errors)")
    }
  }

  @Test("without a terminal, the command exits with code 17 and suggests --script or --web")
  func noTerminal() async throws {
    let outcome = try await DemoProcess.run("stories")
    #expect(outcome.status == 17 && outcome.errors.contains("is not a terminal. Use --web"))
  }

  @Test("an unreachable server shows an error on the screen with a button to try again")
  func unreachableServer() async throws {
    let outcome = try await DemoProcess.run("stories", "--server", "http://127.0.0.1:9", "--script", "")
    #expect(
      outcome.status == 0 && outcome.output.contains("nothing accepts connections")
        && outcome.output.contains("[ Try again ]"))
  }

  @Test("a port that is already in use is an error")
  func portInUse() async throws {
    let server = try await HTTPServer.start(Router {})
    let outcome = try await DemoProcess.run("stories", "--web", "--port", "\(server.port)")
    #expect(outcome.status == 18 && outcome.errors.contains("\(server.port)"))
    await server.stop()
  }

  @Test("a reader that closes the pipe early is not an error")
  func closedPipe() async throws {
    #expect(try await DemoProcess.bash(#"set -o pipefail; "$demo" stories --script down | :"#).status == 0)
  }

  @Test("escape sequences in a server's data never reach the terminal")
  func escapeSequencesAreRemoved() async throws {
    let evil = #"[{"id":"x","dutch":"\u001b]0;owned\u0007\u001b[31mred","english":"e","example":"x"}]"#
    let server = try await HTTPServer.start(
      Router {
        Route(.post, "/sessions") { _ in HTTPResponse.json(text: #"{"name":"a","token":"t"}"#) }
        Route(.get, "/words") { _ in HTTPResponse.json(text: evil) }
        Route(.get, "/phrases") { _ in HTTPResponse.json(text: "[]") }
      })
    let outcome = try await DemoProcess.run(
      "dictionary", "--server", server.url.absoluteString, "--script", "'a' tab 'b' enter")
    await server.stop(grace: .zero)
    #expect(outcome.output.contains("]0;owned[31mred") && !outcome.output.contains("\u{1B}"))
  }
}

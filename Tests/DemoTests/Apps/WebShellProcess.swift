import Foundation
import TestSupport
import Testing

/// The demo command as a web server.
enum WebShellProcess {
  /// Starts the command with `--web`, runs `body` with its URL, and ends the command with `SIGINT`.
  static func use<Value>(_ arguments: [String], _ body: (URL) async throws -> Value) async throws -> Value {
    let demo = try DemoProcess.start(arguments + ["--web"])
    let line = try #require(await demo.nextLine())
    let url = try #require(line.split(separator: " ").dropFirst().first.flatMap { URL(string: String($0)) })
    let value: Value
    do { value = try await body(url) } catch {
      demo.interrupt()
      _ = await demo.outcome()
      throw error
    }
    demo.interrupt()
    #expect(await demo.outcome().status == 130)
    return value
  }
}

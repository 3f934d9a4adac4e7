import Foundation
import TestSupport
import Testing

@Suite("Child processes", .timeLimit(.minutes(5)))
struct ChildProcessTests {
  private func shell(_ line: String) throws -> ChildProcess { try ChildProcess("/bin/sh", ["-c", line]) }

  @Test("the outcome of a child process has its exit code, its output and its errors")
  func outcome() async throws {
    let outcome = try await shell("echo one; echo two >&2; exit 3").outcome()
    #expect(outcome.status == 3 && outcome.output == "one\n" && outcome.errors == "two\n")
  }

  @Test("line() returns complete lines, and the outcome has the remaining output")
  func lines() async throws {
    let child = try shell("echo one; echo two; echo three; printf four")
    #expect(await child.line() == "one")
    #expect(await child.line() == "two")
    #expect(await child.outcome().output == "three\nfour")
    let other = try shell("echo one; printf two")
    #expect(await other.line() == "one")
    #expect(await other.line() == nil)
    #expect(await other.outcome().output == "two")
  }

  @Test("a child process does not inherit blocked signals, and its status is the negative signal that ended it")
  func signals() async throws {
    for signal in [SIGINT, SIGTERM, SIGKILL] {
      var (blocked, before) = (sigset_t(), sigset_t())
      sigemptyset(&blocked)
      sigaddset(&blocked, signal)
      pthread_sigmask(SIG_BLOCK, &blocked, &before)
      let child = try shell("echo ready; exec sleep 3600")
      pthread_sigmask(SIG_SETMASK, &before, nil)
      #expect(await child.line() == "ready")
      child.send(signal)
      #expect(await child.outcome().status == -signal)
      child.send(signal)
    }
  }

  @Test("a child process has only the given arguments and environment, and an empty input")
  func argumentsAndEnvironment() async throws {
    let child = try ChildProcess(
      "/bin/sh", ["-c", "env; cat; echo $1", "name", "a b"], environment: ["BIRD": "puffin"])
    let lines = Set(await child.outcome().output.split(separator: "\n").map(String.init))
    #expect(lines.isSuperset(of: ["BIRD=puffin", "a b"]) && !lines.contains { $0.hasPrefix("HOME=") })
  }

  @Test("releasing a child process kills it")
  func released() async throws {
    let folder = try TemporaryFolder()
    let fifo = folder.file("fifo")
    try #require(mkfifo(fifo, 0o600) == 0)
    // The witness ends when the last writer of the fifo has closed it.
    let witness = try shell("exec cat '\(fifo)'")
    var child: ChildProcess? = try shell("exec 3>'\(fifo)'; echo ready; exec sleep 3600")
    #expect(await child?.line() == "ready")
    child = nil
    #expect(await witness.outcome().status == 0)
  }

  @Test("a program that cannot be started throws an error with its path")
  func absent() {
    let error = #expect(throws: ChildProcessError.self) { try ChildProcess("/no/such/program") }
    #expect(
      error?.description
        == "Cannot start /no/such/program: No such file or directory. Check the path and its permissions.")
    let other = #expect(throws: ChildProcessError.self) { try ChildProcess.path(besideTests: "no-such-program") }
    #expect(other?.description.contains("Cannot find the program no-such-program beside the tests") == true)
  }
}

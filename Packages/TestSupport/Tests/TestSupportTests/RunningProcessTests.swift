#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite("Running processes", .timeLimit(.minutes(5)))
  struct RunningProcessTests {
    @Test("RunningProcess.all has a process with its parent, arguments and environment until the process ends")
    func running() async throws {
      let child = try ChildProcess(
        "/bin/sh", ["-c", "sleep 3600 & echo $$ $!; wait $!"], environment: ["PATH": "/usr/bin:/bin", "BIRD": "puffin"])
      let numbers = try #require(await child.line()).split(separator: " ").compactMap { Int32($0) }
      let (shell, sleep) = (numbers[0], numbers[1])
      #expect(RunningProcess.descendants(of: getpid()).map(\.processIdentifier).contains(sleep))
      let below = RunningProcess.descendants(of: shell)
      #expect(below.map(\.processIdentifier) == [sleep] && below.map(\.parent) == [shell])
      let seen = try #require(RunningProcess.all.first { $0.processIdentifier == shell })
      #expect(seen.arguments.first == "/bin/sh" && seen.environment.contains("BIRD=puffin"))
      kill(sleep, SIGKILL)
      #expect(await child.outcome().status == 128 + SIGKILL)
      #expect(Set(RunningProcess.all).isDisjoint(with: below + [seen]))
      #expect(seen.arguments == [] && seen.environment == [])
    }

    @Test("a process is equal to itself after its parent has changed")
    func adopted() async throws {
      let child = try ChildProcess("/bin/sh", ["-c", "(sleep 3600 >/dev/null 2>&1 & echo $!; read nothing <&3)"])
      let number = try #require(await child.line().flatMap { Int32($0) })
      let before = try #require(RunningProcess.all.first { $0.processIdentifier == number })
      _ = await child.outcome()
      let after = try #require(RunningProcess.all.first { $0.processIdentifier == number })
      #expect(before == after && before.hashValue == after.hashValue)
      kill(number, SIGKILL)
    }
  }
#endif

import Foundation
import TestSupport
import Testing

@testable import WebSnapshotting

#if os(Linux)
  /// The sandbox is not available to root, so as root these tests run as a user without privileges.
  @Suite(
    "The sandbox",
    .enabled(
      if: Unprivileged.isPossible,
      "It takes a user other than root who may make namespaces and read the tests; as root also `setpriv` and `unshare`."
    ),
    .timeLimit(.minutes(2)))
  struct SandboxTests {
    /// The status of each page process.
    private func pages(of probe: Probe) throws -> [String] {
      let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
      let text = { (name: String, id: pid_t) in
        (try? String(contentsOfFile: "/proc/\(id)/\(name)", encoding: .utf8)) ?? ""
      }
      let shell = try #require(processes.first { text("status", $0).contains("\nPPid:\t\(probe.process)\n") })
      return processes.filter { getpgid($0) == shell && text("cmdline", $0).contains("--type=renderer") }
        .map { text("status", $0) }.filter { !$0.isEmpty }
    }

    @Test("pages of an ordinary user run in the sandbox")
    func ordinary() async throws {
      let temporary = try TemporaryFolder()
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: temporary.path)
      let variables = ["WEB_SNAPSHOTTING_SANDBOX": "", "HOME": temporary.path]
      let probe = try Probe("hold", temporary: temporary, variables: variables, wrapper: Unprivileged.wrapper)
      #expect(await probe.line() == "ready")
      // A spare page process may have just started, before it confines itself.
      try await poll(while: !pages(of: probe).allSatisfy { $0.contains("Seccomp:\t2") })
      let pages = try pages(of: probe)
      #expect(!pages.isEmpty)
      for page in pages {
        #expect(page.split(separator: "\n").first { $0.hasPrefix("NSpid:") }?.split(separator: "\t").count ?? 0 > 2)
      }
      kill(probe.process, SIGKILL)
      #expect(await probe.end() == -SIGKILL)
      #expect(temporary.contents.isEmpty)
    }
  }

  /// Starts a process without the privileges of root.
  enum Unprivileged {
    static var wrapper: [String] {
      geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"] : []
    }

    /// Whether an unprivileged user can create namespaces, which the sandbox needs, and can read the tests.
    static let isPossible: Bool = {
      guard let program = try? Probe.program else { return false }
      let check = Process()
      let command = wrapper + ["/usr/bin/unshare", "-U", "/usr/bin/test", "-x", program]
      guard FileManager.default.isExecutableFile(atPath: command[0]) else { return false }
      check.executableURL = URL(fileURLWithPath: command[0])
      check.arguments = Array(command.dropFirst())
      check.standardError = FileHandle.nullDevice
      guard (try? check.run()) != nil else { return false }
      check.waitUntilExit()
      return check.terminationStatus == 0
    }()
  }
#endif

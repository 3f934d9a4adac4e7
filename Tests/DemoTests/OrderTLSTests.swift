import Foundation
import LoopbackTesting
import TestSupport
import Testing

@Suite("Orders over TLS", .timeLimit(.minutes(2))) struct OrderTLSTests {
  /// Runs `demo order serve` with TLS, and passes its options to a function.
  private func serving(
    _ certificate: TestCertificate, _ more: [String] = [], _ body: ([String]) async throws -> Void
  ) async throws {
    let server = try DemoProcess.start(
      ["order", "serve", "--tls-cert", certificate.certificateFile, "--tls-key", certificate.keyFile] + more)
    let line = try #require(await server.nextLine())
    let found = try #require(line.firstMatch(of: /--server (\S+) --push ([^;]+);/))
    try await body(["--server", String(found.1), "--push", String(found.2)])
    server.interrupt()
    #expect(await server.outcome().status == 130)
  }

  private func run(_ arguments: [String]) async throws -> DemoProcess.Outcome {
    try await DemoProcess.start(arguments).outcome()
  }

  @Test("an order is taken over TLS on both channels, with the authority in --ca") func taken() async throws {
    let authority = try await TestCertificateAuthority()
    try await serving(authority.issue()) { server in
      #expect(server[1].hasPrefix("https://"))
      let outcome = try await run(["order", "take", "tour-2", "--ca", authority.certificateFile] + server)
      #expect(outcome.status == 0 && outcome.output.contains("first reported by a push"), "\(outcome)")
      #expect(outcome.output.contains("Order tour-2 is yours"), "\(outcome)")
    }
  }

  @Test("an untrusted server gets no request, and the error says how to trust it, once") func untrusted() async throws {
    try await serving(TestCertificateAuthority().issue()) { server in
      let outcome = try await run(["order", "take", "tour-2"] + server)
      #expect(outcome.status == 10 && outcome.output.contains("PUT 1 failed: no secure connection"), "\(outcome)")
      #expect(!outcome.output.contains("PUT 2"), "\(outcome)")
      #expect(outcome.output.contains("not taken; no PUT reached the server"), "\(outcome)")
      #expect(outcome.errors.hasSuffix("to the trusted authorities. Give it with --ca.\n"), "\(outcome)")
    }
  }

  @Test("with --client-ca, only a driver with a certificate is served") func mutual() async throws {
    let authority = try await TestCertificateAuthority()
    let driver = try await authority.issueClient(name: "driver 7")
    let trust = ["--ca", authority.certificateFile]
    try await serving(authority.issue(), ["--client-ca", authority.certificateFile]) { server in
      let anonymous = try await run(["order", "take", "tour-2"] + server + trust)
      #expect(anonymous.status == 10 && anonymous.errors.contains("certificate, or requires one"), "\(anonymous)")
      let identity = ["--client-cert", driver.certificateFile, "--client-key", driver.keyFile]
      let known = try await run(["order", "take", "tour-2"] + server + trust + identity)
      #expect(known.status == 0, "\(known)")
    }
  }

  @Test("TLS options that have no effect, or are incomplete, are refused")
  func invalid() async throws {
    for arguments in [
      ["order", "list", "--server", "http://127.0.0.1:9", "--ca", "ca.pem"], ["order", "take", "--ca", "ca.pem"],
      ["birds", "--ca", "ca.pem"], ["birds", "--server", "https://127.0.0.1:9", "--client-cert", "a.pem"],
    ] {
      #expect(try await run(arguments).status == 64, "\(arguments)")
    }
    for (given, missing) in [("--tls-cert", "--tls-key"), ("--tls-key", "--tls-cert"), ("--client-ca", "--tls-cert")] {
      let outcome = try await run(["order", "serve", given, "a.pem"])
      #expect(outcome.status == 64 && outcome.errors.contains("'\(given)' needs '\(missing)'."), "\(outcome)")
    }
  }
}

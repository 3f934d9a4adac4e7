import Foundation
import LoopbackTesting
import TestSupport
import Testing

@Suite("Orders over TLS", .timeLimit(.minutes(5))) struct OrderTLSTests {
  /// Runs `demo order serve` with TLS, and takes an order from it.
  private func take(with authority: TestCertificateAuthority, _ words: String...) async throws -> DemoProcess.Outcome {
    let certificate = try await authority.issue()
    let server = try DemoProcess.start([
      "order", "serve", "--tls-cert", certificate.certificateFile, "--tls-key", certificate.keyFile,
    ])
    let line = try #require(await server.nextLine())
    let found = try #require(line.firstMatch(of: /--server (https:\S+) --push ([^;]+);/))
    let address = ["--server", String(found.1), "--push", String(found.2)]
    let outcome = try await DemoProcess.start(["order", "take", "tour-2"] + words + address).outcome()
    server.interrupt()
    #expect(await server.outcome().status == 130)
    return outcome
  }

  @Test("an order is taken over TLS on both channels, with the authority in --ca") func taken() async throws {
    let authority = try await TestCertificateAuthority()
    let outcome = try await take(with: authority, "--ca", authority.certificateFile)
    #expect(outcome.status == 0 && outcome.output.contains("first reported by a push"), "\(outcome)")
    #expect(outcome.output.contains("Order tour-2 is yours"), "\(outcome)")
  }

  @Test("an untrusted server gets no request, and the error names --ca") func untrusted() async throws {
    let outcome = try await take(with: TestCertificateAuthority())
    #expect(outcome.status == 1 && outcome.output.contains("PUT failed: no secure connection"), "\(outcome)")
    #expect(outcome.output.components(separatedBy: "PUT sent").count == 2, "\(outcome)")
    #expect(outcome.errors.contains("Last error: no secure connection"), "\(outcome)")
    #expect(outcome.errors.contains("Check the order's name, --server and --ca"), "\(outcome)")
  }
}

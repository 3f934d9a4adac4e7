import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import LoopbackTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests to a server that is not ours, where nginx is installed.
@Suite("A libcurl client and nginx", .enabled(if: Nginx.program != nil), .timeLimit(.minutes(5))) struct NginxTests {
  @Test("HTTP/2 is used, bodies are decompressed, redirects are followed, and a small request body limit is a response")
  func overHTTP2() async throws {
    let server = try await Nginx()
    let client = server.client()
    let (body, response) = try await client.dataFuture(for: server.request("/moved")).get()
    #expect(response.value(forHTTPHeaderField: "X-Protocol") == "HTTP/2.0")
    #expect(response.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
    #expect(response.statusCode == 200 && text(body).hasSuffix("egg 19999\n"))
    let plain = try server.request("/eggs.txt") { $0.setValue("identity", forHTTPHeaderField: "Accept-Encoding") }
    #expect(try await client.dataFuture(for: plain).get().0 == body)
    let large = try await client.dataFuture(for: server.request("/large")).get().0
    #expect(large == Data(repeating: 7, count: 5_000_000))
    let put = try server.request("/") { ($0.httpMethod, $0.httpBody) = ("PUT", Data(count: 2_000)) }
    #expect(try await client.dataFuture(for: put).get().1.statusCode == 413)
    let error = try await error(of: server.request("/closed") { $0.httpMethod = "PUT" }, by: client)
    #expect(error.kind == .connectionLost && error.mayHaveReachedServer, "\(error)")
  }
}

private final class Nginx {
  static let program = ["/usr/sbin/nginx", "/opt/homebrew/bin/nginx", "/usr/local/bin/nginx"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private let authority: TestCertificateAuthority
  private let port: Int
  private let folder: TemporaryFolder
  private let certificate: TestCertificate
  private let process = Process()

  init() async throws {
    folder = try TemporaryFolder()
    authority = try await TestCertificateAuthority()
    certificate = try await authority.issue()
    // A port that was free a moment ago. nginx tries again if the server still has it.
    let server = try ScriptedServer(.close)
    server.stop()
    port = Int(server.port)
    try Data(repeating: 7, count: 5_000_000).write(to: URL(filePath: folder.file("large")))
    let eggs = (0..<20_000).map { "egg \($0)\n" }.joined()
    try Data(eggs.utf8).write(to: URL(filePath: folder.file("eggs.txt")))
    let configuration = """
      daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log stderr emerg;
      events { worker_connections 1024; }
      http {
        access_log off; default_type text/plain; root "\(folder.path)";
        client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
        server {
          listen 127.0.0.1:\(port) ssl http2;
          ssl_certificate "\(certificate.certificateFile)"; ssl_certificate_key "\(certificate.keyFile)";
          add_header X-Protocol $server_protocol;
          gzip on; gzip_types text/plain; gzip_min_length 1000; client_max_body_size 1k;
          location = /moved { return 302 /eggs.txt; }
          location = /closed { return 444; }
        }
      }
      """
    try configuration.write(toFile: folder.file("nginx.conf"), atomically: true, encoding: .utf8)
    process.executableURL = URL(filePath: try #require(Self.program))
    process.arguments = ["-p", folder.path, "-c", folder.file("nginx.conf"), "-e", "stderr"]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    try await poll(while: process.isRunning && (try? RawClient(port: port)) == nil)
  }

  deinit {
    // A process inherits the blocked signals of the thread that starts it, so another signal may not arrive.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func client() -> HTTPClient {
    var configuration = CurlConfiguration()
    configuration.certificateAuthorities = authority.certificateFile
    return .curl(configuration)
  }

  func request(_ path: String, _ change: (inout URLRequest) -> Void = { _ in }) throws -> URLRequest {
    var request = URLRequest(url: try #require(URL(string: "https://127.0.0.1:\(port)\(path)")))
    change(&request)
    return request
  }
}

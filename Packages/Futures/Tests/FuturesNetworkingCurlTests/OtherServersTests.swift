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

/// Requests to servers that are not ours.
///
/// They run where nginx and Python are installed.
@Suite("A libcurl client and other servers", .timeLimit(.minutes(1))) struct OtherServersTests {
  static let nginx = ["/usr/sbin/nginx", "/opt/homebrew/bin/nginx", "/usr/local/bin/nginx"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  static let python = ["/usr/bin/python3", "/opt/homebrew/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  final class Server {
    let port: Int
    let folder: TemporaryFolder
    let authority: TestCertificateAuthority
    private let certificate: TestCertificate
    private let process = Process()

    init(
      _ program: String, arguments: (Server.Files) throws -> [String]
    ) async throws {
      folder = try TemporaryFolder()
      authority = try await TestCertificateAuthority()
      certificate = try await authority.issue()
      port = try unusedPort()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = try arguments(
        Files(
          port: port, folder: folder, certificate: certificate.certificateFile, key: certificate.keyFile,
          authority: authority.certificateFile))
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
      try process.run()
      try await poll(while: process.isRunning && (try? RawClient(port: port)) == nil)
    }

    deinit {
      // A process inherits the blocked signals of the thread that starts it, so another signal may not arrive.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    struct Files {
      let port: Int
      let folder: TemporaryFolder
      let certificate: String
      let key: String
      let authority: String
    }

    func client(_ change: (inout CurlConfiguration) -> Void = { _ in }) -> HTTPClient {
      var configuration = CurlConfiguration()
      configuration.certificateAuthorities = authority.certificateFile
      change(&configuration)
      return .curl(configuration)
    }

    func request(_ path: String, _ method: String = "GET", body: Data? = nil) throws -> URLRequest {
      var request = URLRequest(url: try #require(URL(string: "https://127.0.0.1:\(port)\(path)")))
      request.httpMethod = method
      request.httpBody = body
      return request
    }
  }

  static func startNginx(_ settings: String = "") async throws -> Server {
    try await Server(try #require(nginx)) { files in
      try Data(repeating: 7, count: 5_000_000).write(to: URL(fileURLWithPath: files.folder.file("large")))
      try Data((0..<20_000).map { "egg \($0)\n" }.joined().utf8).write(
        to: URL(fileURLWithPath: files.folder.file("eggs.txt")))
      let configuration = """
        daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log stderr emerg;
        events { worker_connections 1024; }
        http {
          access_log off; default_type text/plain; root "\(files.folder.path)";
          client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
          server {
            listen 127.0.0.1:\(files.port) ssl http2;
            ssl_certificate "\(files.certificate)"; ssl_certificate_key "\(files.key)";
            add_header X-Protocol $server_protocol;
            gzip on; gzip_min_length 1000; client_max_body_size 1k;
            \(settings.replacing("AUTHORITY", with: "\"\(files.authority)\""))
            location = /moved { return 302 /eggs.txt; }
            location = /closed { return 444; }
          }
        }
        """
      try configuration.write(toFile: files.folder.file("nginx.conf"), atomically: true, encoding: .utf8)
      return ["-p", files.folder.path, "-c", files.folder.file("nginx.conf"), "-e", "stderr"]
    }
  }

  @Test("uses HTTP/2 with nginx, decompresses bodies and follows redirects", .enabled(if: nginx != nil))
  func nginxOverHTTP2() async throws {
    let server = try await Self.startNginx()
    let client = server.client()
    let (body, response) = try await client.dataFuture(for: server.request("/moved")).get()
    #expect(response.value(forHTTPHeaderField: "X-Protocol") == "HTTP/2.0")
    #expect(response.statusCode == 200 && text(body).hasSuffix("egg 19999\n"))
    let large = try await client.dataFuture(for: server.request("/large")).get().0
    #expect(large == Data(repeating: 7, count: 5_000_000))
    #expect(try await client.dataFuture(for: server.request("/nothing")).get().1.statusCode == 404)
    let refused = try await client.dataFuture(for: server.request("/", "PUT", body: Data(count: 2_000))).get().1
    #expect(refused.statusCode == 413)
  }

  @Test("a server that closes each connection after a request loses none", .enabled(if: nginx != nil))
  func closedConnections() async throws {
    let server = try await Self.startNginx("keepalive_requests 1;")
    let client = server.client()
    for _ in 0..<30 {
      let response = try await client.dataFuture(for: server.request("/eggs.txt")).get().1
      #expect(response.statusCode == 200)
    }
  }

  @Test("a connection that nginx closes without a response may have reached it", .enabled(if: nginx != nil))
  func closedWithoutResponse() async throws {
    let server = try await Self.startNginx()
    let error = try await error(of: server.request("/closed", "PUT"), by: server.client())
    #expect(error.kind == .connectionLost && error.mayHaveReachedServer, "\(error)")
  }

  @Test("a client certificate that nginx requires is sent", .enabled(if: nginx != nil))
  func mutualTLS() async throws {
    let server = try await Self.startNginx("ssl_client_certificate AUTHORITY; ssl_verify_client on;")
    let without = try await server.client().dataFuture(for: server.request("/eggs.txt")).get().1
    #expect(without.statusCode == 400)
    let certificate = try await server.authority.issueClient(name: "till 7")
    let client = server.client {
      $0.identity = CurlConfiguration.Identity(certificate: certificate.certificateFile, key: certificate.keyFile)
    }
    #expect(try await client.dataFuture(for: server.request("/eggs.txt")).get().1.statusCode == 200)
  }

  @Test("a response that ends within a TLS record is an error", .enabled(if: python != nil))
  func truncatedRecord() async throws {
    let server = try await Server(try #require(Self.python)) { files in
      let program = """
        import socket, ssl, sys
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2], sys.argv[3])
        listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
        def answer(client):
          received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
          tls = context.wrap_bio(received, sent, server_side=True)
          def repeat(step):
            while True:
              try:
                step()
                return client.sendall(sent.read())
              except ssl.SSLWantReadError:
                client.sendall(sent.read())
                received.write(client.recv(65536) or sys.exit())
          repeat(tls.do_handshake)
          repeat(lambda: tls.read(65536))
          tls.write(b"HTTP/1.1 200 OK\\r\\nContent-Length: 1000\\r\\n\\r\\n" + b"x" * 1000)
          record = sent.read()
          client.sendall(record[:len(record) // 2])
        while True:
          client = listener.accept()[0]
          try: answer(client)
          except (OSError, SystemExit): pass
          client.close()
        """
      return ["-c", program, "\(files.port)", files.certificate, files.key]
    }
    let error = try await error(of: server.request("/"), by: server.client())
    #expect(error.kind == .connectionLost && error.mayHaveReachedServer, "\(error)")
  }
}

/// Returns a port of this machine that was free a moment ago.
private func unusedPort() throws -> Int {
  #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
  #else
    let kind = SOCK_STREAM
  #endif
  let descriptor = socket(AF_INET, kind, 0)
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
    }
  }
  try #require(isBound)
  return Int(UInt16(bigEndian: address.sin_port))
}

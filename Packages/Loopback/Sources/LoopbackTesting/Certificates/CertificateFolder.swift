internal import Foundation

/// The folder is removed with the last reference.
final class CertificateFolder: Sendable {
  private let path: String

  init() throws(TestCertificateError) {
    path = FileManager.default.temporaryDirectory.path + "/certificate-\(UUID())"
    guard mkdir(path, 0o700) == 0 else {
      throw TestCertificateError(
        "create the folder \(path)", String(cString: strerror(errno)), "Set TMPDIR to an existing, writable folder.")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Each folder has its own list of issued certificates, so that an authority can issue several at the same time.
  func configure(name: String, extensions: [String]) throws(TestCertificateError) {
    let text = """
      [req]
      prompt = no
      distinguished_name = subject
      [subject]
      CN = \(name)
      [extensions]
      \(extensions.joined(separator: "\n"))
      [ca]
      default_ca = authority
      [authority]
      database = issued.txt
      new_certs_dir = .
      rand_serial = yes
      default_md = sha256
      policy = policy
      [policy]
      commonName = supplied
      """
    let values = ([name] + extensions).joined()
    guard !name.isEmpty, !values.contains(where: { $0.isNewline || "$\\#\"'`".contains($0) }) else {
      throw TestCertificateError(
        "create a certificate for '\(name)'", "a name is empty or contains a character with a meaning for openssl",
        "Use letters, digits, spaces and '.', '-', '_', ':', '@'.")
    }
    for (name, text) in [("openssl.cnf", text + "\n"), ("issued.txt", "")] {
      guard FileManager.default.createFile(atPath: file(name), contents: Data(text.utf8)) else {
        throw TestCertificateError(
          "write \(file(name))", String(cString: strerror(errno)), "Check the free disk space.")
      }
    }
  }

  func run(_ arguments: [String]) async throws(TestCertificateError) {
    let attempt = "run 'openssl \(arguments.joined(separator: " "))'"
    let log = file("openssl.log")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: path)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    let errors = FileHandle(forWritingAtPath: log)
    // Foundation on Linux does not release an ended process, and with it the descriptor.
    defer { try? errors?.close() }
    process.standardError = errors ?? FileHandle.nullDevice
    let status: Int32?
    do {
      status = try await withCheckedThrowingContinuation { continuation in
        process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
        do { try process.run() } catch { continuation.resume(throwing: error) }
      }
    } catch {
      throw TestCertificateError(attempt, "\(error)", "Check that /usr/bin/env exists and that a process can start.")
    }
    guard status != 127 else {
      throw TestCertificateError(
        attempt, "the command is not on the PATH",
        "Install it with 'apt-get install openssl' or 'brew install openssl@3'.")
    }
    guard status == 0 else {
      let output = FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? ""
      throw TestCertificateError(
        attempt, "it ended with status \(status ?? -1)", "Its output is:\n\(output)")
    }
  }
}

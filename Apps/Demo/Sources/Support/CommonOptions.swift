internal import Arguments
internal import Foundation

/// The options that several commands share, declared once.
enum CommonOptions {
  static var json: Flag { Flag("json", help: "Print JSON lines.") }

  static var quiet: Flag { Flag("quiet", short: "q", help: "Print only results and errors.") }

  /// The random seed.
  ///
  /// Optional, so that a command can detect and refuse `--seed`. Commands use 1 for `nil`.
  static var seed: Option<UInt64?> {
    Option<UInt64?>("seed", valueName: "number", help: "Random seed; default: 1.")
  }

  static var server: Option<ServerAddress?> {
    Option<ServerAddress?>("server", valueName: "url", help: "Use this server instead of the embedded server.")
  }
}

/// The name of a file or an order, or a token.
struct NonEmptyText: ExpressibleByArgument, Sendable, Equatable {
  let text: String
}

extension NonEmptyText {
  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else { throw ValidationError("expected a text that is not empty") }
    text = argument
  }

  var defaultValueDescription: String { text }
}

struct ServerAddress: ExpressibleByArgument, Sendable, Equatable {
  let url: URL

  init(argument: String) throws(ValidationError) {
    guard let url = URL(string: argument), ["http", "https"].contains(url.scheme?.lowercased()),
      url.host?.isEmpty == false, (1...65_535).contains(url.port ?? 80), url.query == nil, url.fragment == nil,
      url.user == nil, url.password == nil
    else {
      throw ValidationError("expected an HTTP URL without user, '?' and '#', such as http://127.0.0.1:8080")
    }
    self.url = url
  }

  /// The name of the server in log-ins and journals: the normalised URL.
  var name: String {
    let scheme = url.scheme?.lowercased() ?? "http"
    let port = url.port ?? (scheme == "https" ? 443 : 80)
    var name = "\(scheme)://\(url.host?.lowercased() ?? ""):\(port)\(url.path)"
    while name.hasSuffix("/") { name.removeLast() }
    return name
  }

  var defaultValueDescription: String { url.absoluteString }
}

struct Seconds: ExpressibleByArgument, Sendable, Equatable {
  let value: Double

  init(_ value: Double) { self.value = value }

  init(argument: String) throws(ValidationError) {
    guard let value = Double(argument), value.isFinite, value > 0, value <= 86_400 else {
      throw ValidationError("expected a number of seconds above 0 and at most 86400")
    }
    self.value = value
  }

  var duration: Duration { .seconds(value) }

  var defaultValueDescription: String { value.formatted() }
}

internal import Arguments
internal import Foundation
internal import OrderTakingServer

/// What `demo order` was asked to do.
enum OrderAction: Sendable {
  case take(order: String?, OrderOptions)
  case list(OrderOptions)
  case resume(OrderOptions)
  case status(order: String?, OrderOptions)
  case serve(ServeOptions)
  case simulate(SimulateOptions)
}

/// Where the server is, what to remember, and how to show it.
struct OrderOptions: Sendable {
  var server: ServerAddress?
  var push: HostAndPort?
  var token: String
  var journal: FilePath?
  var faults: FaultText?
  var seed: UInt64
  var json: Bool

  static let declarations = OptionGroup(output: OrderOptions.init) {
    Option<ServerAddress?>("server", valueName: "url", help: "Use this server instead of starting one.")
    Option<HostAndPort?>(
      "push", valueName: "host:port", help: "The server's push channel; without it results are asked for.")
    Option<String>(
      "token", default: EmbeddedServer.token, valueName: "token", help: "The bearer token for both channels.")
    Option<FilePath?>(
      "journal", valueName: "file", help: "Keep what is needed to finish after a crash here.", completion: .file)
    Option<FaultText?>(
      "faults", valueName: "spec", help: "What the started server does wrong: all, or items such as 503=0.2,lost=0.1.")
    Option<UInt64>("seed", default: 1, valueName: "number", help: "Where the chances of faults start.")
    Flag("json", help: "Print JSON lines.")
  }
}

/// What `demo order serve` was asked to do.
struct ServeOptions: Sendable {
  var port: Int
  var pushPort: Int
  var orders: Int
  var state: FilePath?
  var token: String
  var faults: FaultText?
  var seed: UInt64
  var json: Bool
}

/// What `demo order simulate` was asked to do.
struct SimulateOptions: Sendable {
  var seed: UInt64
  var count: Int
  var liveness: Bool
  var json: Bool
}

/// A host and a port, as typed.
struct HostAndPort: ExpressibleByArgument, Sendable, Equatable {
  let host: String
  let port: Int

  init(_ host: String, _ port: Int) {
    self.host = host
    self.port = port
  }

  init(argument: String) throws(ValidationError) {
    guard let colon = argument.lastIndex(of: ":"), let port = Int(argument[argument.index(after: colon)...]),
      (1...65_535).contains(port), colon > argument.startIndex
    else {
      throw ValidationError("'\(argument)' is not a host and a port, such as 127.0.0.1:7001.")
    }
    self.port = port
    host = argument[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
  }

  var defaultValueDescription: String { "\(host):\(port)" }
}

/// Faults, as typed.
struct FaultText: ExpressibleByArgument, Sendable, Equatable {
  let faults: ServerFaults
  private let text: String

  init(argument: String) throws(ValidationError) {
    do throws(FaultSpecificationError) {
      faults = try ServerFaults(argument)
      text = argument
    } catch {
      throw ValidationError(error.description)
    }
  }

  var defaultValueDescription: String { text }
}

internal import Arguments
internal import Foundation
internal import OrderTaking
internal import OrderTakingServer

/// What `demo order` was asked to do.
enum OrderAction: Sendable {
  case take(order: String?, OrderOptions, within: TakingTime)
  case list(OrderOptions)
  case resume(OrderOptions, within: TakingTime)
  case status(order: String?, OrderOptions, within: Seconds)
  case serve(ServeOptions)
  case simulate(SimulateOptions)
}

/// How long taking may take, as typed.
///
/// Never longer than the standard policy has it: by that is judged, in any later process, whether a PUT of a wish can still be
/// on its way.
struct TakingTime: ExpressibleByArgument, Sendable, Equatable {
  let duration: Duration

  private static let longest = TakingPolicy.standard.budget ?? .seconds(120)

  static let option = Option<TakingTime>(
    "timeout", default: TakingTime(duration: .seconds(30)), valueName: "seconds",
    help: "How long all of it may take, every repetition included; at most \(text(longest)).")

  init(duration: Duration) { self.duration = duration }

  init(argument: String) throws(ValidationError) {
    duration = try Seconds(argument: argument).duration
    guard duration <= Self.longest else {
      throw ValidationError(
        "'\(argument)' is more than \(Self.text(Self.longest)) seconds, after which nobody wants an order put. "
          + "Give fewer. What is unfinished then, demo order resume finishes where there is a --journal.")
    }
  }

  var defaultValueDescription: String { Self.text(duration) }

  private static func text(_ duration: Duration) -> String { (duration / .seconds(1)).formatted() }
}

/// Where the server is, what to remember, and how to show it.
struct OrderOptions: Sendable {
  var server: ServerAddress?
  var push: HostAndPort?
  var token: String
  var journal: FilePath?
  /// Where a server that is started remembers who has which order.
  var state: String?
  var faults: ServerFaults
  var seed: UInt64
  var json: Bool
  var quiet: Bool

  /// For those that take and ask.
  static let declarations = OptionGroup(output: forTaking) {
    CommonOptions.server
    Option<HostAndPort?>(
      "push", valueName: "host:port", help: "That server's push channel; without it results are asked for.")
    tokenOption
    Option<FilePath?>(
      "journal", valueName: "file", help: "Keep what is needed to finish after a crash here.", completion: .file)
    faultsOption
    CommonOptions.seed
    CommonOptions.json
    CommonOptions.quiet
  }

  /// For the list, which takes nothing: without a push channel, and without a journal of its own.
  static let listDeclarations = OptionGroup(output: forListing) {
    CommonOptions.server
    tokenOption
    Option<FilePath?>(
      "journal", valueName: "file", help: "List what the server has left that was started with this journal.",
      completion: .file)
    faultsOption
    CommonOptions.seed
    CommonOptions.json
  }

  private static let tokenOption = Option<String>(
    "token", default: EmbeddedServer.token, valueName: "token", help: "The bearer token for both channels.")
  private static let faultsOption = Option<FaultText?>(
    "faults", valueName: "spec", help: "What the started server does wrong: all, or items such as 503=0.2,lost=0.1.")

  @Sendable private static func forTaking(
    _ server: ServerAddress?, _ push: HostAndPort?, _ token: String, _ journal: FilePath?, _ faults: FaultText?,
    _ seed: UInt64?, _ json: Bool, _ quiet: Bool
  ) throws(ValidationError) -> OrderOptions {
    guard server != nil || push == nil else {
      throw ValidationError("--push is the channel of a server that --server names. Give both, or neither.")
    }
    return try OrderOptions(server, push, token, journal, state: journal, faults, seed, json, quiet)
  }

  @Sendable private static func forListing(
    _ server: ServerAddress?, _ token: String, _ journal: FilePath?, _ faults: FaultText?, _ seed: UInt64?, _ json: Bool
  ) throws(ValidationError) -> OrderOptions {
    guard server == nil || journal == nil else {
      throw ValidationError("A list of a server that --server names needs no --journal. Give one of them.")
    }
    return try OrderOptions(server, nil, token, journal, state: journal, faults, seed, json, false)
  }

  private init(
    _ server: ServerAddress?, _ push: HostAndPort?, _ token: String, _ journal: FilePath?, state: FilePath?,
    _ faults: FaultText?, _ seed: UInt64?, _ json: Bool, _ quiet: Bool
  ) throws(ValidationError) {
    guard server == nil || faults == nil else {
      throw ValidationError("--faults are those of a server that is started; --server names another. Give one of them.")
    }
    try SeededFaults.check(faults, seed)
    try BearerToken.check(token)
    (self.server, self.push, self.token, self.journal) = (server, push, token, journal)
    (self.json, self.quiet) = (json, quiet)
    self.state = state.map { $0.path + ".server" }
    (self.faults, self.seed) = (faults?.faults ?? .none, seed ?? 1)
  }
}

/// What holds wherever there are faults and a seed of their chances.
private enum SeededFaults {
  static func check(_ faults: FaultText?, _ seed: UInt64?) throws(ValidationError) {
    guard faults != nil || seed == nil else {
      throw ValidationError("--seed says where the chances of --faults start. Give both, or neither.")
    }
  }
}

/// What holds of every token.
private enum BearerToken {
  static func check(_ token: String) throws(ValidationError) {
    guard !token.isEmpty else { throw ValidationError("An empty --token is nobody's. Give one, or leave it out.") }
  }
}

/// What `demo order serve` was asked to do.
struct ServeOptions: Sendable {
  var port: Port
  var pushPort: Port
  var orders: Int
  var state: FilePath?
  var token: String
  var faults: ServerFaults
  var seed: UInt64
  var json: Bool
  /// Whether nothing is shown but where it is, and failures of its own.
  var quiet: Bool

  init(
    _ port: Port, _ pushPort: Port, _ orders: Int, _ state: FilePath?, _ token: String, _ faults: FaultText?,
    _ seed: UInt64?, _ json: Bool, _ quiet: Bool
  ) throws(ValidationError) {
    guard (1...1_000_000).contains(orders) else {
      throw ValidationError("--orders takes a number from 1 to 1000000, not \(orders).")
    }
    try SeededFaults.check(faults, seed)
    try BearerToken.check(token)
    (self.port, self.pushPort, self.orders, self.state) = (port, pushPort, orders, state)
    (self.token, self.faults, self.seed) = (token, faults?.faults ?? .none, seed ?? 1)
    (self.json, self.quiet) = (json, quiet)
  }
}

/// What `demo order simulate` was asked to do.
struct SimulateOptions: Sendable {
  var seed: UInt64
  var count: Int
  var liveness: Bool
  var json: Bool

  init(_ seed: UInt64?, _ count: Int, _ liveness: Bool, _ json: Bool) throws(ValidationError) {
    let seed = seed ?? 1
    guard (1...100_000_000).contains(count) else {
      throw ValidationError("--count takes a number from 1 to 100000000, not \(count).")
    }
    guard count == 1 || seed <= .max - UInt64(count) else {
      throw ValidationError(
        "The last of several worlds has the seed \(UInt64.max - 1) at most. Begin with a smaller one.")
    }
    (self.seed, self.count, self.liveness, self.json) = (seed, count, liveness, json)
  }
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
    guard !argument.isEmpty else {
      throw ValidationError("No faults are what there is without --faults. Say all, or items such as 503=0.2,lost=0.1.")
    }
    do throws(FaultSpecificationError) {
      faults = try ServerFaults(argument)
      text = argument
    } catch {
      throw ValidationError(error.description)
    }
  }

  var defaultValueDescription: String { text }
}

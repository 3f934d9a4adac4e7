internal import Foundation

/// Takes many orders over loopback with simulated faults, and compares the server with the drivers' journals.
///
/// usage: OrderTakingSoak [--orders N] [--clients N] [--kills N] [--seed N] [--faults SPEC] [--folder DIR]
///
/// A server with faults runs in this process. The drivers run in a second process, each with its own journal. The second process
/// is killed with SIGKILL and restarted to resume its orders: `--kills` times, or fewer if all orders have results before.
///
/// Exit status: 0 if the server and the journals agree on every order; 1 if they differ, after a list of the differences; 64
/// for an invalid option or a soak test that cannot finish; 2 for other errors, such as invalid faults.
@main
enum OrderTakingSoak {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if arguments.first == "drivers" {
        try await Drivers(arguments: Array(arguments.dropFirst())).run()
        exit(0)
      }
      let findings = try await Soak(SoakOptions(arguments)).run()
      exit(findings.isEmpty ? 0 : 1)
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(error is SoakOptions.Failure ? 64 : 2)
    }
  }
}

/// The options of a soak test.
struct SoakOptions: Sendable {
  /// The error of an invalid option, or of a soak test that cannot finish.
  struct Failure: Error, CustomStringConvertible { let description: String }

  var orders = 2_000
  var clients = 64
  var kills = 20
  var seed: UInt64 = 1
  var faults = "all"
  /// The folder for the files, or `nil` for a temporary folder that is removed at the end.
  var folder: String?

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else {
        throw Failure(description: "Cannot read \(name): it needs a value. \(Self.help)")
      }
      switch name {
      case "--orders": orders = try Self.number(value, 1...100_000, name)
      case "--clients": clients = try Self.number(value, 1...200, name)
      case "--kills": kills = try Self.number(value, 0...1_000, name)
      case "--seed": seed = UInt64(try Self.number(value, 0...Int.max, name))
      case "--faults": faults = value
      case "--folder": folder = value
      default: throw Failure(description: "Cannot read \(name): it is not an option. \(Self.help)")
      }
    }
  }

  private static let help = "See Scripts/stress --help."

  private static func number(_ text: String, _ range: ClosedRange<Int>, _ name: String) throws(Failure) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw Failure(
        description:
          "Cannot use the value \(text) of \(name): it is not a number from \(range.lowerBound) to \(range.upperBound). "
          + help)
    }
    return number
  }
}

/// The orders of each driver, which both processes compute in the same way.
struct Plan: Sendable {
  let orders: Int
  let clients: Int

  static func order(_ number: Int) -> String { "order-\(number)" }
  static func token(_ client: Int) -> String { "token-\(client)" }
  static func driver(_ client: Int) -> String { "driver-\(client)" }
  /// The name of the server in the journals.
  static let server = "soak"
  static func journal(_ client: Int, in folder: String) -> String { "\(folder)/driver-\(client).sqlite" }

  /// Returns the orders that a driver requests: each order has one driver, and every fourth has two.
  func orders(of client: Int) -> [Int] {
    (0..<orders).filter { number in
      number % clients == client || number % 4 == 0 && (number + clients / 2) % clients == client
    }
  }

  var takings: Int { (0..<clients).reduce(0) { $0 + orders(of: $1).count } }
}

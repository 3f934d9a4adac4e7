internal import Foundation

public struct FaultSpecificationError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}

extension ServerFaults {
  /// Parses faults from a text of items, separated by commas.
  ///
  /// | item | meaning |
  /// |---|---|
  /// | `none`, `all` | ``none``, ``all``; later items change it |
  /// | `latency=20ms`, `latency=5ms..50ms`, `latency=~20ms` | fixed, random in a range, exponential with this mean |
  /// | `503=0.1` | the probability of a status |
  /// | `lost=0.1`, `reset=0.1`, `restart=0.01` | a response lost after processing, a reset, a restart |
  /// | `push-lost=0.1`, `push-duplicate=0.1`, `push-reorder=0.1` | a push lost, sent twice, sent after the next one |
  /// | `push-delay=0.1`, `push-delay=0.1:2s` | a push delayed, by at most 2 s with `:2s` |
  /// | `script=503/lost/reset/reset-after/restart/ok` | the faults of the first requests |
  ///
  /// - Throws: ``FaultSpecificationError``, with the invalid item and the valid ones.
  public init(_ specification: String) throws(FaultSpecificationError) {
    self.init()
    for item in specification.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      switch item {
      case "none": self = .none
      case "all": self = .all
      default:
        let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw Self.unknown(item) }
        try set(parts[0], to: parts[1], item)
      }
    }
    let requests = statuses.values.reduce(answerLost + reset + restart, +)
    let pushes = pushLost + pushDuplicated + pushDelayed + pushReordered
    guard requests <= 1.000_001, pushes <= 1.000_001 else {
      throw FaultSpecificationError(
        description:
          "Cannot use the faults \"\(specification)\": the probabilities of the requests, or of the pushes, add up to more "
          + "than 1. Reduce them.")
    }
  }

  private mutating func set(_ name: String, to value: String, _ item: String) throws(FaultSpecificationError) {
    switch name {
    case "latency": latency = try Self.latency(value, item)
    case "lost": answerLost = try Self.chance(value, item)
    case "reset": reset = try Self.chance(value, item)
    case "restart": restart = try Self.chance(value, item)
    case "push-lost": pushLost = try Self.chance(value, item)
    case "push-duplicate": pushDuplicated = try Self.chance(value, item)
    case "push-reorder": pushReordered = try Self.chance(value, item)
    case "push-delay":
      let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
      pushDelayed = try Self.chance(parts.first ?? "", item)
      if parts.count == 2 { pushDelay = try Self.duration(parts[1], item) }
    case "script":
      script = []
      for word in value.split(separator: "/") { script.append(try Self.fault(String(word), item)) }
    default:
      guard let status = Int(name), (400...599).contains(status) else { throw Self.unknown(item) }
      statuses[status] = try Self.chance(value, item)
    }
  }

  private static func fault(_ word: String, _ item: String) throws(FaultSpecificationError) -> RequestFault {
    switch word {
    case "ok": return .none
    case "lost": return .answerLost
    case "reset": return .reset
    case "reset-after": return .resetAfterWork
    case "restart": return .restart
    default:
      guard let status = Int(word), (400...599).contains(status) else {
        throw FaultSpecificationError(
          description:
            "Cannot read \"\(item)\": \"\(word)\" is not a fault. Use ok, lost, reset, reset-after, restart, or a status "
            + "from 400 to 599, separated by slashes.")
      }
      return .status(status)
    }
  }

  private static func latency(_ value: String, _ item: String) throws(FaultSpecificationError) -> Latency {
    if value.hasPrefix("~") { return .exponential(mean: try duration(String(value.dropFirst()), item)) }
    guard let dots = value.range(of: "..") else { return .constant(try duration(value, item)) }
    let lower = try duration(String(value[..<dots.lowerBound]), item)
    let upper = try duration(String(value[dots.upperBound...]), item)
    guard lower <= upper else {
      throw FaultSpecificationError(
        description: "Cannot read \"\(item)\": its range ends before it starts. Swap the two times.")
    }
    return .uniform(lower...upper)
  }

  private static func chance(_ value: String, _ item: String) throws(FaultSpecificationError) -> Double {
    guard let chance = Double(value), (0...1).contains(chance) else {
      throw FaultSpecificationError(
        description: "Cannot read \"\(item)\": it needs a chance from 0 to 1. Use a value such as 0.1.")
    }
    return chance
  }

  private static func duration(_ value: String, _ item: String) throws(FaultSpecificationError) -> Duration {
    for (unit, length) in [("ms", Duration.milliseconds(1)), ("s", .seconds(1))] where value.hasSuffix(unit) {
      guard let number = Double(value.dropLast(unit.count)), (0...86_400_000).contains(number) else { break }
      return length * number
    }
    throw FaultSpecificationError(
      description: "Cannot read \"\(item)\": it needs a time. Use a value such as 20ms or 1.5s.")
  }

  private static func unknown(_ item: String) -> FaultSpecificationError {
    FaultSpecificationError(
      description:
        "Cannot read \"\(item)\": it is not a fault. Use none, all, latency=5ms..50ms, 503=0.1, lost=0.1, reset=0.1, "
        + "restart=0.01, push-lost=0.1, push-duplicate=0.1, push-reorder=0.1, push-delay=0.1:2s, or "
        + "script=503/lost/ok.")
  }
}

func naturalLogarithm(_ value: Double) -> Double { log(value) }

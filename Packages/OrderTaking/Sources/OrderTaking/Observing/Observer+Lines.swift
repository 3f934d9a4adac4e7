extension Observer {
  /// Returns an observer that describes each event in one line of `key=value` pairs.
  ///
  /// ```
  /// request side=client route="PUT /orders/:id/taking" order=7 status=200 seconds=0.012
  /// retry order=7 pause=0.25
  /// connection side=client change=lost reason="the server closed the channel: stopping"
  /// leases change=claimed count=12
  /// ```
  ///
  /// Values are quoted unless they contain only letters, digits and `-._:/`. Control characters are escaped, so a value
  /// cannot add a line or a pair.
  ///
  /// - Parameter write: A function that is called with each line, without its line feed, on any thread.
  public static func lines(_ write: @escaping @Sendable (String) -> Void) -> Observer {
    Observer(
      requestEnded: { request in
        write(
          line(
            "request",
            [
              ("side", request.side.rawValue), ("route", request.route), ("order", request.order),
              ("driver", request.driver), ("status", request.result.label),
              ("seconds", request.duration.secondsText),
            ]))
      },
      retryScheduled: { write(line("retry", [("order", $0.order), ("pause", $0.pause.secondsText)])) },
      connectionChanged: { connection in
        var fields: [(String, String?)] = [("side", connection.side.rawValue)]
        switch connection.change {
        case .opened: fields.append(("change", "opened"))
        case .lost(let reason): fields += [("change", "lost"), ("reason", reason)]
        }
        write(line("connection", fields))
      },
      leasesChanged: { write(line("leases", [("change", $0.change.rawValue), ("count", "\($0.count)")])) })
  }

  private static func line(_ event: String, _ fields: [(String, String?)]) -> String {
    fields.reduce(event) { line, field in
      field.1.map { "\(line) \(field.0)=\(quoted($0))" } ?? line
    }
  }

  private static let plainCharacters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._:/".utf8)

  private static func quoted(_ value: String) -> String {
    guard value.isEmpty || !value.utf8.allSatisfy(plainCharacters.contains) else { return value }
    return "\"\(value.unicodeScalars.map(escaped).joined())\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case _ where scalar.controlsText: "\\u{\(String(scalar.value, radix: 16))}"
    default: String(scalar)
    }
  }
}

extension Unicode.Scalar {
  package var controlsText: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

extension Duration {
  var secondsText: String {
    let (seconds, attoseconds) = components
    let digits = String(attoseconds.magnitude / 1_000_000_000_000)
    let fraction = (String(repeating: "0", count: 6 - digits.count) + digits).reversed().drop { $0 == "0" }.reversed()
    return (self < .zero ? "-" : "") + "\(seconds.magnitude)" + (fraction.isEmpty ? "" : "." + String(fraction))
  }
}

extension ObservedRequest.Result {
  var label: String {
    switch self {
    case .status(let status): "\(status)"
    case .failed(let kind): kind.label
    case .cancelled: "cancelled"
    case .unanswered: "none"
    }
  }
}

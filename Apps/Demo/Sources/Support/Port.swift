internal import Arguments

/// A TCP port to listen at, as typed.
struct Port: ExpressibleByArgument, Sendable, Equatable {
  let number: Int

  /// Whichever the system has left.
  static let anyFree = Port(number: 0)

  private init(number: Int) { self.number = number }

  init(argument: String) throws(ValidationError) {
    guard let number = Int(argument), (0...65_535).contains(number) else {
      throw ValidationError("'\(argument)' is not a port from 0, for any free one, to 65535.")
    }
    self.number = number
  }

  var defaultValueDescription: String { "\(number)" }
}

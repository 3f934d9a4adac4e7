internal import Arguments

struct Port: ExpressibleByArgument, Sendable, Equatable {
  let number: Int

  static let anyFree = Port(number: 0)

  private init(number: Int) { self.number = number }

  init(argument: String) throws(ValidationError) {
    guard let number = Int(argument), (0...65_535).contains(number) else {
      throw ValidationError("it is not a port from 0 to 65535; 0 means any free port")
    }
    self.number = number
  }

  var defaultValueDescription: String { "\(number)" }
}

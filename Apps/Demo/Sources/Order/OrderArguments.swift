public import Arguments
public import OrderTaking

extension TakingState: ExpressibleByArgument {
  public init(argument: String) throws(ValidationError) {
    guard let state = TakingState(rawValue: argument) else {
      throw ValidationError("expected " + TakingState.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self = state
  }

  public var defaultValueDescription: String { rawValue }
}

extension Name: ExpressibleByArgument {
  public init(argument: String) throws(ValidationError) {
    do throws(InvalidName) { try self.init(argument) } catch { throw ValidationError("\(error)") }
  }

  public var defaultValueDescription: String { text }
}

import TestSupport

extension ChildProcess {
  /// Starts the demo command.
  static func demo(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(path(besideTests: "demo"), arguments)
  }

  /// Starts the program that takes orders for a journal until it is killed.
  static func orderTakingProbe(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(path(besideTests: "OrderTakingProbe"), arguments)
  }
}

import ParallelTesting

extension ChildProcess {
  /// The demo command, as a person runs it.
  static func demo(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(path(besideTests: "demo"), arguments)
  }

  /// The program that takes orders for a journal until it is killed.
  static func orderTakingProbe(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(path(besideTests: "OrderTakingProbe"), arguments)
  }
}

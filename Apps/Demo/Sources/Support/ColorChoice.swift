internal import Arguments
internal import Foundation
internal import Terminal

enum ColorChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
  case auto, always, never

  /// Returns the number of colours for an output.
  ///
  /// ``auto`` follows the terminal and the environment (`NO_COLOR`, `TERM` and others). The other choices override them.
  func capability(of device: TerminalDevice) -> ColorCapability {
    switch self {
    case .auto: device.colorCapability()
    case .always: max(.ansi16, ColorCapability(environment: Self.withoutRefusal, isTerminal: true))
    case .never: .none
    }
  }

  private static var withoutRefusal: [String: String] {
    ProcessInfo.processInfo.environment.filter { !["NO_COLOR", "FORCE_COLOR", "CLICOLOR"].contains($0.key) }
  }
}

internal import Arguments
internal import Foundation
internal import Terminal

/// When to use colour, as typed.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
  case auto, always, never

  /// How many colours an output is shown: by ``auto`` what it can show, as the environment says (`NO_COLOR`, `TERM` and others).
  ///
  /// What was typed wins over the environment.
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

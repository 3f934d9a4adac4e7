internal import Arguments
internal import Coordinators
internal import CoordinatorsTerminal
internal import Foundation
internal import Terminal

/// The parsed options of `demo dictionary`, `demo stories` and `demo open`.
struct AppsOptions: Sendable {
  enum Shell: Sendable, Equatable {
    case terminal
    case script(TerminalScript)
    case web(port: Int)
  }

  var home: Home
  var route: DemoRoute?
  var shell: Shell
  var server: ServerAddress?
  var state: FilePath?
  var size: ScreenSize
  var timeout: Seconds
  var color: ColorChoice
}

/// The options that the three commands share.
struct SharedAppsOptions: Sendable {
  var web: Bool
  var port: Port?
  var script: ScriptText?
  var server: ServerAddress?
  var state: FilePath?
  var size: ScreenSize?
  var timeout: Seconds
  var color: ColorChoice

  init(
    web: Bool, port: Port?, script: ScriptText?, server: ServerAddress?, state: FilePath?, size: ScreenSize?,
    timeout: Seconds, color: ColorChoice
  ) throws(ValidationError) {
    guard !web || script == nil else {
      throw ValidationError("--web and --script cannot be used together.")
    }
    guard !web || state == nil else {
      throw ValidationError(
        "--web and --state cannot be used together: a state file holds the state of one user.")
    }
    guard web || port == nil else { throw ValidationError("--port can only be used with --web.") }
    guard script != nil || size == nil else {
      throw ValidationError("--size can only be used with --script.")
    }
    self.web = web
    self.port = port
    self.script = script
    self.server = server
    self.state = state
    self.size = size
    self.timeout = timeout
    self.color = color
  }

  func app(_ home: Home, at route: DemoRoute? = nil) -> AppsOptions {
    let shell: AppsOptions.Shell = web ? .web(port: port?.number ?? 0) : script.map { .script($0.script) } ?? .terminal
    return AppsOptions(
      home: home, route: route, shell: shell, server: server, state: state, size: size ?? .usual, timeout: timeout,
      color: color)
  }
}

struct ScriptText: ExpressibleByArgument, Sendable {
  let script: TerminalScript

  init(argument: String) throws(ValidationError) {
    do throws(TerminalScriptError) { script = try TerminalScript(argument) } catch {
      throw ValidationError("\(error)")
    }
  }
}

struct DemoLink: ExpressibleByArgument, Sendable {
  let route: DemoRoute

  init(argument: String) throws(ValidationError) {
    do { route = try DemoRoute.links.route(for: argument) } catch {
      throw ValidationError("\(error)".truncated(toColumns: .max))
    }
  }
}

/// The file with the payload of a push notification; `-` means standard input.
struct PushFile: ExpressibleByArgument, Sendable {
  let path: String

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else { throw ValidationError("expected a file name, or '-' for standard input") }
    path = argument
  }

  /// The maximum size of a payload in bytes, more than any push service sends.
  static let byteLimit = 65_536

  /// Reads the file and returns the route of the notification's link.
  func route() throws(ValidationError) -> DemoRoute {
    let payload = try payload()
    guard payload.count <= Self.byteLimit else {
      throw ValidationError(
        "Cannot read the notification \(name): it is larger than \(Self.byteLimit) bytes. "
          + "Check that it is the payload of one notification.")
    }
    do { return try DemoRoute.links.route(forNotification: payload) } catch {
      // The payload may contain escape sequences: `truncated` removes them.
      throw ValidationError("\(error)".truncated(toColumns: .max))
    }
  }
}

extension PushFile {
  /// The payload, cut off one byte after the maximum size.
  private func payload() throws(ValidationError) -> Data {
    let isStandardInput = path == "-"
    let descriptor = isStandardInput ? STDIN_FILENO : Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { if !isStandardInput { close(descriptor) } }
    var status = stat()
    // A read of a folder fails with different errors on different systems.
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { throw unreadable(EISDIR) }
    do {
      return try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).read(upToCount: Self.byteLimit + 1)
        ?? Data()
    } catch {
      throw unreadable(((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue ?? EIO)
    }
  }

  private var name: String { path == "-" ? "on standard input" : "in \(path)" }

  private func unreadable(_ code: Int32) -> ValidationError {
    ValidationError(
      "Cannot read the notification \(name): \(String(cString: strerror(code))). "
        + "Check the path, or use '-' for standard input.")
  }
}

/// The size of a script's screen, such as `80x24`.
struct ScreenSize: ExpressibleByArgument, Sendable, Equatable {
  let columns: Int
  let rows: Int

  static let usual = ScreenSize(columns: 80, rows: 24)

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  init(argument: String) throws(ValidationError) {
    let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ (1...1_000).contains($0) }) else {
      throw ValidationError("expected a size such as 80x24, with 1 to 1000 columns and rows")
    }
    (columns, rows) = (sides[0], sides[1])
  }

  var defaultValueDescription: String { "\(columns)x\(rows)" }
}

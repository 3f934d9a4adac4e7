internal import Arguments
internal import Coordinators
internal import CoordinatorsTerminal
internal import Foundation
internal import Terminal

/// What `demo dictionary`, `demo stories` and `demo open` were asked to do.
struct AppsOptions: Sendable {
  /// How the app is shown.
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

/// The options that the three have in common, as typed.
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
      throw ValidationError("A script presses keys; --web has none. Give one of them.")
    }
    guard !web || state == nil else {
      throw ValidationError("A state is one person's; --web serves many. Give one of them.")
    }
    guard web || port == nil else { throw ValidationError("A port is for --web. Give both.") }
    guard script != nil || size == nil else {
      throw ValidationError(
        "A size is that of a script's screen; every other has one of its own. Give --script with it.")
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

/// A script, as typed.
struct ScriptText: ExpressibleByArgument, Sendable {
  let script: TerminalScript

  init(argument: String) throws(ValidationError) {
    do throws(TerminalScriptError) { script = try TerminalScript(argument) } catch {
      throw ValidationError("\(error)")
    }
  }
}

/// A link, as typed.
struct DemoLink: ExpressibleByArgument, Sendable {
  let route: DemoRoute

  init(argument: String) throws(ValidationError) {
    do { route = try DemoRoute.links.route(for: argument) } catch {
      throw ValidationError("\(error)".truncated(toColumns: .max))
    }
  }
}

/// The file with the payload of a push notification, as typed; `-` is the standard input.
struct PushFile: ExpressibleByArgument, Sendable {
  let path: String

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else { throw ValidationError("A file has a name; '-' is the standard input.") }
    path = argument
  }

  /// How many bytes a payload may have, which is more than any service of notifications sends.
  static let mostBytes = 65_536

  /// Where the notification leads.
  func route() throws(ValidationError) -> DemoRoute {
    let payload = try payload()
    guard payload.count <= Self.mostBytes else {
      throw ValidationError("The notification in \(path) is too large: \(Self.mostBytes) bytes are the most.")
    }
    do { return try DemoRoute.links.route(forNotification: payload) } catch {
      // It was sent by somebody; whatever is in it, no escape sequence reaches the terminal.
      throw ValidationError("\(error)".truncated(toColumns: .max))
    }
  }
}

extension PushFile {
  /// All of it, or one byte more than it may have.
  private func payload() throws(ValidationError) -> Data {
    let isStandardInput = path == "-"
    let descriptor = isStandardInput ? STDIN_FILENO : Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { if !isStandardInput { close(descriptor) } }
    var status = stat()
    // What the system says of a folder depends on how it is asked.
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { throw unreadable(EISDIR) }
    do {
      return try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).read(upToCount: Self.mostBytes + 1)
        ?? Data()
    } catch {
      let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
      throw unreadable(system.domain == NSPOSIXErrorDomain ? Int32(system.code) : EIO)
    }
  }

  private func unreadable(_ code: Int32) -> ValidationError {
    let name = path == "-" ? "on standard input" : "in \(path)"
    return ValidationError(
      "The notification \(name) cannot be read: \(String(cString: strerror(code))). "
        + "Check the path; '-' is the standard input.")
  }
}

/// The size of a script's screen, as typed: `80x24`.
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
      throw ValidationError("'\(argument)' is not a size such as 80x24, each side from 1 to 1000.")
    }
    (columns, rows) = (sides[0], sides[1])
  }

  var defaultValueDescription: String { "\(columns)x\(rows)" }
}

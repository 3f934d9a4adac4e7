internal import Coordinators
internal import Foundation

/// What a run leaves for the next one, in a file: which app, who is logged in, which link waits, and where.
///
/// The first line is JSON, the rest is a navigation as `archived()` makes it, of which any part from the beginning can be
/// restored.
struct DemoState: Sendable {
  var home: Home
  var session: Session?
  /// The server whose session it is; `nil` for the one that comes with the command.
  var server: String?
  /// The link that waits.
  var link: DemoRoute?
  /// When its time is over.
  var deadline: Date?
  var navigation: Navigation<DemoScreen>?
  /// What could not be restored, in words.
  var losses: [String] = []

  private struct Header: Codable {
    var home: Home
    var session: Session?
    var server: String?
    var link: String?
    /// In seconds since 1970.
    var until: Int?
  }

  init(
    home: Home, session: Session?, of server: String? = nil, link: DemoRoute? = nil, until deadline: Date? = nil,
    navigation: Navigation<DemoScreen>?
  ) {
    self.home = home
    self.session = session
    self.server = server
    self.link = link
    self.deadline = deadline
    self.navigation = navigation
  }

  /// Reads what can be read; a file of something else restores nothing, and says so.
  ///
  /// - Parameters:
  ///   - data: The file.
  ///   - home: The app.
  ///   - server: The server that is asked now: nobody else's log-in is for it.
  ///   - now: The time.
  init?(reading data: Data, for home: Home, at server: String? = nil, now: Date = Date()) {
    let line = data.prefix { $0 != UInt8(ascii: "\n") }
    guard let header = try? JSONDecoder().decode(Header.self, from: Data(line)) else { return nil }
    self.home = header.home
    session = header.session
    self.server = server
    guard header.home == home else { return }
    let restoration = Restoration<DemoScreen>(archive: Data(data.dropFirst(line.count + 1))) { $0.belongs(to: $1) }
    navigation = restoration.navigation
    losses = restoration.losses.map(\.description)
    if session != nil, header.server != server {
      session = nil
      losses.append("Dropped the log-in: it is one at \(header.server ?? "the command's own server").")
    }
    if session == nil, navigation?.coordinators.contains("application/dictionary") == true {
      navigation = nil
      losses.append("Dropped where the dictionary was left: nobody is logged in.")
    }
    // What was lost of the tabs would be lost for good, since the next state is saved without it.
    try? navigation?.addMissingTabs(of: home.start)
    if let text = header.link { restore(text, until: header.until, now) }
  }

  private mutating func restore(_ text: String, until: Int?, _ now: Date) {
    do {
      let route = try DemoRoute.links.route(for: text)
      guard route.home == home else {
        return losses.append("Dropped the link that waited: \(text) leads into the other app.")
      }
      // Nothing waits for longer than a link may, whatever the clock was set to.
      let deadline = until.map { min(Date(timeIntervalSince1970: TimeInterval($0)), now + Self.patience) }
      guard deadline ?? now + Self.patience > now else {
        return losses.append("Dropped the link that waited: the time of \(text) is over. Open it again.")
      }
      (link, self.deadline) = (route, deadline)
    } catch {
      losses.append("Dropped the link that waited. \(error)")
    }
  }

  private static let patience = TimeInterval(ApplicationCoordinator.patience.components.seconds)

  /// How long the link has waited at a time.
  func waited(at now: Date) -> Duration {
    deadline.map { .seconds(max(Self.patience - $0.timeIntervalSince(now), 0)) } ?? .zero
  }

  /// The text of the file.
  func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var data = try encoder.encode(
      Header(
        home: home, session: session, server: session == nil ? nil : server,
        link: link.map { try DemoRoute.links.link(to: $0) },
        until: link == nil ? nil : deadline.map { Int($0.timeIntervalSince1970.rounded()) }))
    data.append(UInt8(ascii: "\n"))
    if let navigation { data.append(try navigation.archived()) }
    return data
  }
}

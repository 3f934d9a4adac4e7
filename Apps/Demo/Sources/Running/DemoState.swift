internal import Coordinators
internal import Foundation

/// The state that a run saves for the next run: the app, the session, the pending link and the navigation.
///
/// The first line of the file is JSON. The rest is a navigation in the format of `archived()`. A truncated navigation is
/// restored as far as it goes.
struct DemoState: Sendable {
  var home: Home
  var session: Session?
  /// The server of the session; `nil` for the embedded server.
  var server: String?
  var link: DemoRoute?
  /// The expiry of the pending link.
  var deadline: Date?
  var navigation: Navigation<DemoScreen>?
  /// Whether a newer version wrote the navigation, in a format that this version cannot read.
  private(set) var isFromNewerVersion = false
  /// A message for each part that could not be restored.
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

  /// Reads the parts of a state that are valid; returns `nil` for a file without a valid header.
  ///
  /// - Parameters:
  ///   - data: The content of the file.
  ///   - home: The app. For another app, only ``home`` and ``session`` are read.
  ///   - server: The current server. The session of another server is discarded.
  ///   - now: The current time.
  init?(reading data: Data, for home: Home, at server: String? = nil, now: Date = Date()) {
    let line = data.prefix { $0 != UInt8(ascii: "\n") }
    guard let header = try? JSONDecoder().decode(Header.self, from: Data(line)) else { return nil }
    self.home = header.home
    session = header.session
    self.server = server
    guard header.home == home else { return }
    let restoration = Restoration<DemoScreen>(archive: Data(data.dropFirst(line.count + 1))) { $0.belongs(to: $1) }
    (navigation, isFromNewerVersion) = (restoration.navigation, restoration.isFromNewerVersion)
    losses = restoration.losses.map(\.description)
    if session != nil, header.server != server {
      session = nil
      losses.append("Dropped the log-in: it belongs to \(header.server ?? "the embedded server").")
    }
    if session == nil, navigation?.coordinators.contains("application/dictionary") == true {
      navigation = nil
      losses.append("Dropped the saved screens of the dictionary: they need a log-in.")
    }
    addLostTabs()
    if let text = header.link { restore(text, until: header.until, now) }
  }

  /// Adds the tabs of the app that the saved navigation lacks; otherwise the next state would be saved without them.
  private mutating func addLostTabs() {
    let start = home.start
    guard case .tabs(let tabs, _) = start.content, let root = navigation?.root, root.owner == start.owner,
      case .tabs(let saved, _) = root.content
    else { return }
    let keys = Set(saved.map(\.key))
    guard !keys.isSuperset(of: tabs.map(\.key)) else { return }
    // In the order of the app, and then the tabs that only the saved navigation has.
    let kept = saved.map { Blueprint<DemoScreen>.Tab.tab($0.key, $0.node.blueprint) }
    let own = tabs.map { tab in kept.first { $0.key == tab.key } ?? tab }
    let others = kept.filter { tab in !tabs.contains { $0.key == tab.key } }
    do {
      try navigation?.apply(.setTabs(own + others, of: root.id))
    } catch {
      losses.append("Cannot add the lost tabs: \(error)")
    }
  }

  private mutating func restore(_ text: String, until: Int?, _ now: Date) {
    do {
      let route = try DemoRoute.links.route(for: text)
      guard route.home == home else {
        return losses.append("Dropped the pending link \(text): it belongs to the other app.")
      }
      // Limits the wait if the system clock was changed.
      let deadline = until.map { min(Date(timeIntervalSince1970: TimeInterval($0)), now + Self.patience) }
      guard deadline ?? now + Self.patience > now else {
        return losses.append("Dropped the pending link \(text): it has expired. Open it again.")
      }
      (link, self.deadline) = (route, deadline)
    } catch {
      losses.append("Dropped the pending link. \(error)")
    }
  }

  private static let patience = TimeInterval(ApplicationCoordinator.patience.components.seconds)

  /// Returns the time that the link has been pending until `now`.
  func waited(at now: Date) -> Duration {
    deadline.map { .seconds(max(Self.patience - $0.timeIntervalSince(now), 0)) } ?? .zero
  }

  /// Encodes the content of the file.
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

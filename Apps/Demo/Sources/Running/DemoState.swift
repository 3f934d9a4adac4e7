internal import Coordinators
internal import Foundation

/// What a run leaves for the next one, in a file: which app, who is logged in, which link waits, and where.
///
/// The first line is JSON, the rest is a navigation as `archived()` makes it, of which any part from the beginning can be
/// restored.
struct DemoState: Sendable {
  var home: Home
  var session: Session?
  /// The link that waits; in the next run its time begins anew.
  var link: DemoRoute?
  var navigation: Navigation<DemoScreen>?
  /// What could not be restored, in words.
  var losses: [String] = []

  private struct Header: Codable {
    var home: Home
    var session: Session?
    var link: String?
  }

  init(home: Home, session: Session?, link: DemoRoute? = nil, navigation: Navigation<DemoScreen>?) {
    self.home = home
    self.session = session
    self.link = link
    self.navigation = navigation
  }

  /// Reads what can be read; a file of something else restores nothing, and says so.
  init?(reading data: Data, for home: Home) {
    let line = data.prefix { $0 != UInt8(ascii: "\n") }
    guard let header = try? JSONDecoder().decode(Header.self, from: Data(line)) else { return nil }
    self.home = header.home
    session = header.session
    guard header.home == home else { return }
    let restoration = Restoration<DemoScreen>(archive: Data(data.dropFirst(line.count + 1)))
    navigation = restoration.navigation
    losses = restoration.losses.map(\.description)
    if session == nil, navigation?.coordinators.contains("application/dictionary") == true {
      navigation = nil
      losses.append("Dropped where the dictionary was left: nobody is logged in.")
    }
    // What was lost of the tabs would be lost for good, since the next state is saved without it.
    try? navigation?.addMissingTabs(of: home.start)
    if let text = header.link {
      do { link = try DemoRoute.links.route(for: text) } catch {
        losses.append("Dropped the link that waited. \(error)")
      }
    }
  }

  /// The text of the file.
  func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var data = try encoder.encode(
      Header(home: home, session: session, link: link.map { try DemoRoute.links.link(to: $0) }))
    data.append(UInt8(ascii: "\n"))
    if let navigation { data.append(try navigation.archived()) }
    return data
  }
}

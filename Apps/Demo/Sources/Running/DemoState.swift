internal import Coordinators
internal import Foundation

/// What a run leaves for the next one, in a file: which app, who is logged in, and where.
///
/// The first line is JSON, the rest is a navigation as `archived()` makes it, of which any part from the beginning can be
/// restored.
struct DemoState: Sendable {
  var home: Home
  var session: Session?
  var navigation: Navigation<DemoScreen>?
  /// What could not be restored, in words.
  var losses: [String] = []

  private struct Header: Codable {
    var home: Home
    var session: Session?
  }

  init(home: Home, session: Session?, navigation: Navigation<DemoScreen>?) {
    self.home = home
    self.session = session
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
  }

  /// The text of the file.
  func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    var data = try encoder.encode(Header(home: home, session: session))
    data.append(UInt8(ascii: "\n"))
    if let navigation { data.append(try navigation.archived()) }
    return data
  }
}

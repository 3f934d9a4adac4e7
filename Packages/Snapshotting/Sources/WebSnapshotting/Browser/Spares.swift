/// Tabs that wait to be used, with the origins that their contexts have been at: a value that decides which page gets which.
///
/// A context that was at an origin suits pages at that origin and at none: at another, a page could tell it from a new one, since the
/// browser changes the process there. There is always one that suits every page, and there are so
/// many of the others that those who go from one origin to the next, or stay at one, find theirs.
struct Spares<Tab> {
  private var waiting: [(origin: String?, tab: Tab)] = []
  private var inUse = 0
  /// How many tabs have been in use at the same time.
  private var mostInUse = 1

  /// All of them, which are no more from now on.
  mutating func removeAll() -> [Tab] {
    defer { waiting = [] }
    return waiting.map(\.tab)
  }

  /// The origins of those that wait, the longest-waiting first; `nil` for one that has not been anywhere.
  var origins: [String?] { waiting.map(\.origin) }

  /// Notes that a tab is in use.
  mutating func beginUse() {
    inUse += 1
    mostInUse = max(mostInUse, inUse)
  }

  /// Notes that a tab is not in use any more.
  mutating func endUse() {
    inUse -= 1
  }

  /// Takes the one that has waited longest of those that suit a page.
  ///
  /// Once there are enough for pages at an origin to take turns, one at its own comes first: one that has been nowhere is for others.
  mutating func take(for page: WebPage) -> Tab? {
    let own = page.origin.flatMap { origin in waiting.firstIndex { $0.origin == origin } }
    let suitable = waiting.firstIndex { $0.origin == nil || page.origin == nil || $0.origin == page.origin }
    return (addressed > mostInUse ? own ?? suitable : suitable).map { waiting.remove(at: $0).tab }
  }

  /// Whether one more that has been nowhere is to be opened: there is to be one more than there were in use at the same time, those in
  /// use now included.
  var needsNew: Bool { waiting.count - addressed + inUse <= mostInUse }

  /// Adds one that is opened.
  mutating func add(_ tab: Tab) {
    waiting.append((nil, tab))
  }

  /// Whether there is room for one that was used, and was at an origin or nowhere.
  func canKeep(_ origin: String?) -> Bool { origin != nil || waiting.count - addressed <= mostInUse }

  /// Keeps one that was used and that ``canKeep(_:)`` says there is room for.
  ///
  /// - Returns: The one that goes for it, which has waited longest of those that have been somewhere.
  mutating func keep(_ tab: Tab, at origin: String?) -> Tab? {
    waiting.append((origin, tab))
    guard addressed > mostInUse + 1, let oldest = waiting.firstIndex(where: { $0.origin != nil }) else { return nil }
    return waiting.remove(at: oldest).tab
  }

  /// How many of those that wait have been at an origin.
  private var addressed: Int { waiting.count { $0.origin != nil } }
}

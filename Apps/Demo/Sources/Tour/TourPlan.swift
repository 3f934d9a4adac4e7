/// One thing that the tour shows.
enum TourStation: String, Sendable, CaseIterable {
  case birds, parallel, order, crash, screens, web, snapshots, simulation

  /// Its name, as a heading.
  var title: String {
    switch self {
    case .birds: "Birds over HTTP"
    case .parallel: "Parallel requests"
    case .order: "An order, with faults"
    case .crash: "A crash, and after it"
    case .screens: "Two apps in a terminal"
    case .web: "The same in a browser"
    case .snapshots: "What has changed"
    case .simulation: "Simulated worlds"
    }
  }

  /// What happens there, in a sentence.
  var about: String {
    switch self {
    case .birds: "A list and its pictures are loaded through futures, all pictures at the same time."
    case .parallel: "Values that run anew each time they are asked: traversed, raced, and given up."
    case .order: "An order is taken over HTTP and a push channel, from a server that fails on purpose."
    case .crash: "The process that takes an order is killed in the middle; the next one finishes it from the journal."
    case .screens: "Keys are pressed by a script; what the apps show is a value, and so is its picture."
    case .web: "The same coordinators serve pages, which a real browser shows."
    case .snapshots: "Something was changed on purpose; the comparison says what, and marks where."
    case .simulation: "Orders are taken in worlds made of chance, and no invariant may be violated in any."
    }
  }

  /// The packages at work, apart from `Terminal`, which shows all of it.
  var packages: [String] {
    switch self {
    case .birds: ["Futures", "Loopback"]
    case .parallel: ["Parallel", "Loopback"]
    case .order, .crash: ["OrderTaking", "Futures"]
    case .screens, .web: ["Coordinators", "Snapshotting"]
    case .snapshots: ["Snapshotting"]
    case .simulation: ["OrderTaking"]
    }
  }
}

/// Where the tour goes, and how.
struct TourPlan: Sendable, Equatable {
  /// The stations, in order.
  let stations: [TourStation]
  /// Whether pictures of pages and screens are taken.
  let usesBrowser: Bool
  /// Where chance starts.
  let seed: UInt64

  /// Plans a tour: everything, or what needs no browser.
  init(fast: Bool, seed: UInt64) {
    stations = TourStation.allCases.filter { !fast || $0 != .web }
    usesBrowser = !fast
    self.seed = seed
  }
}

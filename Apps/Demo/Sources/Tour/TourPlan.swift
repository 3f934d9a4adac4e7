/// A part of the tour.
enum TourStation: String, Sendable, CaseIterable {
  case birds, parallel, order, crash, screens, web, snapshots, simulation

  var title: String {
    switch self {
    case .birds: "Birds over HTTP"
    case .parallel: "Parallel requests"
    case .order: "Order with faults"
    case .crash: "Order with a crash"
    case .screens: "Two apps in a terminal"
    case .web: "Two apps in a browser"
    case .snapshots: "Snapshot differences"
    case .simulation: "Simulations"
    }
  }

  var about: String {
    switch self {
    case .birds: "Loads a list of birds and their pictures with futures, all pictures at the same time."
    case .parallel: "Runs Parallel values, which start again for each use: traversed, raced, and timed out."
    case .order: "Takes an order over HTTP and a push channel, from a server with simulated faults."
    case .crash: "Kills the process that takes an order. The next process finishes the order from the journal."
    case .screens: "Runs two apps with a script of keys, and captures each screen as a value."
    case .web: "Serves the same apps as web pages, and captures them in a real browser."
    case .snapshots: "Changes a list, a picture and a page. The comparison describes and marks each difference."
    case .simulation: "Takes orders in simulations with random faults, and checks the invariants in each."
    }
  }

  /// The packages that the station shows, without `Terminal`, which all stations use.
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

struct TourPlan: Sendable, Equatable {
  let stations: [TourStation]
  /// Whether pictures of pages and screens are taken.
  let usesBrowser: Bool
  let seed: UInt64

  init(fast: Bool, seed: UInt64) {
    stations = TourStation.allCases.filter { !fast || $0 != .web }
    usesBrowser = !fast
    self.seed = seed
  }
}

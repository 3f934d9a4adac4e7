// swift-tools-version: 6.2
import PackageDescription

// A program for each package, which links the libraries of the package.
let clients = [
  "Boundaries": ["Boundaries"],
  "Coordinators": ["Coordinators", "CoordinatorsTerminal", "CoordinatorsUIKit", "CoordinatorsWeb"],
  "Futures": [
    "BrightFuturesCompatibility", "Futures", "FuturesNetworking", "FuturesNetworkingCurl", "FuturesParallel",
  ],
  "Loopback": ["Loopback"],
  "OrderTaking": [
    "OrderTaking", "OrderTakingClients", "OrderTakingJournal", "OrderTakingPostgres",
    "OrderTakingServer",
  ],
  "Parallel": ["Isolation", "Parallel", "ParallelTesting"],
  "Snapshotting": ["ImageSnapshotting", "Snapshotting", "TerminalSnapshotting", "WebSnapshotting"],
  "Terminal": ["Arguments", "Terminal"],
]

let package = Package(
  name: "ByPath",
  platforms: [.macOS(.v15)],
  dependencies: clients.keys.map { .package(path: "../../../Packages/\($0)") },
  targets: clients.map { package, products in
    .executableTarget(
      name: "\(package)Client", dependencies: products.map { .product(name: $0, package: package) })
  })

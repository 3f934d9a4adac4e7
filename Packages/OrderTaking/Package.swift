// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "OrderTaking",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "OrderTaking", targets: ["OrderTaking"]),
    .library(name: "OrderTakingClients", targets: ["OrderTakingClients"]),
    .library(name: "OrderTakingJournal", targets: ["OrderTakingJournal"]),
    .library(name: "OrderTakingPostgres", targets: ["OrderTakingPostgres"]),
    .library(name: "OrderTakingServer", targets: ["OrderTakingServer"]),
    .library(name: "OrderTakingTesting", targets: ["OrderTakingTesting"]),
  ],
  dependencies: [
    .package(path: "../Futures"), .package(path: "../Loopback"), .package(path: "../Parallel"),
    .package(path: "../TestSupport"),
  ],
  targets: [
    .target(
      name: "OrderTaking", dependencies: [.product(name: "Futures", package: "Futures")], swiftSettings: settings),
    .target(
      name: "OrderTakingTesting",
      dependencies: [
        "OrderTaking", .product(name: "Futures", package: "Futures"),
        .product(name: "ParallelTesting", package: "Parallel"),
      ],
      swiftSettings: settings),
    .target(
      name: "OrderTakingClients",
      dependencies: [
        "OrderTaking", .product(name: "Futures", package: "Futures"),
        .product(name: "FuturesNetworking", package: "Futures"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "OrderTakingClientsTests",
      dependencies: [
        "OrderTaking", "OrderTakingClients", .product(name: "Futures", package: "Futures"),
        .product(name: "FuturesNetworking", package: "Futures"),
        .product(name: "FuturesNetworkingCurl", package: "Futures"), .product(name: "Loopback", package: "Loopback"),
        .product(name: "ParallelTesting", package: "Parallel"), "TestSupport",
      ],
      swiftSettings: settings),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(
      name: "OrderTakingJournal",
      dependencies: ["CSQLite", "OrderTaking", .product(name: "Futures", package: "Futures")], swiftSettings: settings),
    .target(
      name: "StorageTesting",
      dependencies: ["OrderTaking", .product(name: "Futures", package: "Futures")], path: "Tests/StorageTesting",
      swiftSettings: settings),
    .testTarget(
      name: "OrderTakingJournalTests",
      dependencies: [
        "CSQLite", "OrderTaking", "OrderTakingJournal", "StorageTesting",
        .product(name: "Futures", package: "Futures"), "TestSupport",
      ],
      swiftSettings: settings),
    .systemLibrary(
      name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "OrderTakingPostgres",
      dependencies: ["CPostgres", "OrderTaking", .product(name: "Futures", package: "Futures")],
      swiftSettings: settings),
    .target(
      name: "PostgresTesting", dependencies: ["TestSupport"], path: "Tests/PostgresTesting", swiftSettings: settings),
    .testTarget(
      name: "OrderTakingPostgresTests",
      dependencies: [
        "OrderTaking", "OrderTakingPostgres", "OrderTakingTesting", "PostgresTesting", "StorageTesting",
        .product(name: "Futures", package: "Futures"), .product(name: "ParallelTesting", package: "Parallel"),
        "TestSupport",
      ],
      swiftSettings: settings),
    .target(
      name: "OrderTakingDispatch", dependencies: ["OrderTaking", "OrderTakingClients"], swiftSettings: settings),
    .target(
      name: "OrderTakingServer",
      dependencies: [
        "OrderTaking", "OrderTakingClients", "OrderTakingDispatch", "OrderTakingJournal",
        .product(name: "Loopback", package: "Loopback"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "OrderTakingServerTests",
      dependencies: [
        "OrderTaking", "OrderTakingClients", "OrderTakingDispatch", "OrderTakingJournal", "OrderTakingServer",
        "OrderTakingTesting",
        .product(name: "Futures", package: "Futures"),
        .product(name: "FuturesNetworking", package: "Futures"),
        .product(name: "FuturesNetworkingCurl", package: "Futures"),
        .product(name: "Loopback", package: "Loopback"), .product(name: "LoopbackTesting", package: "Loopback"),
        .product(name: "ParallelTesting", package: "Parallel"), "TestSupport",
      ],
      swiftSettings: settings),
    .target(
      name: "OrderTakingSimulation",
      dependencies: [
        "OrderTaking", "OrderTakingClients", "OrderTakingDispatch", .product(name: "Futures", package: "Futures"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "OrderTakingSimulationTests",
      dependencies: ["OrderTaking", "OrderTakingSimulation", .product(name: "Futures", package: "Futures")],
      swiftSettings: settings),
    .executableTarget(
      name: "order-kills",
      dependencies: [
        "OrderTaking", "OrderTakingClients", "OrderTakingJournal", "OrderTakingPostgres", "OrderTakingServer",
        .product(name: "Futures", package: "Futures"), .product(name: "FuturesNetworkingCurl", package: "Futures"),
        "PostgresTesting", "TestSupport",
      ],
      path: "Tests/OrderKills", swiftSettings: settings),
    .testTarget(
      name: "OrderTakingTests",
      dependencies: [
        "OrderTaking", "OrderTakingTesting", .product(name: "Futures", package: "Futures"),
        .product(name: "ParallelTesting", package: "Parallel"), "TestSupport",
      ],
      swiftSettings: settings),
  ]
)

// swift-tools-version: 6.2
import PackageDescription

// Every product and target of the packages, by path and with no package dependency, so that a git URL is enough to use
// any of them. Each package has a manifest of its own that says the same; a test holds them together.

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Boundaries",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Arguments", targets: ["Arguments"]),
    .library(name: "Boundaries", targets: ["Boundaries"]),
    .library(name: "BrightFuturesCompatibility", targets: ["BrightFuturesCompatibility"]),
    .library(name: "Coordinators", targets: ["Coordinators"]),
    .library(name: "CoordinatorsTerminal", targets: ["CoordinatorsTerminal"]),
    .library(name: "CoordinatorsUIKit", targets: ["CoordinatorsUIKit"]),
    .library(name: "CoordinatorsWeb", targets: ["CoordinatorsWeb"]),
    .library(name: "Futures", targets: ["Futures"]),
    .library(name: "FuturesNetworking", targets: ["FuturesNetworking"]),
    .library(name: "FuturesNetworkingCurl", targets: ["FuturesNetworkingCurl"]),
    .library(name: "FuturesParallel", targets: ["FuturesParallel"]),
    .library(name: "ImageSnapshotting", targets: ["ImageSnapshotting"]),
    .library(name: "Isolation", targets: ["Isolation"]),
    .library(name: "Loopback", targets: ["Loopback"]),
    .library(name: "LoopbackTesting", targets: ["LoopbackTesting"]),
    .library(name: "OrderTaking", targets: ["OrderTaking"]),
    .library(name: "OrderTakingClients", targets: ["OrderTakingClients"]),
    .library(name: "OrderTakingJournal", targets: ["OrderTakingJournal"]),
    .library(name: "OrderTakingPostgres", targets: ["OrderTakingPostgres"]),
    .library(name: "OrderTakingServer", targets: ["OrderTakingServer"]),
    .library(name: "OrderTakingTesting", targets: ["OrderTakingTesting"]),
    .library(name: "Parallel", targets: ["Parallel"]),
    .library(name: "ParallelTesting", targets: ["ParallelTesting"]),
    .library(name: "SnapshotAssertions", targets: ["SnapshotAssertions"]),
    .library(name: "Snapshotting", targets: ["Snapshotting"]),
    .library(name: "Terminal", targets: ["Terminal"]),
    .library(name: "TerminalSnapshotting", targets: ["TerminalSnapshotting"]),
    .library(name: "TerminalTesting", targets: ["TerminalTesting"]),
    .library(name: "TestSupport", targets: ["TestSupport"]),
    .library(name: "WebSnapshotting", targets: ["WebSnapshotting"]),
    .executable(name: "benchmarks", targets: ["benchmarks"]),
    .executable(name: "demo", targets: ["Demo"]),
    .executable(name: "snapshots", targets: ["Snapshots"]),
    .plugin(name: "SnapshotsPlugin", targets: ["ReviewSnapshotsPlugin", "SnapshotsPlugin"]),
  ],
  targets: [
    // TestSupport
    .target(name: "TestSupport", path: "Packages/TestSupport/Sources/TestSupport", swiftSettings: settings),
    .testTarget(
      name: "TestSupportTests", dependencies: ["TestSupport"], path: "Packages/TestSupport/Tests/TestSupportTests",
      swiftSettings: settings),

    // Parallel
    .target(name: "Isolation", path: "Packages/Parallel/Sources/Isolation", swiftSettings: settings),
    .target(
      name: "Parallel", dependencies: ["Isolation"], path: "Packages/Parallel/Sources/Parallel",
      swiftSettings: settings),
    .target(name: "ParallelTesting", path: "Packages/Parallel/Sources/ParallelTesting", swiftSettings: settings),
    .testTarget(
      name: "IsolationTests", dependencies: ["Isolation", "TestSupport"],
      path: "Packages/Parallel/Tests/IsolationTests", swiftSettings: settings),
    .testTarget(
      name: "ParallelTests", dependencies: ["Parallel", "ParallelTesting", "TestSupport"],
      path: "Packages/Parallel/Tests/ParallelTests", swiftSettings: settings),
    .testTarget(
      name: "ParallelTestingTests", dependencies: ["ParallelTesting", "TestSupport"],
      path: "Packages/Parallel/Tests/ParallelTestingTests", swiftSettings: settings),

    // Terminal
    .target(name: "TextLayout", path: "Packages/Terminal/Sources/TextLayout", swiftSettings: settings),
    .target(
      name: "Arguments", dependencies: ["TextLayout"], path: "Packages/Terminal/Sources/Arguments",
      swiftSettings: settings),
    .target(
      name: "Terminal", dependencies: ["TextLayout"], path: "Packages/Terminal/Sources/Terminal",
      swiftSettings: settings),
    .target(
      name: "TerminalTesting", dependencies: ["Terminal", "TestSupport"],
      path: "Packages/Terminal/Sources/TerminalTesting", swiftSettings: settings),
    .executableTarget(
      name: "TerminalProbe", dependencies: ["Terminal"], path: "Packages/Terminal/Tests/TerminalProbe",
      swiftSettings: settings),
    .testTarget(
      name: "ArgumentsTests", dependencies: ["Arguments", "TestSupport"],
      path: "Packages/Terminal/Tests/ArgumentsTests", swiftSettings: settings),
    .testTarget(
      name: "TerminalTests", dependencies: ["Terminal", "TerminalProbe", "TerminalTesting", "TestSupport"],
      path: "Packages/Terminal/Tests/TerminalTests", swiftSettings: settings),

    // Loopback
    .systemLibrary(
      name: "CLibevent", path: "Packages/Loopback/Sources/CLibevent", pkgConfig: "libevent_openssl",
      providers: [.apt(["libevent-dev", "libssl-dev"]), .brew(["libevent", "openssl@3"])]),
    .target(
      name: "Loopback", dependencies: ["CLibevent"], path: "Packages/Loopback/Sources/Loopback",
      swiftSettings: settings),
    .target(
      name: "LoopbackTesting", dependencies: ["Loopback"], path: "Packages/Loopback/Sources/LoopbackTesting",
      swiftSettings: settings),
    .testTarget(
      name: "LoopbackTests", dependencies: ["CLibevent", "Loopback", "LoopbackTesting", "TestSupport"],
      path: "Packages/Loopback/Tests/LoopbackTests", swiftSettings: settings),

    // Futures
    .target(
      name: "Futures", dependencies: ["Isolation"], path: "Packages/Futures/Sources/Futures", swiftSettings: settings),
    .target(
      name: "FuturesParallel", dependencies: ["Futures", "Parallel"], path: "Packages/Futures/Sources/FuturesParallel",
      swiftSettings: settings),
    .target(
      name: "BrightFuturesCompatibility", dependencies: ["Futures", "Isolation"],
      path: "Packages/Futures/Sources/BrightFuturesCompatibility", swiftSettings: settings),
    .target(
      name: "FuturesNetworking", dependencies: ["Futures"], path: "Packages/Futures/Sources/FuturesNetworking",
      swiftSettings: settings),
    .systemLibrary(
      name: "CCurl", path: "Packages/Futures/Sources/CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev", "zlib1g-dev"]), .brew(["curl"])]),
    .target(
      name: "FuturesNetworkingCurl", dependencies: ["CCurl", "Futures", "FuturesNetworking"],
      path: "Packages/Futures/Sources/FuturesNetworkingCurl", swiftSettings: settings),
    .testTarget(
      name: "FuturesTests", dependencies: ["Futures", "ParallelTesting", "TestSupport"],
      path: "Packages/Futures/Tests/FuturesTests",
      swiftSettings: settings),
    .testTarget(
      name: "FuturesParallelTests", dependencies: ["Futures", "FuturesParallel", "Parallel", "TestSupport"],
      path: "Packages/Futures/Tests/FuturesParallelTests", swiftSettings: settings),
    .testTarget(
      name: "BrightFuturesCompatibilityTests",
      dependencies: ["BrightFuturesCompatibility", "ParallelTesting", "TestSupport"],
      path: "Packages/Futures/Tests/BrightFuturesCompatibilityTests", swiftSettings: settings),
    .testTarget(
      name: "FuturesNetworkingTests", dependencies: ["FuturesNetworking", "LoopbackTesting", "ParallelTesting"],
      path: "Packages/Futures/Tests/FuturesNetworkingTests", swiftSettings: settings),
    .testTarget(
      name: "FuturesNetworkingCurlTests",
      dependencies: [
        "Futures", "FuturesNetworking", "FuturesNetworkingCurl", "Loopback", "LoopbackTesting", "TestSupport",
      ],
      path: "Packages/Futures/Tests/FuturesNetworkingCurlTests", swiftSettings: settings),

    // Snapshotting
    .target(
      name: "Snapshotting", dependencies: ["Isolation", "Parallel"], path: "Packages/Snapshotting/Sources/Snapshotting",
      swiftSettings: settings),
    .target(name: "SnapshotStore", path: "Packages/Snapshotting/Sources/SnapshotStore", swiftSettings: settings),
    .target(
      name: "SnapshotAssertions", dependencies: ["Isolation", "Parallel", "Snapshotting", "SnapshotStore"],
      path: "Packages/Snapshotting/Sources/SnapshotAssertions", swiftSettings: settings),
    .executableTarget(
      name: "Snapshots",
      dependencies: ["Arguments", "ImageSnapshotting", "SnapshotStore", "Snapshotting", "Terminal"],
      path: "Packages/Snapshotting/Sources/Snapshots",
      resources: [.embedInCode("report.html")], swiftSettings: settings),
    .plugin(
      name: "SnapshotsPlugin",
      capability: .command(
        intent: .custom(verb: "snapshots", description: "List and show snapshots that differ from their references.")),
      dependencies: ["Snapshots"], path: "Packages/Snapshotting/Plugins/SnapshotsPlugin"),
    .plugin(
      name: "ReviewSnapshotsPlugin",
      capability: .command(
        intent: .custom(verb: "review-snapshots", description: "Accept or reject snapshots."),
        permissions: [.writeToPackageDirectory(reason: "Accepting a snapshot writes its reference.")]),
      dependencies: ["Snapshots"], path: "Packages/Snapshotting/Plugins/ReviewSnapshotsPlugin"),
    .testTarget(
      name: "SnapshotsTests",
      dependencies: [
        "Arguments", "ImageSnapshotting", "SnapshotAssertions", "SnapshotStore", "Snapshots", "Snapshotting",
        "Terminal",
        "TerminalSnapshotting", "TerminalTesting", "TestSupport", "WebSnapshotting",
      ],
      path: "Packages/Snapshotting/Tests/SnapshotsTests", swiftSettings: settings),
    .systemLibrary(
      name: "CLibpng", path: "Packages/Snapshotting/Sources/CLibpng", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .target(
      name: "CPNG", dependencies: ["CLibpng"], path: "Packages/Snapshotting/Sources/CPNG"),
    .target(
      name: "ImageSnapshotting", dependencies: ["CPNG", "Parallel", "Snapshotting"],
      path: "Packages/Snapshotting/Sources/ImageSnapshotting", swiftSettings: settings),
    .testTarget(
      name: "ImageSnapshottingTests",
      dependencies: ["ImageSnapshotting", "SnapshotAssertions", "SnapshotStore", "Snapshotting", "TestSupport"],
      path: "Packages/Snapshotting/Tests/ImageSnapshottingTests", swiftSettings: settings),
    .testTarget(
      name: "SnapshottingTests", dependencies: ["Snapshotting", "ParallelTesting", "TestSupport"],
      path: "Packages/Snapshotting/Tests/SnapshottingTests", swiftSettings: settings),
    .testTarget(
      name: "SnapshotStoreTests", dependencies: ["SnapshotStore", "TestSupport"],
      path: "Packages/Snapshotting/Tests/SnapshotStoreTests", swiftSettings: settings),
    .testTarget(
      name: "SnapshotAssertionsTests",
      dependencies: ["SnapshotAssertions", "SnapshotStore", "ParallelTesting", "TestSupport"],
      path: "Packages/Snapshotting/Tests/SnapshotAssertionsTests", swiftSettings: settings),
    .target(
      name: "WebSnapshotting", dependencies: ["ImageSnapshotting", "Snapshotting", "Parallel"],
      path: "Packages/Snapshotting/Sources/WebSnapshotting", swiftSettings: settings),
    .testTarget(
      name: "WebSnapshottingTests",
      dependencies: [
        "ImageSnapshotting", "SnapshotAssertions", "Snapshotting", "WebSnapshotting",
        "Loopback", "Parallel", "ParallelTesting", "TestSupport",
      ],
      path: "Packages/Snapshotting/Tests/WebSnapshottingTests", exclude: ["__Snapshots__"],
      resources: [.copy("Programs"), .copy("Site")],
      swiftSettings: settings),
    .target(
      name: "TerminalSnapshotting",
      dependencies: ["ImageSnapshotting", "Snapshotting", "WebSnapshotting", "Parallel", "Terminal"],
      path: "Packages/Snapshotting/Sources/TerminalSnapshotting", swiftSettings: settings),
    .testTarget(
      name: "TerminalSnapshottingTests",
      dependencies: ["ImageSnapshotting", "Snapshotting", "TerminalSnapshotting", "Parallel", "Terminal"],
      path: "Packages/Snapshotting/Tests/TerminalSnapshottingTests", swiftSettings: settings),

    // Coordinators
    .target(
      name: "Coordinators", dependencies: ["Futures"], path: "Packages/Coordinators/Sources/Coordinators",
      swiftSettings: settings),
    .target(
      name: "CoordinatorsTerminal", dependencies: ["Coordinators", "Terminal"],
      path: "Packages/Coordinators/Sources/CoordinatorsTerminal", swiftSettings: settings),
    .target(
      name: "CoordinatorsUIKit", dependencies: ["Coordinators"],
      path: "Packages/Coordinators/Sources/CoordinatorsUIKit", swiftSettings: settings),
    .target(
      name: "CoordinatorsWeb", dependencies: ["Coordinators"],
      path: "Packages/Coordinators/Sources/CoordinatorsWeb",
      resources: [.embedInCode("shell.css"), .embedInCode("shell.js")], swiftSettings: settings),
    .testTarget(
      name: "CoordinatorsTests", dependencies: ["Coordinators", "Futures", "ParallelTesting", "TestSupport"],
      path: "Packages/Coordinators/Tests/CoordinatorsTests", swiftSettings: settings),

    .testTarget(
      name: "CoordinatorsTerminalTests",
      dependencies: ["Coordinators", "CoordinatorsTerminal", "Futures", "Terminal", "TestSupport"],
      path: "Packages/Coordinators/Tests/CoordinatorsTerminalTests", swiftSettings: settings),
    .testTarget(
      name: "CoordinatorsWebTests", dependencies: ["Coordinators", "CoordinatorsWeb", "Futures"],
      path: "Packages/Coordinators/Tests/CoordinatorsWebTests", swiftSettings: settings),

    // OrderTaking
    .target(
      name: "OrderTaking", dependencies: ["Futures"], path: "Packages/OrderTaking/Sources/OrderTaking",
      swiftSettings: settings),
    .target(
      name: "OrderTakingTesting", dependencies: ["OrderTaking", "Futures", "ParallelTesting"],
      path: "Packages/OrderTaking/Sources/OrderTakingTesting", swiftSettings: settings),
    .target(
      name: "OrderTakingClients", dependencies: ["OrderTaking", "Futures", "FuturesNetworking"],
      path: "Packages/OrderTaking/Sources/OrderTakingClients", swiftSettings: settings),
    .testTarget(
      name: "OrderTakingClientsTests",
      dependencies: [
        "OrderTaking", "OrderTakingClients", "Futures", "FuturesNetworking", "FuturesNetworkingCurl", "Loopback",
        "ParallelTesting", "TestSupport",
      ],
      path: "Packages/OrderTaking/Tests/OrderTakingClientsTests", swiftSettings: settings),
    .systemLibrary(
      name: "CSQLite", path: "Packages/OrderTaking/Sources/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(
      name: "OrderTakingJournal", dependencies: ["CSQLite", "Futures", "OrderTaking"],
      path: "Packages/OrderTaking/Sources/OrderTakingJournal", swiftSettings: settings),
    .target(
      name: "StorageTesting", dependencies: ["Futures", "OrderTaking"],
      path: "Packages/OrderTaking/Tests/StorageTesting", swiftSettings: settings),
    .testTarget(
      name: "OrderTakingJournalTests",
      dependencies: [
        "CSQLite", "OrderTaking", "OrderTakingJournal", "StorageTesting", "Futures", "TestSupport",
      ],
      path: "Packages/OrderTaking/Tests/OrderTakingJournalTests", swiftSettings: settings),
    .systemLibrary(
      name: "CPostgres", path: "Packages/OrderTaking/Sources/CPostgres", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "OrderTakingPostgres", dependencies: ["CPostgres", "Futures", "OrderTaking"],
      path: "Packages/OrderTaking/Sources/OrderTakingPostgres", swiftSettings: settings),
    .target(
      name: "PostgresTesting", dependencies: ["TestSupport"], path: "Packages/OrderTaking/Tests/PostgresTesting",
      swiftSettings: settings),
    .testTarget(
      name: "OrderTakingPostgresTests",
      dependencies: [
        "OrderTaking", "OrderTakingPostgres", "OrderTakingTesting", "PostgresTesting", "StorageTesting", "Futures",
        "ParallelTesting", "TestSupport",
      ],
      path: "Packages/OrderTaking/Tests/OrderTakingPostgresTests", swiftSettings: settings),
    .target(
      name: "OrderTakingDispatch", dependencies: ["OrderTaking", "OrderTakingClients"],
      path: "Packages/OrderTaking/Sources/OrderTakingDispatch", swiftSettings: settings),
    .target(
      name: "OrderTakingServer",
      dependencies: ["OrderTaking", "OrderTakingClients", "OrderTakingDispatch", "OrderTakingJournal", "Loopback"],
      path: "Packages/OrderTaking/Sources/OrderTakingServer", swiftSettings: settings),
    .testTarget(
      name: "OrderTakingServerTests",
      dependencies: [
        "OrderTaking", "OrderTakingClients", "OrderTakingDispatch", "OrderTakingJournal", "OrderTakingServer",
        "OrderTakingTesting", "Futures", "FuturesNetworking", "FuturesNetworkingCurl", "Loopback", "LoopbackTesting",
        "ParallelTesting", "TestSupport",
      ],
      path: "Packages/OrderTaking/Tests/OrderTakingServerTests", swiftSettings: settings),
    .target(
      name: "OrderTakingSimulation",
      dependencies: ["OrderTaking", "OrderTakingClients", "OrderTakingDispatch", "Futures"],
      path: "Packages/OrderTaking/Sources/OrderTakingSimulation", swiftSettings: settings),
    .testTarget(
      name: "OrderTakingSimulationTests", dependencies: ["OrderTaking", "OrderTakingSimulation", "Futures"],
      path: "Packages/OrderTaking/Tests/OrderTakingSimulationTests", swiftSettings: settings),
    .executableTarget(
      name: "order-kills",
      dependencies: [
        "OrderTaking", "OrderTakingClients", "OrderTakingJournal", "OrderTakingPostgres", "OrderTakingServer",
        "Futures", "FuturesNetworkingCurl", "PostgresTesting", "TestSupport",
      ],
      path: "Packages/OrderTaking/Tests/OrderKills", swiftSettings: settings),
    .testTarget(
      name: "OrderTakingTests",
      dependencies: ["OrderTaking", "OrderTakingTesting", "Futures", "ParallelTesting", "TestSupport"],
      path: "Packages/OrderTaking/Tests/OrderTakingTests", swiftSettings: settings),

    // The umbrella
    .target(
      name: "Boundaries",
      dependencies: [
        "Coordinators", "Futures", "FuturesNetworking", "FuturesParallel", "OrderTaking", "Parallel", "Snapshotting",
      ],
      path: "Packages/Boundaries/Sources/Boundaries", swiftSettings: settings),
    .testTarget(
      name: "BoundariesTests", dependencies: ["Boundaries"], path: "Packages/Boundaries/Tests/BoundariesTests",
      swiftSettings: settings),

    // The apps
    .executableTarget(
      name: "Demo",
      dependencies: [
        "Arguments", "Coordinators", "CoordinatorsTerminal", "CoordinatorsWeb", "Futures", "FuturesNetworking",
        "FuturesNetworkingCurl", "ImageSnapshotting", "Loopback", "OrderTaking", "OrderTakingClients",
        "OrderTakingJournal", "OrderTakingPostgres", "OrderTakingServer",
        "OrderTakingSimulation", "Parallel", "Snapshotting", "Terminal", "TerminalSnapshotting", "WebSnapshotting",
      ],
      path: "Apps/Demo", sources: ["Sources"], resources: [.copy("Birds"), .copy("Content")],
      swiftSettings: settings),

    .target(name: "AllocationCounter", path: "Apps/Benchmarks/AllocationCounter"),
    .target(name: "CurlBaseline", dependencies: ["CCurl"], path: "Apps/Benchmarks/CurlBaseline"),
    .target(
      name: "BenchmarkHarness", dependencies: ["AllocationCounter", "Arguments"],
      path: "Apps/Benchmarks/Sources/BenchmarkHarness", swiftSettings: settings),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "Arguments", "BenchmarkHarness", "Coordinators", "CoordinatorsTerminal", "CurlBaseline", "Futures",
        "FuturesNetworking", "FuturesNetworkingCurl", "ImageSnapshotting", "Loopback", "OrderTaking",
        "OrderTakingJournal", "OrderTakingSimulation", "Parallel", "SnapshotAssertions", "Terminal", "WebSnapshotting",
      ],
      path: "Apps/Benchmarks/Sources/Benchmarks", swiftSettings: settings),
    .testTarget(
      name: "BenchmarksTests", dependencies: ["Arguments", "BenchmarkHarness"],
      path: "Apps/Benchmarks/Tests/BenchmarksTests", swiftSettings: settings),

    // What only shows when packages meet
    .testTarget(
      name: "DemoTests",
      dependencies: [
        "Arguments", "Coordinators", "CoordinatorsTerminal", "CoordinatorsWeb", "Demo", "Futures", "FuturesNetworking",
        "ImageSnapshotting", "Loopback", "LoopbackTesting", "OrderTaking", "OrderTakingJournal", "OrderTakingServer",
        "PostgresTesting", "SnapshotAssertions", "Terminal", "TerminalSnapshotting", "TerminalTesting", "TestSupport",
        "WebSnapshotting",
      ],
      path: "Tests/DemoTests", exclude: ["Apps/__Snapshots__", "Tour/__Snapshots__"], swiftSettings: settings),
    .testTarget(
      name: "RepositoryTests", path: "Tests/RepositoryTests", swiftSettings: settings),
    .testTarget(
      name: "UmbrellaTests",
      dependencies: [
        "Boundaries", "CoordinatorsTerminal", "CoordinatorsWeb", "FuturesNetworkingCurl", "ImageSnapshotting",
        "Loopback", "OrderTakingClients", "OrderTakingJournal", "OrderTakingServer", "OrderTakingTesting",
        "ParallelTesting", "TestSupport", "SnapshotAssertions", "Terminal", "TerminalSnapshotting", "WebSnapshotting",
      ],
      path: "Tests/UmbrellaTests",
      exclude: ["Orders/__Snapshots__", "Stories/__Snapshots__"], swiftSettings: settings),
  ]
)

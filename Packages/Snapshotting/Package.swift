// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Snapshotting",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ImageSnapshotting", targets: ["ImageSnapshotting"]),
    .library(name: "SnapshotAssertions", targets: ["SnapshotAssertions"]),
    .library(name: "Snapshotting", targets: ["Snapshotting"]),
    .plugin(name: "SnapshotsPlugin", targets: ["ReviewSnapshotsPlugin", "SnapshotsPlugin"]),
    .executable(name: "snapshots", targets: ["Snapshots"]),
    .library(name: "TerminalSnapshotting", targets: ["TerminalSnapshotting"]),
    .library(name: "WebSnapshotting", targets: ["WebSnapshotting"]),
  ],
  dependencies: [
    .package(path: "../Loopback"), .package(path: "../Parallel"), .package(path: "../Terminal"),
    .package(path: "../TestSupport"),
  ],
  targets: [
    .target(
      name: "Snapshotting",
      dependencies: [
        .product(name: "Isolation", package: "Parallel"), .product(name: "Parallel", package: "Parallel"),
      ],
      swiftSettings: settings),
    .target(name: "SnapshotStore", swiftSettings: settings),
    .target(
      name: "SnapshotAssertions",
      dependencies: [
        "Snapshotting", "SnapshotStore", .product(name: "Isolation", package: "Parallel"),
        .product(name: "Parallel", package: "Parallel"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "Snapshots",
      dependencies: [
        "ImageSnapshotting", "SnapshotStore", "Snapshotting", .product(name: "Arguments", package: "Terminal"),
        .product(name: "Terminal", package: "Terminal"),
      ],
      resources: [.embedInCode("report.html")], swiftSettings: settings),
    .plugin(
      name: "SnapshotsPlugin",
      capability: .command(
        intent: .custom(verb: "snapshots", description: "List and show snapshots that differ from their references.")),
      dependencies: ["Snapshots"]),
    .plugin(
      name: "ReviewSnapshotsPlugin",
      capability: .command(
        intent: .custom(verb: "review-snapshots", description: "Accept or reject snapshots."),
        permissions: [.writeToPackageDirectory(reason: "Accepting a snapshot writes its reference.")]),
      dependencies: ["Snapshots"]),
    .testTarget(
      name: "SnapshotsTests",
      dependencies: [
        "ImageSnapshotting", "SnapshotAssertions", "SnapshotStore", "Snapshots", "Snapshotting",
        "TerminalSnapshotting", "WebSnapshotting",
        .product(name: "Arguments", package: "Terminal"), .product(name: "Terminal", package: "Terminal"),
        .product(name: "TerminalTesting", package: "Terminal"), "TestSupport",
      ],
      swiftSettings: settings),
    .systemLibrary(name: "CLibpng", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .target(name: "CPNG", dependencies: ["CLibpng"]),
    .target(
      name: "ImageSnapshotting",
      dependencies: ["CPNG", "Snapshotting", .product(name: "Parallel", package: "Parallel")],
      swiftSettings: settings),
    .testTarget(
      name: "ImageSnapshottingTests",
      dependencies: [
        "ImageSnapshotting", "SnapshotAssertions", "SnapshotStore", "Snapshotting",
        "TestSupport",
      ],
      swiftSettings: settings),
    .target(
      name: "WebSnapshotting",
      dependencies: ["ImageSnapshotting", "Snapshotting", .product(name: "Parallel", package: "Parallel")],
      swiftSettings: settings),
    .testTarget(
      name: "WebSnapshottingTests",
      dependencies: [
        "ImageSnapshotting", "SnapshotAssertions", "Snapshotting", "WebSnapshotting",
        .product(name: "Loopback", package: "Loopback"), .product(name: "Parallel", package: "Parallel"),
        .product(name: "ParallelTesting", package: "Parallel"), "TestSupport",
      ],
      exclude: ["__Snapshots__"], resources: [.copy("Programs"), .copy("Site")],
      swiftSettings: settings),
    .target(
      name: "TerminalSnapshotting",
      dependencies: [
        "ImageSnapshotting", "Snapshotting", "WebSnapshotting", .product(name: "Parallel", package: "Parallel"),
        .product(name: "Terminal", package: "Terminal"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TerminalSnapshottingTests",
      dependencies: [
        "ImageSnapshotting", "Snapshotting", "TerminalSnapshotting", .product(name: "Parallel", package: "Parallel"),
        .product(name: "Terminal", package: "Terminal"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SnapshottingTests",
      dependencies: ["Snapshotting", .product(name: "ParallelTesting", package: "Parallel"), "TestSupport"],
      swiftSettings: settings),
    .testTarget(name: "SnapshotStoreTests", dependencies: ["SnapshotStore", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "SnapshotAssertionsTests",
      dependencies: [
        "SnapshotAssertions", "SnapshotStore", .product(name: "ParallelTesting", package: "Parallel"), "TestSupport",
      ],
      swiftSettings: settings),
  ]
)

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
  ],
  dependencies: [.package(path: "../Parallel")],
  targets: [
    .target(
      name: "Snapshotting",
      dependencies: [
        .product(name: "Isolation", package: "Parallel"), .product(name: "Parallel", package: "Parallel"),
      ],
      swiftSettings: settings),
    .target(
      name: "SnapshotAssertions",
      dependencies: [
        "Snapshotting", .product(name: "Isolation", package: "Parallel"),
        .product(name: "Parallel", package: "Parallel"),
      ],
      swiftSettings: settings),
    .systemLibrary(name: "CLibpng", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .target(
      name: "ImageSnapshotting",
      dependencies: ["CLibpng", "Snapshotting", .product(name: "Parallel", package: "Parallel")],
      swiftSettings: settings),
    .testTarget(
      name: "ImageSnapshottingTests",
      dependencies: [
        "ImageSnapshotting", "SnapshotAssertions", "Snapshotting",
        .product(name: "ParallelTesting", package: "Parallel"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SnapshottingTests",
      dependencies: ["Snapshotting", .product(name: "ParallelTesting", package: "Parallel")],
      swiftSettings: settings),
    .testTarget(
      name: "SnapshotAssertionsTests",
      dependencies: ["SnapshotAssertions", .product(name: "ParallelTesting", package: "Parallel")],
      swiftSettings: settings),
  ]
)

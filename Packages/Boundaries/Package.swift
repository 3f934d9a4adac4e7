// swift-tools-version: 6.2
import PackageDescription

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
    .library(name: "Boundaries", targets: ["Boundaries"])
  ],
  dependencies: [
    .package(path: "../Coordinators"), .package(path: "../Futures"), .package(path: "../OrderTaking"),
    .package(path: "../Parallel"), .package(path: "../Snapshotting"),
  ],
  targets: [
    .target(
      name: "Boundaries",
      dependencies: [
        .product(name: "Coordinators", package: "Coordinators"),
        .product(name: "Futures", package: "Futures"),
        .product(name: "FuturesNetworking", package: "Futures"),
        .product(name: "FuturesParallel", package: "Futures"),
        .product(name: "OrderTaking", package: "OrderTaking"),
        .product(name: "Parallel", package: "Parallel"),
        .product(name: "Snapshotting", package: "Snapshotting"),
      ],
      swiftSettings: settings),
    .testTarget(name: "BoundariesTests", dependencies: ["Boundaries"], swiftSettings: settings),
  ]
)

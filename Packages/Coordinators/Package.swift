// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Coordinators",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Coordinators", targets: ["Coordinators"]),
    .library(name: "CoordinatorsTerminal", targets: ["CoordinatorsTerminal"]),
    .library(name: "CoordinatorsUIKit", targets: ["CoordinatorsUIKit"]),
    .library(name: "CoordinatorsWeb", targets: ["CoordinatorsWeb"]),
  ],
  dependencies: [
    .package(path: "../Futures"), .package(path: "../Parallel"), .package(path: "../Terminal"),
    .package(path: "../TestSupport"),
  ],
  targets: [
    .target(
      name: "Coordinators", dependencies: [.product(name: "Futures", package: "Futures")], swiftSettings: settings),
    .target(
      name: "CoordinatorsTerminal", dependencies: ["Coordinators", .product(name: "Terminal", package: "Terminal")],
      swiftSettings: settings),
    .target(
      name: "CoordinatorsUIKit", dependencies: ["Coordinators"], swiftSettings: settings),
    .target(
      name: "CoordinatorsWeb", dependencies: ["Coordinators"],
      resources: [.embedInCode("shell.css"), .embedInCode("shell.js")], swiftSettings: settings),
    .testTarget(
      name: "CoordinatorsTests",
      dependencies: [
        "Coordinators", .product(name: "Futures", package: "Futures"),
        .product(name: "ParallelTesting", package: "Parallel"), "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CoordinatorsTerminalTests",
      dependencies: [
        "Coordinators", "CoordinatorsTerminal", .product(name: "Futures", package: "Futures"),
        .product(name: "Terminal", package: "Terminal"), "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CoordinatorsWebTests",
      dependencies: ["Coordinators", "CoordinatorsWeb", .product(name: "Futures", package: "Futures")],
      swiftSettings: settings),
  ]
)

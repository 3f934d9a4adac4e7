// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Futures",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "BrightFuturesCompatibility", targets: ["BrightFuturesCompatibility"]),
    .library(name: "Futures", targets: ["Futures"]),
    .library(name: "FuturesNetworking", targets: ["FuturesNetworking"]),
    .library(name: "FuturesNetworkingCurl", targets: ["FuturesNetworkingCurl"]),
    .library(name: "FuturesParallel", targets: ["FuturesParallel"]),
  ],
  dependencies: [.package(path: "../Loopback"), .package(path: "../Parallel"), .package(path: "../TestSupport")],
  targets: [
    .target(
      name: "Futures", dependencies: [.product(name: "Isolation", package: "Parallel")], swiftSettings: settings),
    .target(
      name: "FuturesParallel", dependencies: ["Futures", .product(name: "Parallel", package: "Parallel")],
      swiftSettings: settings),
    .target(
      name: "BrightFuturesCompatibility", dependencies: ["Futures", .product(name: "Isolation", package: "Parallel")],
      swiftSettings: settings),
    .target(name: "FuturesNetworking", dependencies: ["Futures"], swiftSettings: settings),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev", "zlib1g-dev"]), .brew(["curl"])]),
    .target(
      name: "FuturesNetworkingCurl", dependencies: ["CCurl", "Futures", "FuturesNetworking"], swiftSettings: settings),
    .testTarget(
      name: "FuturesTests",
      dependencies: ["Futures", .product(name: "ParallelTesting", package: "Parallel"), "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "FuturesParallelTests",
      dependencies: ["Futures", "FuturesParallel", .product(name: "Parallel", package: "Parallel"), "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "BrightFuturesCompatibilityTests",
      dependencies: [
        "BrightFuturesCompatibility", .product(name: "ParallelTesting", package: "Parallel"), "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FuturesNetworkingTests",
      dependencies: [
        "FuturesNetworking", .product(name: "LoopbackTesting", package: "Loopback"),
        .product(name: "ParallelTesting", package: "Parallel"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FuturesNetworkingCurlTests",
      dependencies: [
        "Futures", "FuturesNetworking", "FuturesNetworkingCurl", .product(name: "Loopback", package: "Loopback"),
        .product(name: "LoopbackTesting", package: "Loopback"),
        "TestSupport",
      ],
      swiftSettings: settings),
  ]
)

// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Parallel",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Isolation", targets: ["Isolation"]),
    .library(name: "Parallel", targets: ["Parallel"]),
    .library(name: "ParallelTesting", targets: ["ParallelTesting"]),
  ],
  dependencies: [.package(path: "../TestSupport")],
  targets: [
    .target(name: "Isolation", swiftSettings: settings),
    .target(name: "Parallel", dependencies: ["Isolation"], swiftSettings: settings),
    .target(name: "ParallelTesting", swiftSettings: settings),
    .testTarget(name: "IsolationTests", dependencies: ["Isolation", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ParallelTests", dependencies: ["Parallel", "ParallelTesting", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ParallelTestingTests", dependencies: ["ParallelTesting", "TestSupport"], swiftSettings: settings),
  ]
)

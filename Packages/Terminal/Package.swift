// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Terminal",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Arguments", targets: ["Arguments"]),
    .library(name: "Terminal", targets: ["Terminal"]),
    .library(name: "TerminalTesting", targets: ["TerminalTesting"]),
  ],
  dependencies: [.package(path: "../TestSupport")],
  targets: [
    .target(name: "TextLayout", swiftSettings: settings),
    .target(name: "Arguments", dependencies: ["TextLayout"], swiftSettings: settings),
    .target(name: "Terminal", dependencies: ["TextLayout"], swiftSettings: settings),
    .target(name: "TerminalTesting", dependencies: ["Terminal", "TestSupport"], swiftSettings: settings),
    .executableTarget(
      name: "TerminalProbe", dependencies: ["Terminal"], path: "Tests/TerminalProbe", swiftSettings: settings),
    .testTarget(name: "ArgumentsTests", dependencies: ["Arguments", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "TerminalTests", dependencies: ["Terminal", "TerminalProbe", "TerminalTesting", "TestSupport"],
      swiftSettings: settings),
  ]
)

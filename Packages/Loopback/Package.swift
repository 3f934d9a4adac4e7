// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Loopback",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Loopback", targets: ["Loopback"]),
    .library(name: "LoopbackTesting", targets: ["LoopbackTesting"]),
  ],
  dependencies: [.package(path: "../TestSupport")],
  targets: [
    .systemLibrary(
      name: "CLibevent", pkgConfig: "libevent_openssl",
      providers: [.apt(["libevent-dev", "libssl-dev"]), .brew(["libevent", "openssl@3"])]),
    .target(name: "Loopback", dependencies: ["CLibevent"], swiftSettings: settings),
    .target(name: "LoopbackTesting", dependencies: ["Loopback"], swiftSettings: settings),
    .testTarget(
      name: "LoopbackTests", dependencies: ["CLibevent", "Loopback", "LoopbackTesting", "TestSupport"],
      swiftSettings: settings),
  ]
)

import Foundation

/// The parts of a `Package.swift` that the repository rules check, decoded from `swift package dump-package`.
struct Manifest: Sendable, Equatable {
  var name: String
  var toolsVersion: String
  /// For example `macos 15.0`.
  var platforms: Set<String> = []
  /// The folder names of the sibling packages that it depends on.
  var siblings: Set<String> = []
  /// Dependencies other than sibling folders, as written.
  var others: [String] = []
  var products: [Product] = []
  var targets: [Target] = []

  struct Product: Sendable, Equatable {
    var name: String
    /// For example `library automatic` or `executable`.
    var type: String
    var targets: [String]
  }

  struct Target: Sendable, Equatable {
    var name: String
    /// `regular`, `test`, `executable`, `plugin` or `system`.
    var type: String
    /// The path from the package's root, if the manifest gives one.
    var path: String?
    /// The names of targets and products.
    ///
    /// A product dependency in a package is a target dependency in the root manifest.
    var dependencies: Set<String> = []
    /// For example `swift enableUpcomingFeature ExistentialAny`, in the order of the manifest.
    var settings: [String] = []
    var exclude: Set<String> = []
    var resources: Set<String> = []
    /// Rarely used attributes, such as `pkgConfig` and the providers of a system library.
    var rest: String = ""
  }
}

extension Manifest {
  /// Decodes the output of `swift package dump-package`.
  init(dump: Data) throws {
    let root = JSON(try JSONSerialization.jsonObject(with: dump))
    name = root["name"].string
    toolsVersion = root["toolsVersion"]["_version"].string
    platforms = Set(root["platforms"].array.map { "\($0["platformName"].string) \($0["version"].string)" })
    for dependency in root["dependencies"].array {
      let folders = dependency["fileSystem"].array.map { URL(fileURLWithPath: $0["path"].string).lastPathComponent }
      if folders.isEmpty { others.append(dependency.flat) } else { siblings.formUnion(folders) }
    }
    products = root["products"].array.map { product in
      Product(
        name: product["name"].string, type: product["type"].flat, targets: product["targets"].array.map(\.string))
    }
    targets = root["targets"].array.map(Target.init)
  }
}

extension Manifest.Target {
  fileprivate init(_ json: JSON) {
    name = json["name"].string
    type = json["type"].string
    path = json["path"].optionalString
    // {"byName": ["Futures", null]}, {"target": […]}, {"product": ["Parallel", "Parallel", null, null]}
    dependencies = Set(json["dependencies"].array.flatMap(\.values).compactMap { $0.array.first?.string })
    settings = json["settings"].array.map { "\($0["tool"].string) \($0["kind"].flat)" }
    exclude = Set(json["exclude"].array.map(\.string))
    resources = Set(json["resources"].array.map(\.flat))
    rest = ["pkgConfig", "providers", "sources", "publicHeadersPath", "pluginUsages", "pluginCapability"]
      .compactMap { json[$0].flat.isEmpty ? nil : "\($0) \(json[$0].flat)" }.joined(separator: ", ")
  }
}

/// A decoded JSON value.
///
/// A lookup that finds nothing returns an empty value.
private struct JSON {
  private let value: Any?

  init(_ value: Any?) { self.value = value is NSNull ? nil : value }

  subscript(key: String) -> JSON { JSON((value as? [String: Any])?[key]) }
  var array: [JSON] { (value as? [Any])?.map(JSON.init) ?? [] }
  var values: [JSON] { (value as? [String: Any])?.values.map(JSON.init) ?? [] }
  var optionalString: String? { value as? String }
  var string: String { optionalString ?? "" }

  /// All keys and scalars in one line, for comparison and for messages.
  var flat: String {
    switch value {
    case let object as [String: Any]:
      object.sorted { $0.key < $1.key }.map { key, value in
        let inner = JSON(value).flat
        return key.hasPrefix("_") ? inner : inner.isEmpty ? key : "\(key) \(inner)"
      }.joined(separator: " ")
    case let array as [Any]: array.map { JSON($0).flat }.joined(separator: " ")
    case let scalar?: "\(scalar)"
    case nil: ""
    }
  }
}

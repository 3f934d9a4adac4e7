/// The parts of a `Package.swift` that the repository rules check, decoded from `swift package dump-package`.
struct Manifest: Decodable, Sendable {
  var name: String
  var toolsVersion: JSON
  var platforms: JSON
  var dependencies: [JSON]
  var products: [Product]
  var targets: [Target]

  struct Product: Decodable, Sendable {
    var name: String
    var type: JSON
    var targets: Set<String>
  }

  struct Target: Decodable, Sendable {
    var name: String
    /// `regular`, `test`, `executable`, `plugin` or `system`.
    var type: String
    /// The path from the package's root, if the manifest gives one.
    var path: String?
    var dependencies: [JSON]
    var settings: JSON
    var exclude: Set<String>
    var resources: JSON
    var pkgConfig: String?
    var providers: JSON?
    var pluginCapability: JSON?
    var publicHeadersPath: String?
  }
}

extension Manifest {
  /// The folder names of the sibling packages that it depends on, and every other dependency as written.
  var siblings: Set<String> {
    Set(
      dependencies.map { dependency in
        guard case .string(let path)? = dependency["fileSystem"]?[0]?["path"] else { return "\(dependency)" }
        return path.split(separator: "/").last.map(String.init) ?? path
      })
  }
}

extension Manifest.Target {
  /// The names of targets and products.
  ///
  /// A product dependency in a package is a target dependency in the root manifest.
  var dependencyNames: Set<String> {
    // {"byName": ["Futures", null]}, {"target": […]}, {"product": ["Parallel", "Parallel", null, null]}
    Set(
      dependencies.compactMap { dependency in
        guard case .object(let fields) = dependency, case .string(let name)? = fields.values.first?[0] else {
          return nil
        }
        return name
      })
  }
}

/// Any JSON value.
enum JSON: Decodable, Hashable, Sendable {
  case null, bool(Bool), number(Double), string(String), array([JSON]), object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  subscript(key: String) -> JSON? { if case .object(let fields) = self { fields[key] } else { nil } }
  subscript(index: Int) -> JSON? {
    if case .array(let values) = self, values.indices.contains(index) { values[index] } else { nil }
  }
}

extension JSON: CustomStringConvertible {
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): value
    case .array(let values): "\(values)"
    case .object(let fields): fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }
  }
}

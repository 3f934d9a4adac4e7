/// A diagram of the packages: a row for each layer, and an arrow for each dependency that no other dependency implies.
struct PackageDiagram {
  private struct Box {
    var title: String
    var lines: [String]
    var x: Int
    var y: Int

    static let width = 250
    var height: Int { 38 + 17 * lines.count }
    var center: Int { x + Self.width / 2 }
  }

  private static let margin = 20
  private static let gap = 70
  private static let columns = 3

  private var boxes: [Box] = []
  private var arrows: [(from: String, to: String)] = []
  private var height = 0

  /// - Parameter packages: The manifests by folder name.
  init(of packages: [String: Manifest], layers: [Set<String>]) {
    var y = Self.margin
    for layer in layers.reversed() {
      let names = layer.intersection(packages.keys).sorted()
      let row = names.enumerated().map { index, name in
        Box(
          title: name, lines: packages[name].map(Self.modules) ?? [],
          x: Self.margin + (2 * index + Self.columns - names.count) * (Box.width + Self.gap / 2) / 2, y: y)
      }
      boxes += row
      y += (row.map(\.height).max() ?? 0) + Self.gap
    }
    height = y - Self.gap + Self.margin
    arrows = packages.sorted { $0.key < $1.key }.flatMap { name, manifest in
      let implied = manifest.siblings.reduce(into: Set<String>()) { $0.formUnion(Self.all(below: $1, in: packages)) }
      return manifest.siblings.subtracting(implied).sorted().map { (name, $0) }
    }
  }

  /// The direct and indirect dependencies of a package.
  private static func all(below name: String, in packages: [String: Manifest]) -> Set<String> {
    (packages[name]?.siblings ?? []).reduce(into: []) { below, sibling in
      below.formUnion([sibling])
      below.formUnion(all(below: sibling, in: packages))
    }
  }

  /// The library products of a package, except the one with the package's name.
  private static func modules(of manifest: Manifest) -> [String] {
    manifest.products.filter { $0.type.hasPrefix("library") }.map(\.name).filter { $0 != manifest.name }.sorted()
  }

  /// The diagram as a self-contained SVG file.
  var svg: String {
    let width = 2 * Self.margin + Self.columns * Box.width + (Self.columns - 1) * Self.gap / 2
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(width) \#(height)" font-family="sans-serif">"#,
      #"<rect width="\#(width)" height="\#(height)" fill="white"/>"#,
    ]
    for arrow in arrows {
      guard let from = boxes.first(where: { $0.title == arrow.from }),
        let to = boxes.first(where: { $0.title == arrow.to })
      else { continue }
      let (start, end) = (from.y + from.height, to.y)
      lines.append(
        #"<path d="M\#(from.center) \#(start) C\#(from.center) \#(start + 40) \#(to.center) \#(end - 45) \#(to.center) "#
          + #"\#(end - 6)" fill="none" stroke="slategray" stroke-width="1.5"/>"#)
      lines.append(
        #"<path d="M\#(to.center - 4) \#(end - 8) l8 0 l-4 7 z" fill="slategray"/>"#)
    }
    for box in boxes {
      lines.append(
        #"<rect x="\#(box.x)" y="\#(box.y)" width="\#(Box.width)" height="\#(box.height)" rx="8" fill="aliceblue" "#
          + #"stroke="steelblue"/>"#)
      lines.append(
        #"<text x="\#(box.center)" y="\#(box.y + 25)" font-size="16" font-weight="bold" text-anchor="middle" "#
          + #"fill="black">\#(box.title)</text>"#)
      for (index, line) in box.lines.enumerated() {
        lines.append(
          #"<text x="\#(box.center)" y="\#(box.y + 46 + 17 * index)" font-size="12" text-anchor="middle" "#
            + #"fill="dimgray">\#(line)</text>"#)
      }
    }
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }
}

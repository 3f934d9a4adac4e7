// The settings are text, so that they can be read in the document of a pending snapshot.

extension ImageComparison {
  /// The settings that differ from an exact comparison, by their names.
  package var settings: [String: String] {
    let exact = ImageComparison()
    var settings: [String: String] = [:]
    if precision != exact.precision { settings["precision"] = "\(precision)" }
    if perceptualPrecision != exact.perceptualPrecision { settings["perceptualPrecision"] = "\(perceptualPrecision)" }
    if ignoresAntialiasing { settings["ignoringAntialiasing"] = "true" }
    if colorDistance == .yiq { settings["colorDistance"] = "yiq" }
    if !masks.isEmpty {
      settings["masks"] = masks.map { "\($0.x) \($0.y) \($0.width) \($0.height)" }.joined(separator: ", ")
    }
    return settings
  }

  /// Creates a comparison from its settings, and ignores those that it cannot read.
  package init(settings: [String: String]) {
    self.init(
      precision: settings["precision"].flatMap(Double.init) ?? 1,
      perceptualPrecision: settings["perceptualPrecision"].flatMap(Double.init) ?? 1,
      ignoringAntialiasing: settings["ignoringAntialiasing"] == "true",
      colorDistance: settings["colorDistance"] == "yiq" ? .yiq : .deltaE,
      masks: (settings["masks"] ?? "").split(separator: ",").compactMap { text in
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 4 else { return nil }
        return Image.Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
      })
  }
}

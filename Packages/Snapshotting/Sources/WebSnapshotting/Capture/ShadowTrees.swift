/// The shadow trees that the scripts of the page cannot find, from the browser's flat list of nodes.
struct ShadowTrees {
  /// The frame of each tree, and the browser's identifier of its root.
  private(set) var hidden: [(frame: String, node: JSONValue)] = []

  private var parents: [Int: Int] = [:]
  private var frames: [Int: String] = [:]
  private let mainFrame: String

  /// Finds closed trees, and the browser's own trees of elements that play.
  init(nodes: [JSONValue], mainFrame: String) {
    self.mainFrame = mainFrame
    var roots: [(host: Int, node: JSONValue)] = []
    for node in nodes {
      guard let id = node["nodeId"]?.integer else { continue }
      parents[id] = node["parentId"]?.integer
      if let document = node["contentDocument"]?["nodeId"]?.integer { frames[document] = node["frameId"]?.string }
      let plays = ["marquee", "video", "audio"].contains(node["localName"]?.string ?? "")
      for root in node["shadowRoots"]?.array ?? [] {
        if let rootID = root["nodeId"]?.integer { parents[rootID] = id }
        let type = root["shadowRootType"]?.string
        if type == "closed" || type == "user-agent" && plays { roots.append((id, root["backendNodeId"] ?? .null)) }
      }
    }
    hidden = roots.map { (frame(of: $0.host), $0.node) }
  }

  /// The frame of a node: the one of the nearest document among its ancestors.
  private func frame(of node: Int) -> String {
    var node: Int? = node
    while let current = node {
      if let frame = frames[current] { return frame }
      node = parents[current]
    }
    return mainFrame
  }
}

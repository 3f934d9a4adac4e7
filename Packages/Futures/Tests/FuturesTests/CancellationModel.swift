import Futures

typealias CancellationOutcome = Result<Int, StoppableError>

/// The specification of cancellation: a graph of futures, in which a derived future without listeners waits for nothing.
struct CancellationModel {
  enum Node {
    /// A promise whose work can be stopped.
    case work
    /// A promise without a handler. Listeners that leave do not complete it.
    case promise
    case map(Int)
    case flatMap(Int, to: Int)
    case sequence([Int])
    case race([Int])
    case timeout(Int)
    /// A promise that is completed with another future.
    case adoption(Int)
  }

  private var nodes: [Node] = []
  private var results: [CancellationOutcome?] = []
  private var hasListener: Set<Int> = []
  /// The futures that have left their sources.
  private var left: Set<Int> = []
  /// The `flatMap` futures that wait for their second source.
  private var following: Set<Int> = []
  private(set) var stopped: Set<Int> = []

  var count: Int { nodes.count }

  func promise(before index: Int) -> Int {
    nodes[...index].lastIndex {
      switch $0 {
      case .work, .promise: true
      default: false
      }
    } ?? 0
  }

  mutating func add(_ node: Node) {
    nodes.append(node)
    results.append(nil)
    for source in sources(of: count - 1) { rejoin(source) }
    propagate()
  }

  mutating func listen(_ index: Int) {
    hasListener.insert(index)
    rejoin(index)
    propagate()
  }

  mutating func complete(_ index: Int, _ result: CancellationOutcome) {
    if results[index] == nil { results[index] = result }
    propagate()
  }

  mutating func cancel(_ index: Int) {
    guard results[index] == nil else { return }
    let sources = left.contains(index) ? [] : sources(of: index)
    if case .work = nodes[index] { stopped.insert(index) }
    results[index] = .failure(.stopped)
    propagate()
    for source in sources { leave(source) }
  }

  func read(_ index: Int) -> CancellationOutcome? { results[index] }

  private mutating func leave(_ index: Int) {
    guard results[index] == nil, !left.contains(index), !isWanted(index) else { return }
    switch nodes[index] {
    case .work: cancel(index)
    case .promise: break
    default:
      left.insert(index)
      for source in sources(of: index) { leave(source) }
    }
  }

  private mutating func rejoin(_ index: Int) {
    guard results[index] == nil, left.remove(index) != nil else { return }
    for source in sources(of: index) { rejoin(source) }
  }

  private func sources(of index: Int) -> [Int] {
    guard results[index] == nil else { return [] }
    let all: [Int] =
      switch nodes[index] {
      case .work, .promise: []
      case .map(let source), .timeout(let source), .adoption(let source): [source]
      case .flatMap(let source, let other): [following.contains(index) ? other : source]
      case .sequence(let sources), .race(let sources): sources
      }
    return all.filter { results[$0] == nil }
  }

  private func isWanted(_ index: Int) -> Bool {
    hasListener.contains(index) || nodes.indices.contains { !left.contains($0) && sources(of: $0).contains(index) }
  }

  private mutating func propagate() {
    var isChanged = true
    while isChanged {
      isChanged = false
      for index in nodes.indices where results[index] == nil {
        if case .flatMap(let source, let other) = nodes[index], case .success? = results[source],
          !left.contains(index), following.insert(index).inserted
        {
          rejoin(other)
          isChanged = true
        }
        guard let result = result(of: index) else { continue }
        let losers = left.contains(index) ? [] : sources(of: index)
        results[index] = result
        isChanged = true
        if case .race = nodes[index] { for loser in losers { leave(loser) } }
      }
    }
  }

  private func result(of index: Int) -> CancellationOutcome? {
    guard !left.contains(index) else { return nil }
    switch nodes[index] {
    case .work, .promise: return nil
    case .map(let source): return results[source]?.map { $0 + 1 }
    case .flatMap(let source, let other):
      if following.contains(index) { return results[other] }
      if case .failure? = results[source] { return results[source] }
      return nil
    case .sequence(let sources):
      for source in sources {
        guard case .success? = results[source] else { return results[source] }
      }
      return .success(sources.count)
    case .race(let sources): return sources.lazy.compactMap { results[$0] }.first
    case .timeout(let source), .adoption(let source): return results[source]
    }
  }
}

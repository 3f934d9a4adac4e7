/// Inlinable for the simulation, which is another module.
package struct Heap<Element: Comparable> {
  @usableFromInline var elements: [Element] = []

  @inlinable package init() {}

  @inlinable package var count: Int { elements.count }

  @inlinable package var first: Element? { elements.first }

  @inlinable package mutating func insert(_ element: Element) {
    elements.append(element)
    var place = elements.count - 1
    while place > 0, elements[place] < elements[(place - 1) / 2] {
      elements.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  @inlinable @discardableResult package mutating func popFirst() -> Element? {
    guard !elements.isEmpty else { return nil }
    elements.swapAt(0, elements.count - 1)
    let first = elements.removeLast()
    var place = 0
    while true {
      var least = place
      for child in 2 * place + 1..<2 * place + 3 where child < elements.count && elements[child] < elements[least] {
        least = child
      }
      guard least != place else { return first }
      elements.swapAt(place, least)
      place = least
    }
  }

  /// Removes elements, in the time of a sort.
  package mutating func removeAll(where isRemoved: (Element) -> Bool) {
    elements.removeAll(where: isRemoved)
    // A sorted array is a heap.
    elements.sort()
  }

  @inlinable package mutating func removeAll() { elements.removeAll(keepingCapacity: true) }
}

/// An object that contains itself is shown once.
///
/// An object that several others refer to is shown for each of them, as long as the dump is small. In a large dump it
/// is shown once, because a graph can have a number of paths that is exponential in its size.
struct VisitedObjects {
  enum Visit {
    case new
    case circular
    /// The object was shown before; objects are numbered from 1 in the order in which they are complete.
    case shared(number: Int)
  }

  let largeDump: Int
  private var path: Set<ObjectIdentifier> = []
  /// The complete objects.
  ///
  /// They are retained, so that no other object gets the address of one.
  private var complete: [ObjectIdentifier: (object: AnyObject, number: Int)] = [:]

  init(largeDump: Int) { self.largeDump = largeDump }

  mutating func enter(_ object: AnyObject, nodes: Int) -> Visit {
    let id = ObjectIdentifier(object)
    if nodes > largeDump, let known = complete[id] { return .shared(number: known.number) }
    return path.insert(id).inserted ? .new : .circular
  }

  mutating func leave(_ object: AnyObject) {
    let id = ObjectIdentifier(object)
    path.remove(id)
    if complete[id] == nil { complete[id] = (object, complete.count + 1) }
  }
}

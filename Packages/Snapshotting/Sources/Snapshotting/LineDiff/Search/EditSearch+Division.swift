extension EditSearch {
  /// Returns a place on a shortest path through the box, or the furthest place within the limit; `nil` if the budget is spent.
  ///
  /// The box is trimmed and not empty on either side. So at least two lines differ, each search takes at least one step, and the
  /// place is not a corner.
  mutating func division(of box: Box) -> (old: Int, new: Int)? {
    let (oldLow, oldHigh, newLow, newHigh) = (box.oldLow, box.oldHigh, box.newLow, box.newHigh)
    let forward = self.forward.base + shift
    let backward = self.backward.base + shift
    let least = oldLow - newHigh
    let most = oldHigh - newLow
    let start = oldLow - newLow
    let end = oldHigh - newHigh
    let meetsForward = (start - end) & 1 != 0
    var (forwardLow, forwardHigh) = (start, start)
    var (backwardLow, backwardHigh) = (end, end)
    forward[start] = Int32(truncatingIfNeeded: oldLow)
    backward[end] = Int32(truncatingIfNeeded: oldHigh)

    var cost = 0
    while true {
      cost &+= 1
      var steps = 0

      // One more removed or added line, from the start. The diagonals outside never win.
      if forwardLow > least {
        forwardLow &-= 1
        forward[forwardLow &- 1] = -1
      } else {
        forwardLow &+= 1
      }
      if forwardHigh < most {
        forwardHigh &+= 1
        forward[forwardHigh &+ 1] = -1
      } else {
        forwardHigh &-= 1
      }
      var diagonal = forwardHigh
      while diagonal >= forwardLow {
        let added = Int(forward[diagonal &+ 1])
        let removed = Int(forward[diagonal &- 1]) &+ 1
        let from = added >= removed ? added : removed
        var place = from
        var newPlace = place &- diagonal
        while place < oldHigh, newPlace < newHigh, old[place] == new[newPlace] {
          place &+= 1
          newPlace &+= 1
        }
        forward[diagonal] = Int32(truncatingIfNeeded: place)
        if meetsForward, backwardLow <= diagonal, diagonal <= backwardHigh, Int(backward[diagonal]) <= place {
          budget.spend(steps)
          return (place, newPlace)
        }
        steps &+= 1 &+ place &- from
        diagonal &-= 2
      }

      // One more line from the end.
      if backwardLow > least {
        backwardLow &-= 1
        backward[backwardLow &- 1] = .max
      } else {
        backwardLow &+= 1
      }
      if backwardHigh < most {
        backwardHigh &+= 1
        backward[backwardHigh &+ 1] = .max
      } else {
        backwardHigh &-= 1
      }
      diagonal = backwardHigh
      while diagonal >= backwardLow {
        let added = Int(backward[diagonal &- 1])
        let removed = Int(backward[diagonal &+ 1]) &- 1
        let from = added <= removed ? added : removed
        var place = from
        var newPlace = place &- diagonal
        while place > oldLow, newPlace > newLow, old[place &- 1] == new[newPlace &- 1] {
          place &-= 1
          newPlace &-= 1
        }
        backward[diagonal] = Int32(truncatingIfNeeded: place)
        if !meetsForward, forwardLow <= diagonal, diagonal <= forwardHigh, place <= Int(forward[diagonal]) {
          budget.spend(steps)
          return (place, newPlace)
        }
        steps &+= 1 &+ from &- place
        diagonal &-= 2
      }

      budget.spend(steps)
      if budget.isSpent { return nil }
      if cost >= longestSearch {
        return furthest(in: box, forward: forwardLow...forwardHigh, backward: backwardLow...backwardHigh)
      }
    }
  }

  /// Returns the furthest place of either search.
  private func furthest(in box: Box, forward: ClosedRange<Int>, backward: ClosedRange<Int>) -> (old: Int, new: Int) {
    var (most, best) = (Int.min, (old: box.oldLow, new: box.newLow))
    for diagonal in stride(from: forward.upperBound, through: forward.lowerBound, by: -2) {
      let place = min(Int(self.forward[diagonal + shift]), box.oldHigh)
      let newPlace = place - diagonal
      guard newPlace <= box.newHigh, newPlace >= box.newLow else { continue }
      let behind = place + newPlace - box.oldLow - box.newLow
      if behind > most { (most, best) = (behind, (place, newPlace)) }
    }
    for diagonal in stride(from: backward.upperBound, through: backward.lowerBound, by: -2) {
      let place = max(Int(self.backward[diagonal + shift]), box.oldLow)
      let newPlace = place - diagonal
      guard newPlace >= box.newLow, newPlace <= box.newHigh else { continue }
      let behind = box.oldHigh + box.newHigh - place - newPlace
      if behind > most { (most, best) = (behind, (place, newPlace)) }
    }
    return best
  }
}

import Foundation

func commonPrefix(_ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>) -> Int {
  guard let oldBase = old.baseAddress, let newBase = new.baseAddress else { return 0 }
  let limit = min(old.count, new.count)
  var equal = 0
  // The comparison of the C library is the fastest, also in debug builds, but does not return the place of the difference.
  while equal + block <= limit, memcmp(oldBase + equal, newBase + equal, block) == 0 { equal += block }
  while equal < limit, oldBase[equal] == newBase[equal] { equal += 1 }
  return equal
}

func commonSuffix(_ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>, limit: Int) -> Int {
  guard let oldBase = old.baseAddress, let newBase = new.baseAddress else { return 0 }
  let oldEnd = oldBase + old.count
  let newEnd = newBase + new.count
  var equal = 0
  while equal + block <= limit, memcmp(oldEnd - equal - block, newEnd - equal - block, block) == 0 { equal += block }
  while equal < limit, oldEnd[-1 - equal] == newEnd[-1 - equal] { equal += 1 }
  return equal
}

private let block = 256

/// Returns the start of each line of a text, and at the end the length of the text plus one.
func lineStarts(of text: UnsafeBufferPointer<UInt8>) -> [Int] {
  var starts = [0]
  guard let base = text.baseAddress else { return [0, 1] }
  starts.reserveCapacity(text.count / 32 + 2)
  var position = 0
  while position < text.count, let newline = memchr(base + position, 0x0A, text.count - position) {
    position = UnsafeRawPointer(newline) - UnsafeRawPointer(base) + 1
    starts.append(position)
  }
  starts.append(text.count + 1)
  return starts
}

@inline(__always)
func sameBytes(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Bool {
  memcmp(left, right, count) == 0
}

/// Without a random seed, so that a difference is the same in every process.
@inline(__always)
func lineHash(_ line: UnsafePointer<UInt8>, count: Int) -> UInt64 {
  let bytes = UnsafeRawPointer(line)
  var hash = mixed(UInt64(truncatingIfNeeded: count) ^ 0x2D35_8DCC_AA6C_78A5)
  var position = 0
  while position &+ 8 <= count {
    hash = mixed(hash ^ bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    position &+= 8
  }
  if position < count {
    var rest: UInt64 = 0
    if count >= 8 {
      rest = bytes.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    } else {
      while position < count {
        rest = rest << 8 | UInt64(line[position])
        position &+= 1
      }
    }
    hash = mixed(hash ^ rest)
  }
  return hash
}

/// Combines the two halves of a product, so that each bit of the result depends on each bit of the value.
@inline(__always)
private func mixed(_ value: UInt64) -> UInt64 {
  let product = (value ^ 0x8BB8_4B93_962E_ACC9).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
  return product.high ^ product.low
}

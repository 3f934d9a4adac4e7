internal import Foundation

/// Returns a type's name without the numbers of local types: `Point` for `Point #1`.
func nameWithoutNumbers(_ type: Any.Type) -> String {
  let name = String(describing: type)
  guard name.utf8.contains(UInt8(ascii: "#")) else { return name }
  var result: [UInt8] = []
  var rest = Array(name.utf8)[...]
  while let byte = rest.first {
    let digits = rest.dropFirst(2).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    if byte == UInt8(ascii: " "), rest.dropFirst().first == UInt8(ascii: "#"), !digits.isEmpty {
      rest = rest[digits.endIndex...]
    } else {
      result.append(byte)
      rest = rest.dropFirst()
    }
  }
  return String(decoding: result, as: UTF8.self)
}

/// Returns a text without addresses, and without the colon and the space before each.
func withoutAddresses(_ text: String) -> String {
  text.replacingOccurrences(of: ":?\\s*0x[\\da-f]+(\\s*)", with: "$1", options: .regularExpression)
}

/// Returns a date in the form `2018-12-17T10:00:00Z`, optionally with the fraction of the second to the nanosecond.
///
/// It computes the Gregorian calendar itself, because a formatter takes longer than the rest of a dump.
func utcText(of date: Date, fraction: Bool) -> String {
  let interval = date.timeIntervalSince1970
  // Larger values have no precision of a second, and can overflow integers.
  guard interval.isFinite, abs(interval) < 1e14 else { return "\(interval) seconds since 1970" }
  var seconds = Int(interval.rounded(.down))
  var nanoseconds = fraction ? Int(((interval - interval.rounded(.down)) * 1e9).rounded()) : 0
  if nanoseconds == 1_000_000_000 { (seconds, nanoseconds) = (seconds + 1, 0) }
  let (days, time) = seconds.quotientAndRemainderFlooring(dividingBy: 86_400)
  let (year, month, day) = civilDate(daysSince1970: days)
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  var text =
    "\(padded(year, to: 4))-\(two(month))-\(two(day))T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
  if nanoseconds > 0 {
    var digits = padded(nanoseconds, to: 9)
    while digits.hasSuffix("0") { digits.removeLast() }
    text += ".\(digits)"
  }
  return text + "Z"
}

private func padded(_ number: Int, to width: Int) -> String {
  let digits = "\(number.magnitude)"
  return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Returns the Gregorian date of a day.
///
/// It counts days in eras of 400 years that begin in March.
private func civilDate(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
  let (era, dayOfEra) = (daysSince1970 + 719_468).quotientAndRemainderFlooring(dividingBy: 146_097)
  let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let marchMonth = (5 * dayOfYear + 2) / 153
  let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
}

extension Int {
  fileprivate func quotientAndRemainderFlooring(dividingBy divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

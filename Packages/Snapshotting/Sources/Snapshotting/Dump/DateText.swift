internal import Foundation

/// Returns a date in the form `2018-12-17T10:00:00Z`, optionally with the fraction of the second to the nanosecond.
///
/// It uses the C library, because a formatter takes longer than the rest of a dump.
func utcText(of date: Date, fraction: Bool) -> String {
  let interval = date.timeIntervalSince1970
  // Larger values have no precision of a second, and can overflow integers.
  guard interval.isFinite, abs(interval) < 1e14 else { return "\(interval) seconds since 1970" }
  var seconds = time_t(interval.rounded(.down))
  var nanoseconds = fraction ? Int(((interval - interval.rounded(.down)) * 1e9).rounded()) : 0
  if nanoseconds == 1_000_000_000 { (seconds, nanoseconds) = (seconds + 1, 0) }
  var parts = tm()
  gmtime_r(&seconds, &parts)
  let year = Int(parts.tm_year) + 1900
  let date = [Int(parts.tm_mon) + 1, Int(parts.tm_mday)].map { padded($0, to: 2) }
  let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { padded(Int($0), to: 2) }
  var text = "\(padded(year, to: 4))-\(date.joined(separator: "-"))T\(time.joined(separator: ":"))"
  if nanoseconds > 0 {
    var digits = padded(nanoseconds, to: 9)
    while digits.hasSuffix("0") { digits.removeLast() }
    text += ".\(digits)"
  }
  return text + "Z"
}

private func padded(_ number: Int, to width: Int) -> String {
  (number < 0 ? "-" : "") + "\(number.magnitude)".leftPadded(to: width)
}

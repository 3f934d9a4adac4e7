/// The dates of HTTP (RFC 9110, 5.6.7), in all three forms.
enum HTTPDate {
  /// The seconds since 1970, or `nil` for anything that is no such date.
  ///
  /// - Parameter text: `Sun, 06 Nov 1994 08:49:37 GMT`, or one of the forms of old servers, `Sunday, 06-Nov-94 08:49:37 GMT`
  ///   and `Sun Nov  6 08:49:37 1994`.
  static func seconds(_ text: String) -> Int64? {
    guard text.utf8.count <= 40 else { return nil }
    let words = text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    switch words.count {
    case 8 where words[7] == "GMT":
      return seconds(day: words[1], month: words[2], year: words[3], time: words[4...6])
    case 7: return seconds(day: words[2], month: words[1], year: words[6], time: words[3...5])
    default: return nil
    }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func seconds(day: String, month: String, year: String, time: ArraySlice<String>) -> Int64? {
    let times = time.compactMap { Int64($0) }
    guard let day = Int64(day), let month = months.firstIndex(of: month), var number = Int64(year), times.count == 3,
      (1...31).contains(day), (0...9_999).contains(number), (0...23).contains(times[0]), (0...59).contains(times[1]),
      (0...60).contains(times[2])
    else { return nil }
    // A year of two digits is the nearest that is not far ahead.
    if year.utf8.count == 2 { number += number < 70 ? 2_000 : 1_900 }
    return days(number, Int64(month) + 1, day) * 86_400 + times[0] * 3_600 + times[1] * 60 + times[2]
  }

  /// The days since 1970 of a day in the Gregorian calendar, counted in years that begin with March.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

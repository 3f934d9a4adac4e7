public import Foundation

extension LinkValue where Value == Date {
  /// A day, `2017-03-02`: the beginning of it in UTC, in the years from 1 through 9999.
  ///
  /// A date within a day cannot be printed.
  public static var day: LinkValue {
    LinkValue(
      "a date such as 2017-03-02",
      parse: { text in
        let bytes = Array(text.utf8)
        guard bytes.count == 10, let day = dayNumber(of: bytes) else { return nil }
        return Date(timeIntervalSince1970: Double(day) * 86_400)
      },
      print: { date in
        let seconds = date.timeIntervalSince1970
        guard let day = Int(exactly: seconds / 86_400) else { return nil }
        return text(ofDay: day)
      })
  }

  /// A moment in UTC, `2017-03-02T09:30:00Z`, with milliseconds where there are any, in the years from 1 through 9999.
  ///
  /// A date of a finer grain cannot be printed.
  public static var date: LinkValue {
    LinkValue("a time such as 2017-03-02T09:30:00Z", parse: { moment(of: Array($0.utf8)) }, print: { text(of: $0) })
  }
}

private func moment(of bytes: [UInt8]) -> Date? {
  let isFine = bytes.count == 24
  guard isFine || bytes.count == 20, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
    bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), let day = dayNumber(of: Array(bytes[..<10])),
    let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
    hour < 24, minute < 60, second < 60
  else { return nil }
  var milliseconds = 0
  if isFine {
    guard bytes[19] == UInt8(ascii: "."), let fraction = number(bytes[20..<23]), fraction > 0 else { return nil }
    milliseconds = fraction
  }
  return date(seconds: day * 86_400 + hour * 3_600 + minute * 60 + second, milliseconds)
}

/// One way to make a date, so that printing can see whether reading will give the same.
private func date(seconds: Int, _ milliseconds: Int) -> Date {
  Date(timeIntervalSince1970: Double(seconds) + Double(milliseconds) / 1_000)
}

private func text(of date: Date) -> String? {
  let total = (date.timeIntervalSince1970 * 1_000).rounded()
  guard let ticks = Int(exactly: total) else { return nil }
  let seconds = ticks.floored(by: 1_000)
  let milliseconds = ticks - seconds * 1_000
  let day = seconds.floored(by: 86_400)
  let rest = seconds - day * 86_400
  guard let days = text(ofDay: day) else { return nil }
  let time = "\(padded(rest / 3_600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
  let text = "\(days)T\(time)\(milliseconds == 0 ? "" : ".\(padded(milliseconds, 3))")Z"
  return moment(of: Array(text.utf8)) == date ? text : nil
}

/// The days since 1970 of a date of the Gregorian calendar, if there is that day.
private func dayNumber(of bytes: [UInt8]) -> Int? {
  guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), let year = number(bytes[0..<4]),
    let month = number(bytes[5..<7]), let day = number(bytes[8..<10]), year > 0, (1...12).contains(month), day > 0
  else { return nil }
  // Years that begin in March: the leap day is the last of one then, and months have a regular length.
  let years = month > 2 ? year : year - 1
  let era = years / 400
  let yearOfEra = years - era * 400
  let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
  let number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  // The day may not exist, 30 February say: then it comes back as another.
  return text(ofDay: number).map { Array($0.utf8) == bytes } == true ? number : nil
}

private func text(ofDay number: Int) -> String? {
  // From the first day of year 1 through the last of year 9999.
  guard (-719_162...2_932_896).contains(number) else { return nil }
  let shifted = number + 719_468
  let era = shifted / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let month = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * month + 2) / 5 + 1
  let year = era * 400 + yearOfEra + (month < 10 ? 0 : 1)
  return "\(padded(year, 4))-\(padded(month < 10 ? month + 3 : month - 9, 2))-\(padded(day, 2))"
}

private func number(_ digits: ArraySlice<UInt8>) -> Int? {
  var number = 0
  for byte in digits {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
    number = number * 10 + Int(byte - UInt8(ascii: "0"))
  }
  return number
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = "\(number)"
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

extension Int {
  fileprivate func floored(by divisor: Int) -> Int { (self - (self % divisor + divisor) % divisor) / divisor }
}

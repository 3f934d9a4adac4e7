public import Foundation
internal import Parallel

#if canImport(FoundationNetworking)
  public import struct FoundationNetworking.URLRequest
#endif

extension Snapshotting where Value == String, Format == String {
  /// Returns text unchanged, and shows differences by lines.
  ///
  /// ```swift
  /// assertSnapshot(of: "Puffin\nSwift", as: .lines)
  /// ```
  public static var lines: Snapshotting { Snapshotting(pathExtension: "txt", diffing: .lines) }
}

extension Diffing where Value == String {
  /// Compares text by its bytes, and shows differences by lines, as hunks.
  ///
  /// The two Unicode forms of é differ, and so do line endings. Notes below the hunks describe invisible differences (see ``LineDiff``).
  /// Reading throws ``NotUTF8`` if a reference file is not UTF-8.
  public static var lines: Diffing {
    Diffing(
      toData: { Data($0.utf8) },
      fromData: { data in
        guard let text = String(validating: data, as: UTF8.self) else { throw NotUTF8() }
        return text
      },
      diff: { old, new in
        let difference = LineDiff(old: old, new: new)
        guard !difference.isEmpty else { return nil }
        return (difference.formatted(), [SnapshotAttachment(string: difference.text, name: "difference.patch")])
      })
  }
}

public struct NotUTF8: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String {
    "The data is not valid UTF-8. Restore the file, or delete it and run the test again."
  }
}

extension Snapshotting where Value == Data, Format == Data {
  /// Returns bytes unchanged.
  ///
  /// The reference file has no path extension.
  ///
  /// ```swift
  /// assertSnapshot(of: archive, as: .data)
  /// ```
  public static var data: Snapshotting { Snapshotting(pathExtension: nil, diffing: .data) }
}

extension Diffing where Value == Data {
  /// Compares bytes, and shows the first difference with the bytes around it.
  public static var data: Diffing {
    Diffing(toData: { $0 }, fromData: { $0 }) { old, new in
      guard old != new else { return nil }
      let counts =
        old.count == new.count ? "Expected data to match" : "Expected \(new) to match \(old)"
      let offset = firstDifference(old, new)
      let row = offset / 16 * 16
      let window = row..<row + 64
      let difference = Diffing<String>.lines.diff(hexLines(old, in: window), hexLines(new, in: window))
      let message = "\(counts): the first difference is at offset \(offset).\n\n\(difference?.0 ?? "")"
      return (message, difference?.1 ?? [])
    }
  }
}

/// Returns the offset of the first byte that differs, or the length of the shorter data.
package func firstDifference(_ old: Data, _ new: Data) -> Int {
  zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
}

package func hexLines(_ data: Data, in range: Range<Int>) -> String {
  var lines: [String] = []
  for start in stride(from: range.lowerBound, to: min(range.upperBound, data.count), by: 16) {
    let row = Array(data.dropFirst(start).prefix(16))
    let hex = row.map { String($0, radix: 16).leftPadded(to: 2) }
    let halves = [hex.prefix(8), hex.dropFirst(8)].map { $0.joined(separator: " ") }
    let numbers = "\(halves[0])  \(halves[1])"
    let text = row.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "." }.joined()
    lines.append(
      "\(offsetText(start))  \(numbers)\(String(repeating: " ", count: max(0, 48 - numbers.count)))  |\(text)|")
  }
  if range.upperBound >= data.count { lines.append(offsetText(data.count)) }
  return lines.joined(separator: "\n")
}

extension String {
  func leftPadded(to length: Int) -> String { String(repeating: "0", count: max(0, length - count)) + self }
}

private func offsetText(_ offset: Int) -> String { String(offset, radix: 16).leftPadded(to: 8) }

extension Snapshotting where Value: Encodable, Format == String {
  /// Shows a value as JSON with sorted keys.
  ///
  /// ```swift
  /// assertSnapshot(of: user, as: .json)
  /// ```
  ///
  /// A value that cannot be encoded fails the assertion. So does a `Set` with several elements, or a dictionary with several keys that
  /// are neither texts nor integers, because their order in an encoding differs in each run.
  public static var json: Snapshotting {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return json(encoder)
  }

  /// Shows a value as JSON from a custom encoder.
  ///
  /// - Parameter encoder: Used for each snapshot, on the thread that takes it; configure it before, and do not change it later.
  public static func json(_ encoder: JSONEncoder) -> Snapshotting {
    let encoder = UnsafeTransfer(encoder)
    return encoded(as: "json") { try encoder.value.encode(ordered($0, encoder.value.userInfo)) }
  }

  /// Shows a value as its property list, in XML.
  ///
  /// Values that fail the assertion are those of `json`, and a bare number or text.
  public static var plist: Snapshotting {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    return plist(encoder)
  }

  /// Shows a value as a property list from a custom encoder.
  ///
  /// - Parameter encoder: Used for each snapshot, on the thread that takes it; configure it before, and do not change it later. An
  ///   output format that is not text fails the assertion.
  public static func plist(_ encoder: PropertyListEncoder) -> Snapshotting {
    let encoder = UnsafeTransfer(encoder)
    return encoded(as: "plist") { try encoder.value.encode(ordered($0, encoder.value.userInfo)) }
  }
}

extension Snapshotting where Format == String {
  /// Shows a JSON object (dictionaries, arrays, strings, numbers, booleans, `NSNull`) as JSON.
  ///
  /// ```swift
  /// assertSnapshot(of: ["name": "Blobby"] as [String: Any], as: .json)
  /// ```
  ///
  /// Other values fail the assertion.
  @_disfavoredOverload
  public static var json: Snapshotting {
    encoded(as: "json") { value in
      guard JSONSerialization.isValidJSONObject(value) else { throw notJSON(value) }
      return try JSONSerialization.data(withJSONObject: value, options: [.prettyPrinted, .sortedKeys])
    }
  }

  private static func encoded(
    as pathExtension: String, _ encode: @escaping @Sendable (Any) throws -> Data
  ) -> Snapshotting {
    Snapshotting(pathExtension, .lines) { value, context, callback in
      do {
        guard let text = String(validating: try encode(value), as: UTF8.self) else {
          throw EncodingFailure(
            description: "the encoder returns data that is not text. Set its output format to text.")
        }
        callback(text)
      } catch {
        let advice = "\(error)".hasSuffix(".") ? "" : ". Use 'readable', or correct the value."
        context.fail("Cannot encode this value of type \(Value.self) as \(pathExtension): \(error)\(advice)")
        callback("\(error)")
      }
    }
  }
}

/// Returns a value whose encoding has the same order in each run.
///
/// A closure must not capture a conformance to `Encodable`, because the conformance can be isolated to an actor.
private func ordered(_ value: Any, _ userInfo: [CodingUserInfoKey: Any]) throws -> any Encodable {
  guard let value = value as? any Encodable else { throw notJSON(value) }
  try OrderCheck<NoKey>(userInfo: userInfo).encode(value)
  return value
}

/// An encoder that writes nothing, and throws if a value encodes elements in an order that differs in each run.
private struct OrderCheck<Key: CodingKey>:
  Encoder, KeyedEncodingContainerProtocol, UnkeyedEncodingContainer, SingleValueEncodingContainer
{
  let userInfo: [CodingUserInfoKey: Any]
  var path = ""
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  func encode(_ value: some Encodable) throws {
    if let elements = value as? any HashedElements, elements.areInAnyOrder {
      throw EncodingFailure(
        description: """
          the elements of \(type(of: value))\(path.isEmpty ? "" : " at \(path)") have another order in each run. Encode a \
          sorted array, or use another strategy, such as 'readable'.
          """)
    }
    // These would encode themselves.
    if value is String || value is Bool || value is any Numeric || value is Data { return }
    try value.encode(to: self)
  }

  func encode(_ value: some Encodable, forKey key: Key) throws { try at(key).encode(value) }
  func encodeNil() {}
  func encodeNil(forKey key: Key) {}
  func container<Other>(keyedBy type: Other.Type) -> KeyedEncodingContainer<Other> {
    KeyedEncodingContainer(OrderCheck<Other>(userInfo: userInfo, path: path))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func nestedContainer<Other>(keyedBy type: Other.Type, forKey key: Key) -> KeyedEncodingContainer<Other> {
    at(key).container(keyedBy: type)
  }
  func nestedContainer<Other>(keyedBy type: Other.Type) -> KeyedEncodingContainer<Other> { container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { at(key) }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder(forKey key: Key) -> any Encoder { at(key) }
  func superEncoder() -> any Encoder { self }

  private func at(_ key: Key) -> OrderCheck {
    OrderCheck(userInfo: userInfo, path: path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)")
  }
}

private enum NoKey: CodingKey {}

/// A collection whose order depends on the random seed of the process.
private protocol HashedElements {
  var areInAnyOrder: Bool { get }
}

extension Set: HashedElements {
  fileprivate var areInAnyOrder: Bool { count > 1 }
}

extension Dictionary: HashedElements {
  /// Keys that are texts or integers become sorted keys of an object.
  fileprivate var areInAnyOrder: Bool { count > 1 && !(Key.self is any CodingKeyRepresentable.Type) }
}

private struct EncodingFailure: Error, CustomStringConvertible {
  let description: String
}

private func notJSON(_ value: Any) -> EncodingFailure {
  EncodingFailure(
    description: """
      \(type(of: value)) is not a JSON value. JSON has dictionaries with string keys, arrays, strings, finite numbers, \
      booleans and NSNull, with a dictionary or an array at the top level. Pass a value whose declared type is Encodable, \
      or use another strategy, such as 'readable'.
      """)
}

extension Snapshotting where Value: CaseIterable & Sendable, Value.AllCases: Sendable, Format == String {
  /// Shows the result of a function for each case of its input, as comma-separated values.
  ///
  /// Quotation marks and line feeds in the values are not escaped, as in swift-snapshot-testing.
  ///
  /// ```swift
  /// assertSnapshot(of: \.rotatedLeft, as: Snapshotting<Direction, String>.func(into: .description))
  /// ```
  ///
  /// ```
  /// "up","left"
  /// "down","right"
  /// ```
  public static func `func`<Output>(
    into witness: Snapshotting<Output, Format>
  ) -> Snapshotting<(Value) -> Output, Format> {
    Snapshotting<(Value) -> Output, Format>("csv", .lines) { [capture = witness.capture] function, context, callback in
      Value.allCases
        .map { input in capture(function(input), context.with()).map { "\"\(input)\",\"\($0)\"" } }
        .sequence()
        .map { $0.joined(separator: "\n") }
        .run(callback)
    }
  }
}

extension Snapshotting where Format == String {
  /// Shows a value by `String(describing:)`.
  ///
  /// The assertion fails for an object without a description, because the text would show only its type.
  ///
  /// ```swift
  /// assertSnapshot(of: user, as: .description)
  /// ```
  public static var description: Snapshotting {
    Snapshotting("txt", .lines) { value, context, callback in
      if let (place, type) = undescribed(in: value, at: "the value") {
        context.fail(
          """
          Cannot describe \(place): \(type) has no description, so only its type is shown. Different values would look \
          equal. Conform it to CustomStringConvertible, or use another strategy, such as 'readable'.
          """)
      }
      callback(String(describing: value))
    }
  }
}

/// Returns the path and the type of the first object in a value that lacks a description.
private func undescribed(in value: Any, at place: String) -> (place: String, type: Any.Type)? {
  let (type, mirror) = (type(of: value), Mirror(reflecting: value))
  // The containers of the standard library describe their elements.
  let containers: [Mirror.DisplayStyle?] = [.collection, .dictionary, .set, .optional, nil]
  let isContainer = isOfFoundation(type) && containers.contains(mirror.displayStyle)
  guard isContainer || !TypeFacts(type: type).isDescribed else { return nil }
  if "\(value)" == "(Unknown)" || mirror.displayStyle == .class && !isContainer { return (place, type) }
  for (number, (label, value)) in mirror.children.enumerated() {
    if let part = undescribed(in: value, at: label.map { "\(place).\($0)" } ?? "\(place)[\(number)]") { return part }
  }
  return nil
}

extension Snapshotting where Value == URLRequest, Format == String {
  /// Shows a request as its method, URL, headers and body.
  ///
  /// ```swift
  /// assertSnapshot(of: request, as: .raw)
  /// ```
  ///
  /// ```
  /// POST http://localhost:8080/account
  /// Cookie: session=1
  ///
  /// email=blob%40example.com
  /// ```
  ///
  /// Headers and query items are sorted. A body that is not UTF-8 is shown as rows of hexadecimal bytes.
  ///
  /// A request with an `httpBodyStream` fails the assertion, because a stream can be read only once. Read it into the `httpBody` of a
  /// copy of the request.
  public static var raw: Snapshotting { raw(pretty: false) }

  /// Shows a request as its method, URL, headers and body.
  ///
  /// - Parameter pretty: Whether a JSON body is formatted with sorted keys.
  public static func raw(pretty: Bool) -> Snapshotting {
    withoutStream { request in
      let headers = (request.allHTTPHeaderFields ?? [:]).map { "\($0): \($1)" }.sorted()
      let data = request.httpBody.map { pretty ? laidOut($0) : $0 }
      let body = data.map { "\n" + (String(validating: $0, as: UTF8.self) ?? hexLines($0, in: 0..<$0.count)) }
      let method = "\(request.httpMethod ?? "GET") \(sortedURL(of: request))"
      return ([method] + headers + (body.map { [$0] } ?? [])).joined(separator: "\n")
    }
  }

  /// Shows a request as a `curl` command for a POSIX shell.
  ///
  /// ```swift
  /// assertSnapshot(of: request, as: .curl)
  /// ```
  ///
  /// Headers and query items are sorted. The text has the bytes of swift-snapshot-testing, unless these are not the command of the
  /// request: a text with `$`, a backtick, `!` or `\` is in single quotation marks, and a body that begins with `@` follows `--data-raw`.
  /// A body that is not UTF-8 or contains NUL, which no argument can contain, is printed by `printf` into the command.
  ///
  /// A request with an `httpBodyStream` fails the assertion, as for ``raw``.
  public static var curl: Snapshotting {
    withoutStream { request in
      var (command, parts) = ("curl", [String]())
      let method = request.httpMethod ?? "GET"
      if method == "HEAD" {
        parts.append("--head")
      } else if method != "GET" || request.httpBody != nil {
        parts.append("--request \(method.allSatisfy(\.isLetter) ? method : quoted(method))")
      }
      let url = sortedURL(of: request)
      // Brackets are ranges of URLs.
      if url.contains(where: "[]{}".contains) { parts.append("--globoff") }
      let headers = request.allHTTPHeaderFields ?? [:]
      // A cookie without a value is the name of a file.
      let cookie = headers["Cookie"].flatMap { $0.contains("=") ? $0 : nil }
      for field in headers.keys.sorted() where field != "Cookie" || cookie == nil {
        // A header with a colon and no value is removed.
        parts.append(
          "--header " + quoted(headers[field].flatMap { $0.isEmpty ? nil : "\(field): \($0)" } ?? "\(field);"))
      }
      if let data = request.httpBody {
        if let body = String(validating: data, as: UTF8.self), !data.contains(0) {
          parts.append("\(body.hasPrefix("@") ? "--data-raw" : "--data") \(quoted(body))")
        } else {
          command = "printf '\(data.map { "\\" + String($0, radix: 8).leftPadded(to: 3) }.joined())' | curl"
          parts.append("--data-binary @-")
        }
      }
      if let cookie { parts.append("--cookie \(quoted(cookie))") }
      return ([command] + parts + [quoted(url)]).joined(separator: " \\\n\t")
    }
  }

  private static func withoutStream(_ text: @escaping @Sendable (URLRequest) -> String) -> Snapshotting {
    Snapshotting("txt", .lines) { request, context, callback in
      if request.httpBodyStream != nil {
        context.fail(
          """
          Cannot show the httpBodyStream of the request \(sortedURL(of: request)): a stream can be read only once. Read it \
          into the httpBody of a copy, and assert the copy.
          """)
      }
      callback(text(request))
    }
  }
}

/// Returns an argument for a shell: between double quotation marks, or single ones if a character means something between them.
private func quoted(_ text: String) -> String {
  let withoutQuotes = text.replacingOccurrences(of: "\\\"", with: "")
  guard withoutQuotes.contains(where: "$`!\\".contains) else {
    let escaped = text.replacingOccurrences(of: "\\\"", with: "\\\\\"").replacingOccurrences(of: "\"", with: "\\\"")
    return "\"\(escaped)\""
  }
  return "'\(text.replacingOccurrences(of: "'", with: "'\\''"))'"
}

/// Returns a JSON body with sorted keys and the spelling of its numbers; any other body unchanged.
private func laidOut(_ body: Data) -> Data {
  let tokens = #/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/#.matchingSemantics(.unicodeScalar)
  var count = 0
  func replaced(_ data: Data, _ change: (Substring.UnicodeScalarView) -> String) -> Data {
    Data(String(decoding: data, as: UTF8.self).replacing(tokens) { change($0.output.unicodeScalars) }.utf8)
  }
  // A number becomes a text that begins with #, because a parser would lose its spelling.
  let marked = replaced(body) { token in
    count += 1
    return token.first == "\"" ? "\"$" + String(token.dropFirst()) : "\"#" + String(token) + "\""
  }
  // A parser accepts UTF-16 and a byte order mark.
  guard body.first != 0xEF, !body.contains(0), (try? JSONSerialization.jsonObject(with: body)) != nil,
    let object = try? JSONSerialization.jsonObject(with: marked),
    let data = try? JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
  else { return body }
  let text = replaced(data) { token in
    count -= 1
    return token.dropFirst().first == "#" ? String(token.dropFirst(2).dropLast()) : "\"" + String(token.dropFirst(2))
  }
  // A parser keeps one of several equal keys.
  return count == 0 ? text : body
}

private func sortedURL(of request: URLRequest) -> String {
  guard let url = request.url else { return "(null)" }
  guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.absoluteString }
  // The items as they are sent: + and %2B differ.
  components.percentEncodedQueryItems = components.percentEncodedQueryItems?.sorted { $0.name < $1.name }
  return components.url?.absoluteString ?? url.absoluteString
}

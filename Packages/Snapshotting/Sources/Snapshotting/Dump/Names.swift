internal import Foundation

/// Returns a type's name without the numbers of local types: `Point` for `Point #1`.
func nameWithoutNumbers(_ type: Any.Type) -> String {
  let name = String(describing: type)
  guard name.utf8.contains(UInt8(ascii: "#")) else { return name }
  return name.replacingOccurrences(of: " #\\d+", with: "", options: .regularExpression)
}

/// Returns a text without addresses, and without the colon and the space before each.
func withoutAddresses(_ text: String) -> String {
  text.replacingOccurrences(of: ":?\\s*0x[\\da-f]+(\\s*)", with: "$1", options: .regularExpression)
}

package import Foundation

/// Short texts that differ for different bytes: FNV-1a hashes of 64 bits.
package enum Fingerprint {
  package static func of(_ text: String) -> String { String(hash(text.utf8), radix: 36) }

  package static func of(_ data: Data) -> String { "\(data.count)-\(String(hash(data), radix: 16))" }

  private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

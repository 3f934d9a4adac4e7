import Testing

@testable import Terminal

@Suite("Display width")
struct DisplayWidthTests {
  @Test(
    "The display width of a character is the number of its terminal columns",
    arguments: [
      ("a", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("…", 1), ("█", 1), ("▀", 1), ("ｱ", 1),
      ("鳥", 2), ("Ａ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("。", 2), ("\u{20000}", 2), ("🀄", 2),
      ("🐧", 2), ("👩‍🚀", 2), ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇫🇷", 2), ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2), ("🏳️‍🌈", 2), ("1️⃣", 2),
      ("❤", 1), ("❤\u{FE0F}", 2), ("❤\u{FE0F}\u{200D}🔥", 2), ("⌚\u{FE0E}", 1), ("⌚", 2), ("〰\u{FE0E}", 2),
      ("\u{301}", 0), ("\u{200B}", 0), ("\u{200D}", 0), ("\u{FEFF}", 0), ("\n", 0), ("\r\n", 0), ("\u{1B}", 0),
      ("\u{7F}", 0), ("\u{9B}", 0), ("\u{2028}", 0), ("\u{600}", 1), ("\u{3099}", 0), ("का", 2),
    ] as [(Character, Int)])
  func displayWidthOfCharacters(character: Character, columns: Int) {
    #expect(character.displayWidth == columns)
  }
}

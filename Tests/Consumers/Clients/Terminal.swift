// A client of `Terminal`: a table of text, measured in columns, and a screen.

import Terminal

func table() -> [String] {
  var table = TextTable([.init("Bird"), .init("Size", alignment: .right)])
  table.rows = [["Puffin", "640×480"]]
  return table.lines(width: 80)
}

func greeting() -> String {
  var screen = Screen(columns: 20, rows: 2)
  screen.write("Hello", at: Position(column: 2, row: 1), style: .inverse)
  return screen.text
}

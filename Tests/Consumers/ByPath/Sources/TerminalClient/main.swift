import Arguments
import Terminal

let birds = Command("birds", abstract: "Load the birds.", output: { (server: String?) in server }) {
  Option<String?>("server", valueName: "url", help: "Ask this server.")
}
let server = try birds.parse(["--server", "http://127.0.0.1"]).get()
precondition(server == "http://127.0.0.1")

var screen = Screen(columns: 10, rows: 1)
screen.write("Hello", at: Position(column: 0, row: 0))
precondition(screen.text.contains("Hello"))

// A client of `Arguments`: a command line as a value.

import Arguments

struct Birds: Sendable {
  var server: String?
  var json: Bool
}

let birds = Command("birds", abstract: "Load the birds.", output: Birds.init) {
  Option<String?>("server", valueName: "url", help: "Ask this server.")
  Flag("json", help: "Print JSON.")
}

func server(_ words: [String]) -> String? {
  switch birds.parse(words) {
  case .success(let invocation): invocation.output.server
  case .failure: nil
  }
}

// A client of `Coordinators`.

import Coordinators
import Foundation
import Futures

enum Place: Hashable, Codable, Sendable { case words, word(String), phrases }

func opened(_ word: String, in navigation: Navigation<Place>) throws -> Navigation<Place> {
  let words = Blueprint.stack([.screen(Place.words), .screen(.word(word))])
  return try navigation.applying(.show(.tabs([.tab("words", words), .tab("phrases", .stack([.screen(.phrases)]))])))
}

func restored(_ saved: Data) -> Navigation<Place>? {
  let restoration = Restoration<Place>(archive: saved)
  for loss in restoration.losses { print(loss) }
  return restoration.navigation
}

@MainActor
func shown(by make: (CoordinatorContext<Place, String>) -> WordsCoordinator) -> [Place?] {
  let shell = RecordingShell<Place>()
  let navigator = Navigator<Place>(show: shell.show)
  navigator.start("words", make: make)
  if let back = shell.navigation?.backIntent { navigator.apply(back) }
  return shell.navigations.map(\.front.screen)
}

let placeLinks = Links<Place>(scheme: "dictionary", hosts: ["dictionary.example"]) {
  Link("words", to: .words)
  Link("words/:word", .string) {
    Place.word($0)
  } from: {
    if case .word(let word) = $0 { word } else { nil }
  }
}

func declarePlaces(_ links: inout LinkList<Place>) {
  links.add(Link("words", to: .words))
}

let listedLinks = Links<Place>(scheme: "dictionary", declaredBy: declarePlaces)

func blueprint(for link: String) throws -> Blueprint<Place> {
  .stack([.screen(.words), .screen(try placeLinks.route(for: link))])
}

extension Place: NavigationScreen {
  enum Action: Sendable { case select(String) }
}

@MainActor
final class WordsCoordinator: Coordinator {
  let context: CoordinatorContext<Place, String>

  init(_ context: CoordinatorContext<Place, String>) { self.context = context }

  func start() { context.push(.screen(.words)) }

  func receive(_ action: Place.Action, from node: Node<Place>) {
    if case .select(let word) = action { context.finish(word) }
  }
}

@MainActor
func chosenWord(in navigator: Navigator<Place>) -> Future<String, CoordinatorCancelled> {
  navigator.start("words") { WordsCoordinator($0) }
}

struct WordProvider: RemoteContentProviding {
  let word: String

  func fetchContent() -> Future<String, any Error> { Future(value: word.uppercased()) }

  func screen(for content: Result<String, any Error>) -> Place {
    switch content {
    case .success(let word): .word(word)
    case .failure: .words
    }
  }
}

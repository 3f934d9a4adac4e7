// A client of `Coordinators`.

import Coordinators
import Foundation
import Futures

enum Place: Hashable, Codable, Sendable { case words, word(String), phrases }

func opened(_ word: String, in navigation: Navigation<Place>) throws -> [NavigationCommand<Place>] {
  let words = Blueprint.stack([.screen(Place.words), .screen(.word(word))])
  let after = try navigation.applying(
    .show(.tabs([.tab("words", words), .tab("phrases", .stack([.screen(.phrases)]))])))
  return after.commands(from: navigation)
}

func restored(_ saved: Data) -> Navigation<Place>? {
  let restoration = Restoration<Place>(archive: saved)
  for loss in restoration.losses { print(loss) }
  return restoration.navigation
}

func followed(_ navigation: Navigation<Place>) throws -> String {
  var core = Synchronization(navigation)
  var shell = RecordingShell<Place>()
  if let batch = core.start(), let acknowledgement = try shell.perform(batch) {
    let outcome = core.acknowledge(acknowledgement)
    if outcome.didChangeNavigation { print(core.navigation) }
  }
  return shell.description
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
  let presenter: Presenter<Place, String>

  init(_ presenter: Presenter<Place, String>) { self.presenter = presenter }

  func start() { presenter.push(.screen(.words)) }

  func receive(_ action: Place.Action, from node: Node<Place>) {
    if case .select(let word) = action { presenter.finish(word) }
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

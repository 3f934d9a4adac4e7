import Coordinators

enum Screen: Hashable, Codable { case words, word(String) }

var navigation = try Navigation(.stack([.screen(Screen.words)]))
try navigation.apply(.push(.screen(.word("fiets")), onto: navigation.root.id))
precondition(navigation.front.screen == .word("fiets"))

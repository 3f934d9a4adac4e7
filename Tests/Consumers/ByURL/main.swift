import Parallel

let name = Parallel<String> { callback in callback("Puffin") }
let length = Parallel { await measured() }
let bird = try await zip(name, length).map { "\($0.0), \($0.1) cm" }.value()
precondition(bird == "Puffin, 28 cm")

func measured() async -> Int { 28 }

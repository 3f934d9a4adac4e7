import Parallel

let name = Parallel<String> { callback in callback("Puffin") }
let length = Parallel { await measured() }
print(try await zip(name, length).map { "\($0.0), \($0.1) cm" }.value())

func measured() async -> Int { 28 }

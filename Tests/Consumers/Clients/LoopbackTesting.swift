// A client of `LoopbackTesting`: it sends arbitrary, for example malformed, bytes.

import LoopbackTesting

func answer(of port: Int, to bytes: String) async throws -> (line: String?, end: RawClient.End) {
  let client = try RawClient(port: port)
  await client.send(bytes)
  client.endOutput()
  return (await client.readLine(), await client.readToEnd().end)
}

// A client of `OrderTakingDispatch`: the decisions of a server, without a socket.

import OrderTakingDispatch

func isGivenOnce() -> Bool {
  var state = DispatchState([OfferedOrder("7")], credentials: ["a": "ann", "b": "bob"])
  let first = state.handle(
    .take(order: "7", key: "00000000000000000000000000000001", digest: nil, body: []), token: "a", at: .zero)
  let (_, second) = state.handling(
    .take(order: "7", key: "00000000000000000000000000000002", digest: nil, body: []), token: "b", at: .zero)
  return first.response.status == 200 && second.response.status == 422 && state["7"]?.taking?.driver == "ann"
}

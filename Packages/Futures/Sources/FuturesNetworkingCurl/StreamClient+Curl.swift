public import FuturesNetworking

extension StreamClient {
  /// Returns a client that uses libcurl for TCP and TLS.
  ///
  /// It supports the proxies of the environment, which must allow CONNECT. All connections use one thread, which ends after the
  /// client has been released and its connections have ended.
  public static func curl(_ configuration: CurlConfiguration = CurlConfiguration()) -> StreamClient {
    let owner = ThreadOwner(CurlThread(configuration))
    return StreamClient { address, onEvent in
      let stream = CurlStream(address, onEvent)
      owner.thread.perform(.open, on: stream)
      return StreamConnection(
        send: { owner.thread.perform(.send($0), on: stream) },
        close: {
          stream.silence()
          owner.thread.perform(.close, on: stream)
        })
    }
  }
}

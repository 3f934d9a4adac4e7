internal import WebSnapshotting

extension ExitReason {
  init(_ error: WebError) {
    self =
      switch error.kind {
      case .noBrowser, .cannotStart, .noSandbox: .noBrowser
      case .cannotLoad: .cannotLoad
      case .timedOut: .timedOut
      case .notFound: .notFound
      case .pageCrashed, .browserEnded: .crashed
      case .cancelled: .interrupted
      default: .other
      }
  }
}

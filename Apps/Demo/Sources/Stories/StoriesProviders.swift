internal import Coordinators
internal import Futures

/// Fetches the stories that the user may read.
struct StoriesProvider: RemoteContentProviding {
  let client: ContentClient
  let session: Session?

  func fetchContent() -> Future<[Story], ClientError> { client.get("stories", as: session) }

  func screen(for content: Result<[Story], ClientError>) -> DemoPage {
    switch content {
    case .success(let stories): StoriesScreen(stories: stories, isLoggedIn: session != nil).page
    case .failure(let error): ErrorScreen(title: "Stories", error: error).page
    }
  }
}

/// Fetches a story by its ID, for example from a link.
struct StoryProvider: RemoteContentProviding {
  let id: Int
  let client: ContentClient
  let session: Session?

  func fetchContent() -> Future<Story, ClientError> { client.get("stories", "\(id)", as: session) }

  func screen(for content: Result<Story, ClientError>) -> DemoPage {
    switch content {
    case .success(let story): StoryDetailScreen(story: story).page
    case .failure(let error): ErrorScreen(title: "Cannot show the story", error: error).page
    }
  }
}

struct MessagesProvider: RemoteContentProviding {
  let story: Story
  let client: ContentClient
  let session: Session?

  func fetchContent() -> Future<[Message], ClientError> {
    client.get("stories", "\(story.id)", "messages", as: session)
  }

  func screen(for content: Result<[Message], ClientError>) -> DemoPage {
    switch content {
    case .success(let messages): MessagesScreen(story: story, messages: messages).page
    case .failure(let error): ErrorScreen(title: "Messages", error: error).page
    }
  }
}

struct MessageProvider: RemoteContentProviding {
  let id: Int
  let client: ContentClient
  let session: Session?

  func fetchContent() -> Future<Message, ClientError> { client.get("messages", "\(id)", as: session) }

  func screen(for content: Result<Message, ClientError>) -> DemoPage {
    switch content {
    case .success(let message): MessageScreen(message: message).page
    case .failure(let error): ErrorScreen(title: "Cannot show the message", error: error).page
    }
  }
}

struct UserProvider: RemoteContentProviding {
  let id: String
  let client: ContentClient

  func fetchContent() -> Future<User, ClientError> { client.get("users", id) }

  func screen(for content: Result<User, ClientError>) -> DemoPage {
    switch content {
    case .success(let user): UserScreen(user: user).page
    case .failure(let error): ErrorScreen(title: "Cannot show the user", error: error).page
    }
  }
}

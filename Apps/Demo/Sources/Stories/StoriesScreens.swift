internal import Coordinators

/// The list of stories, with the button for log-in or log-out.
struct StoriesScreen {
  var stories: [Story]
  var isLoggedIn: Bool

  var page: DemoPage {
    var page = ListScreen("Stories", items: stories) { cell, story in
      cell.title = story.title
      cell.detail = "\(story.sender.name) → \(story.recipient.name)"
    } didSelectItem: { story in
      DemoScreen.Action.selectStory(story)
    }.page
    page.elements.append(
      .button(
        isLoggedIn
          ? .init(id: "log-out", "Log out", .send(.logOut)) : .init(id: "log-in", "Log in", .send(.openLogIn))))
    return page
  }
}

struct StoryDetailScreen {
  var story: Story

  var page: DemoPage {
    DemoPage(
      story.title,
      [
        .fact(label: "Date", value: story.date),
        .row(.init(id: "sender", ListCell("From", detail: story.sender.name), .selectUser(story.sender))),
        .row(.init(id: "recipient", ListCell("To", detail: story.recipient.name), .selectUser(story.recipient))),
        .text(story.message),
        .row(.init(id: "messages", ListCell("Messages"), .openMessages(story))),
      ])
  }
}

struct UserScreen {
  var user: User

  var page: DemoPage { DemoPage(user.name, [.fact(label: "Name", value: user.name), .text(user.about)]) }
}

struct MessagesScreen {
  var story: Story
  var messages: [Message]

  var page: DemoPage {
    var list = ListScreen("Messages: \(story.title)", items: messages) { cell, message in
      cell.title = message.author.name
      cell.detail = message.text
    } didSelectItem: { message in
      DemoScreen.Action.selectMessage(message)
    }
    list.placeholder = "No messages yet."
    return list.page
  }
}

struct MessageScreen {
  var message: Message

  var page: DemoPage {
    DemoPage(
      "Message",
      [
        .row(.init(id: "author", ListCell("From", detail: message.author.name), .selectUser(message.author))),
        .text(message.text),
        .row(.init(id: "story", ListCell("Story"), .openStory(message.story))),
      ])
  }
}

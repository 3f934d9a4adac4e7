import Arguments
import Foundation
import ImageSnapshotting
import SnapshotStore
import Terminal
import TestSupport
import Testing

@testable import Snapshots

@Suite("The command snapshots") struct CommandTests {
  @Test("status lists tests with their references, fails while snapshots are pending, and prints JSON on request")
  func status() throws {
    let project = try Project()
    #expect(try project.run(["status"]) == (0, "No snapshots are pending.\n", ""))
    try project.leave("new", over: nil)
    try project.leave("new", over: "old", of: "Tests/b.txt")
    let (code, output, _) = try project.run(["status"])
    #expect(
      output == """
        2 snapshots are pending:
          new      A.page()  Tests/__Snapshots__/A/page.1.txt
          changed  A.page()  Tests/b.txt
        To review them: swift run snapshots review

        """)
    #expect(code == 1)
    let json = try project.run(["status", "--json"]).output
    #expect(json.hasPrefix("[\n") && json.contains(#""reference" : "Tests/__Snapshots__/A/page.1.txt""#))
  }

  /// Snapshots of two suites, of a parameterised test, and of an inline assertion.
  private func filtered() throws -> Project {
    let project = try Project()
    let folder = "Tests/__Snapshots__/BirdTests"
    for (name, test, suites, named) in [
      ("json.1.json", "json()", ["BirdTests"], nil),
      ("asyncValue.1.json", "asyncValue()", ["BirdTests", "Async"], nil),
      ("parse-_@puffin.1.txt", "parse(_:)", ["BirdTests"], nil),
      ("parse-_@owl.landscape.txt", "parse(_:)", ["Owls"], "landscape"),
      ("parse-_-fast.photo", "parse(_:fast:)", ["Fast"], "photo"), ("a-b.1", "a (b)()", ["Raw"], nil),
      ("a-c.1", "a (c)()", ["Raw"], nil),
    ] as [(String, String, [String], String?)] {
      try project.leave(
        "new", over: nil, of: "\(folder)/\(name)", source: .init(file: "Tests/BirdTests.swift", line: 3, column: 5),
        test: test, named: named, suites: suites, arguments: name.contains("puffin") ? "puffin" : nil)
    }
    try project.write("", to: "Tests/B.swift")
    for (line, column) in [(3, 1), (3, 9), (31, 1)] as [(UInt, UInt)] {
      try project.leaveInline("new", over: nil, in: "Tests/B.swift", line: line, column: column)
    }
    try project.leave("new", over: nil, of: "sub/\(folder)/json.1.json", test: "sub()")
    return project
  }

  @Test(
    "a filter selects a test, a suite, a file or the name of an assertion as a whole",
    arguments: [
      ("json", ["json.1.json"]), ("json()", ["json.1.json"]), ("asyncValue", ["asyncValue.1.json"]),
      ("BirdTests.json()", ["json.1.json"]), ("BirdTests/json()", ["json.1.json"]), ("Async", ["asyncValue.1.json"]),
      ("parse(_:)", ["parse-_@owl.landscape.txt", "parse-_@puffin.1.txt"]), ("Owls", ["parse-_@owl.landscape.txt"]),
      ("BirdTests.parse(_:) → puffin", ["parse-_@puffin.1.txt"]), ("landscape", ["parse-_@owl.landscape.txt"]),
      ("asyncValue.1.json", ["asyncValue.1.json"]),
      ("Tests/__Snapshots__/BirdTests/json.1.json", ["json.1.json"]), ("B.swift:31", ["B.swift:31"]),
      ("B.swift:3", ["B.swift:3", "B.swift:3"]), ("Tests/B.swift:3:9:0", ["B.swift:3"]),
      ("B", ["B.swift:3", "B.swift:3", "B.swift:31"]), ("B.swift", ["B.swift:3", "B.swift:3", "B.swift:31"]),
      ("parse(_:fast:)", ["parse-_-fast.photo"]), ("photo", ["parse-_-fast.photo"]), ("a (c)", ["a-c.1"]),
      ("parse", ["parse-_-fast.photo", "parse-_@owl.landscape.txt", "parse-_@puffin.1.txt"]), ("1", []),
      ("Tests/B.swift:3:9:0@1-older", []), ("txt", []), ("Tests", []), ("Value", []), ("1.json", []),
      ("irdTests.swift", []), ("", []), ("JSON", []),
    ] as [(String, [String])])
  func filters(_ filter: String, _ labels: [String]) throws {
    let project = try filtered()
    let matching = project.store.contents().snapshots.selected(by: filter)
    #expect(matching.map(\.label).sorted() == labels)
  }

  @Test("accept and reject print each file, and decide nothing if one of the filters matches nothing")
  func decisions() throws {
    let project = try filtered()
    let (code, output, errors) = try project.run(["accept", "json", "third"])
    #expect(code == 1 && output == "" && project.names.count == 11)
    #expect(
      errors
        == "Error: No pending snapshot matches third. Give the whole name of a test, a suite or a file. To list them: swift run snapshots status\n"
    )
    let folder = "Tests/__Snapshots__/BirdTests"
    #expect(
      try project.run(["accept", "./\(folder)/json.1.json", "Owls"]) == (
        0, "accepted  \(folder)/json.1.json\naccepted  \(folder)/parse-_@owl.landscape.txt\nAccepted 2 snapshots.\n", ""
      ))
    #expect(
      try project.run(["reject", "asyncValue"]) == (
        0, "rejected  \(folder)/asyncValue.1.json\nRejected 1 snapshot.\n", ""
      ))
    #expect(
      project.text(of: "\(folder)/json.1.json") == "new" && project.text(of: "\(folder)/asyncValue.1.json") == nil)
    for command in ["show", "review"] { #expect(try project.run([command, "nothing"]).code == 1) }
  }

  @Test("a damaged snapshot is a warning if others are named, and an error otherwise")
  func damagedBeside() throws {
    let project = try Project()
    try project.write("{", to: ".build/pending-snapshots/zz.json")
    for test in ["dates()", "times()"] { try project.leave("1", over: nil, of: "Tests/\(test).txt", test: test) }
    let (code, output, errors) = try project.run(["accept", "dates"])
    #expect(code == 0 && output == "accepted  Tests/dates().txt\nAccepted 1 snapshot.\n")
    #expect(errors.hasPrefix("Warning: Cannot read the pending snapshot ") && errors.contains("zz.json"))
    let all = try project.run(["accept"])
    #expect(all.code == 2 && all.output.hasPrefix("accepted  Tests/times().txt") && all.errors.hasPrefix("Error: "))
  }

  @Test("characters that change the direction have their code points in lists, titles and annotations")
  func directions() throws {
    let project = try Project()
    try project.leave(
      "a\u{202E}b", over: nil, of: "Tests/x\u{202E}y.txt", test: "a(_:)", suites: ["S\u{202E}"],
      arguments: "1\u{202E}2")
    for command in [["status"], ["show"], ["annotations"], ["annotations", "--format", "junit"]] {
      let output = try project.run(command).output
      #expect(!output.contains("\u{202E}") && output.contains("U+202E"), "\(command)")
    }
    _ = try project.run(["report", "-o", project.root + "/report"])
    let page = try #require(project.text(of: "report/index.html"))
    // A decision names the file.
    #expect(page.split(separator: "\u{202E}").count == 2 && page.contains("x\u{202E}y.txt@"))
  }

  @Test("a refused snapshot is an error, and the others are accepted") func refused() throws {
    let project = try Project()
    try project.leave("1", over: nil, of: "Tests/a.txt")
    try project.leave("2", over: nil, of: "Tests/b.txt")
    try project.write("other", to: "Tests/a.txt")
    let (code, output, errors) = try project.run(["accept"])
    #expect(code == 1 && output == "accepted  Tests/b.txt\nAccepted 1 snapshot.\n")
    #expect(errors.hasPrefix("Error: Cannot accept Tests/a.txt"))
  }

  @Test("show prints the differences of texts, and whole new texts") func showTexts() throws {
    let project = try Project()
    try project.write("old bird\nlines", to: "Tests/a.txt")
    try project.leave(
      "new bird\nlines", over: "old bird\nlines", of: "Tests/a.txt", test: "first()")
    try project.leave("a\u{1B}[31mred\u{7}\tx\u{9B}", over: nil, of: "Tests/b.txt", test: "second()")
    let (code, output, errors) = try project.run(["show"])
    #expect(
      output == """
        changed  A.first()  a.txt
        Tests/a.txt, Tests/A.swift:3
        @@ −1,2 +1,2 @@
        − [−old−] bird
        + {+new+} bird
          lines

        new  A.second()  b.txt
        Tests/b.txt, Tests/A.swift:3
        + a␛[31mred␇\tx<U+009B>


        """)
    #expect(code == 0 && errors == "")
    #expect(try project.run(["show", "second"]).output.hasPrefix("new  A.second()"))
  }

  @Test("show prints changed bytes in hexadecimal, and the pixels and the path of an image") func showData() throws {
    let project = try Project()
    let old = Data((0..<2_000).map { UInt8(truncatingIfNeeded: $0) })
    var new = old
    new[1_094] = 255
    try project.write(old, to: "Tests/packet.1")
    try project.leave(new, over: old, of: "Tests/packet.1", test: "packet()")
    try project.leave(Data([0, 1, 255]), over: nil, of: "Tests/small.1", test: "small()")
    let image = try project.leavePicture(
      .init(red: 0, green: 0, blue: 0), over: .init(red: 1, green: 1, blue: 1), of: "a.png")
    let packet = try project.run(["show", "packet"]).output
    #expect(packet.contains("2000 bytes before, 2000 bytes now; the first difference is at offset 1094\n@@ "))
    #expect(
      packet.contains("\n− 00000440  40 41 42 43 44 45 [−46−] 47")
        && packet.contains("\n+ 00000440  40 41 42 43 44 45 {+ff+} 47"))
    #expect(try project.run(["show", "small"]).output.contains("3 bytes\n+ 00000000  00 01 ff  "))
    let picture = try project.run(["show", "picture"]).output
    #expect(picture.contains("1200 of 1200 pixels differ") && picture.contains(project.store.dataPath(of: image)))
  }

  @Test("a review without a terminal explains what to use") func noTerminal() throws {
    let project = try Project()
    try project.leave("new", over: nil)
    let (code, _, errors) = try project.run(["review"])
    #expect(code == 1 && errors.hasPrefix("Error: Cannot open a terminal session: "))
    #expect(errors.hasSuffix(" Or use 'snapshots show' and 'snapshots accept'.\n"))
  }

  @Test("annotations name files relative to the git repository", arguments: ["github", "junit"])
  func repository(_ format: String) throws {
    let project = try Project(named: "app")
    try project.write("", to: "../.git/HEAD")
    try project.leave("new", over: nil)
    #expect(try project.run(["annotations", "--format", format]).output.contains(/file="?app\/Tests\/A\.swift/))
  }

  @Test("annotations escape what CI servers interpret", arguments: ["github", "junit"])
  func annotations(_ format: String) throws {
    let project = try Project()
    try project.leave("<new> 100 %\n::error::", over: nil)
    let (code, output, _) = try project.run(["annotations", "--format", format])
    #expect(code == 1)
    if format == "github" {
      #expect(output.split(separator: "\n").count == 1 && output.contains("100 %25%0A+ ::error::"))
      #expect(output.hasPrefix("::error file=Tests/A.swift,line=3,title=New snapshot::A.page(): "))
    } else {
      #expect(output.contains("+ &lt;new&gt; 100 %\n") && output.contains(#"classname="A" name="page(), page.1.txt""#))
    }
  }

  @Test("status and annotations name the arguments of a parameterised test", arguments: ["github", "junit"])
  func cases(_ format: String) throws {
    let project = try Project()
    for bird in ["owl", "puffin (Atlantic)"] {
      try project.leave(
        "new", over: nil, of: "Tests/__Snapshots__/A/parse-_@\(bird.prefix(6)).1.txt", test: "parse(_:)",
        arguments: bird)
    }
    #expect(try project.run(["status"]).output.contains("new      A.parse(_:) → puffin (Atlantic)  Tests/"))
    let output = try project.run(["annotations", "--format", format]).output
    if format == "github" {
      #expect(output.contains("title=New snapshot::A.parse(_:) → puffin (Atlantic): "))
    } else {
      #expect(output.contains(#"classname="A" name="parse(_:) → puffin (Atlantic), parse-_@puffin.1.txt""#))
      #expect(output.contains(#"name="parse(_:) → owl, parse-_@owl.1.txt""#))
    }
  }

  @Test("the report is one page without markup from a snapshot") func report() throws {
    let project = try Project()
    try project.leave("<script>alert(1)</script>", over: "old")
    let (code, output, _) = try project.run(["report", "-o", project.root + "/report"])
    #expect(code == 0 && output == "Wrote file://\(project.root)/report/index.html\n")
    let page = try #require(project.text(of: "report/index.html"))
    #expect(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert(1)") && !page.contains("http:"))
    let device = try project.run(["report", "-o", "/dev/null"])
    #expect(device.code == 1 && device.errors.contains("/dev/null"))
  }

  @Test("an image is in the report once") func pictures() throws {
    let project = try Project()
    try project.leavePicture(.init(red: 0, green: 0, blue: 0), over: .init(red: 1, green: 1, blue: 1), of: "a.png")
    _ = try project.run(["report", "-o", project.root + "/report"])
    let page = try #require(project.text(of: "report/index.html"))
    let images = page.components(separatedBy: "base64,").dropFirst().map { $0.prefix { $0 != "\"" } }
    #expect(images.count == 3 && Set(images).count == 3)
  }
}

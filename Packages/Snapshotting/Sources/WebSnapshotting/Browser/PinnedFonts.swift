/// The font configuration for equal images on any system: DejaVu for all families, without hinting.
enum PinnedFonts {
  static let folders = [
    "/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu", "/usr/share/fonts/TTF",
    "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/dejavu-serif-fonts",
    "/usr/share/fonts/dejavu-sans-mono-fonts",
  ]

  /// The faces in every package of DejaVu.
  ///
  /// Additional faces would change slanted text.
  static let files = [
    "DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono", "DejaVuSansMono-Bold", "DejaVuSerif", "DejaVuSerif-Bold",
  ]

  static func configuration(folders: [String]) -> String {
    let families = [
      ("DejaVu Serif", ["serif", "Times", "Times New Roman", "Georgia"]),
      ("DejaVu Sans Mono", ["monospace", "Courier", "Courier New", "Menlo", "Consolas", "ui-monospace"]),
      (
        "DejaVu Sans",
        ["sans-serif", "Arial", "Helvetica", "Helvetica Neue", "Verdana", "system-ui", "cursive", "fantasy"]
      ),
    ]
    let aliases = families.flatMap { family, names in
      names.map { name in
        """
          <match target="pattern">
            <test name="family" qual="any"><string>\(name)</string></test>
            <edit name="family" mode="prepend" binding="strong"><string>\(family)</string></edit>
          </match>
        """
      }
    }
    return """
      <?xml version="1.0"?>
      <!DOCTYPE fontconfig SYSTEM "fonts.dtd">
      <fontconfig>
      \(folders.map { "  <dir>\($0)</dir>" }.joined(separator: "\n"))
        <cachedir>/var/cache/fontconfig</cachedir>
        <cachedir prefix="xdg">fontconfig</cachedir>
        <selectfont>
          <acceptfont>\(files.map { "<glob>*/\($0).ttf</glob>" }.joined())</acceptfont>
          <rejectfont><glob>*</glob></rejectfont>
        </selectfont>
      \(aliases.joined(separator: "\n"))
        <match target="font">
          <edit name="antialias" mode="assign"><bool>true</bool></edit>
          <edit name="hinting" mode="assign"><bool>false</bool></edit>
          <edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
          <edit name="autohint" mode="assign"><bool>false</bool></edit>
          <edit name="rgba" mode="assign"><const>none</const></edit>
          <edit name="lcdfilter" mode="assign"><const>lcdnone</const></edit>
          <edit name="embeddedbitmap" mode="assign"><bool>false</bool></edit>
        </match>
      </fontconfig>

      """
  }
}

enum ReportStyle {
  static let text = """
    :root { color-scheme: light dark; --line: #8886; --removed: #fbd7d5; --added: #d3f2d8; --mark: #0003; }
    @media (prefers-color-scheme: dark) { :root { --removed: #5b1f1f; --added: #17452a; --mark: #fff4; } }
    body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 0 1rem 4rem; }
    header { position: sticky; top: 0; background: Canvas; border-bottom: 1px solid var(--line); padding: .5rem 0; z-index: 1; }
    header label { margin-right: 1rem; }
    h1 { font-size: 1.4rem; margin: 0; }
    h2 { font-size: 1.1rem; overflow-wrap: anywhere; }
    section { border-bottom: 1px solid var(--line); padding: .5rem 0 1.5rem; }
    .new, .changed { border: 1px solid var(--line); border-radius: .3rem; font-size: .8rem; padding: .1rem .4rem; }
    .error { color: #c22; }
    select, button, input[type=search] { font: inherit; min-height: 2.75rem; }
    button { margin-right: .5rem; min-width: 6rem; }
    input[type=range] { min-height: 2.75rem; vertical-align: middle; width: 16rem; }
    table { border-collapse: collapse; font: .85rem/1.4 ui-monospace, monospace; table-layout: fixed; width: 100%; }
    th { text-align: left; }
    td { overflow-wrap: anywhere; padding: 0 .5rem; vertical-align: top; white-space: pre-wrap; }
    .header td { opacity: .7; }
    .removed { background: var(--removed); }
    .added { background: var(--added); }
    mark { background: var(--mark); color: inherit; font-weight: bold; }
    .pictures { display: flex; flex-wrap: wrap; gap: 1rem; }
    figure { flex: 1 1 16rem; margin: 0; }
    img { background: repeating-conic-gradient(#8883 0 25%, transparent 0 50%) 0 0 / 16px 16px; border: 1px solid var(--line); max-width: 100%; }
    .overlay { display: inline-grid; margin-top: 1rem; }
    .overlay img { grid-area: 1 / 1; }
    .overlay .top { clip-path: inset(0 0 0 50%); }
    [hidden] { display: none; }
    """
}

enum ReportScript {
  static let text = """
    const get = id => document.getElementById(id);
    const sections = [...document.querySelectorAll("section")];
    function filter() {
      const [state, suite, name] = ["state", "suite", "name"].map(id => get(id).value);
      let count = 0;
      for (const section of sections) {
        const isShown = (!state || section.dataset.state === state) && (!suite || section.dataset.suite === suite)
          && section.textContent.toLowerCase().includes(name.toLowerCase());
        section.hidden = !isShown;
        count += isShown;
      }
      get("shown").textContent = count + " of " + sections.length + " shown";
    }
    for (const id of ["state", "suite", "name"]) get(id).addEventListener("input", filter);
    for (const range of document.querySelectorAll("input[type=range]")) {
      const top = range.closest("section").querySelector(".top");
      range.addEventListener("input", () => { top.style.clipPath = "inset(0 0 0 " + (100 - range.value) + "%)"; });
    }
    filter();
    """
}

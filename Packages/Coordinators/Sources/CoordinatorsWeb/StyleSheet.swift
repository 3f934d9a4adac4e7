/// Text has a contrast of at least 4.5 to 1, and the edges of fields and the focus of at least 3 to 1, on light and on
/// dark.
///
/// Everything that can be clicked is at least 44 pixels high.
let styleSheet: StaticString = """
  :root {
    color-scheme: light dark;
    --page: #f3f5f7; --surface: #fff; --text: #1b1f24; --muted: #545c66; --line: #d5dae0; --edge: #757e89;
    --accent: #0b57d0; --on-accent: #fff; --alert: #a3190f; --alert-surface: #fdeceb;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --page: #121417; --surface: #1d2126; --text: #e7eaed; --muted: #a9b1bb; --line: #383e46; --edge: #7f8893;
      --accent: #8cb4ff; --on-accent: #0a1a33; --alert: #ffb4ab; --alert-surface: #3d1613;
    }
  }
  * { box-sizing: border-box }
  body {
    margin: 0 auto; padding: 0 1rem 2rem; max-width: 42rem; background: var(--page); color: var(--text);
    font: 1.0625rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
  }
  header { display: flex; align-items: center; gap: 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line) }
  header form { margin-left: auto }
  nav ul { display: flex; flex-wrap: wrap; gap: .25rem; margin: 0; padding: 0; list-style: none }
  nav a {
    display: flex; align-items: center; min-height: 44px; padding: 0 .9rem; border-radius: .5rem; color: var(--muted);
    text-decoration: none;
  }
  nav a[aria-current] { background: var(--surface); color: var(--accent); font-weight: 600; text-decoration: underline }
  main { padding-top: 1rem }
  p, dd { white-space: pre-line }
  main > p:first-child, [role=dialog] > p:first-child { margin-top: 0 }
  [role=dialog] {
    padding: 1rem 1.25rem; background: var(--surface); border: 1px solid var(--edge); border-radius: .75rem;
    box-shadow: 0 .5rem 2rem #0004;
  }
  h1 { margin: .25rem 0 1rem; font-size: 1.75rem; line-height: 1.2 }
  h2 { margin: 1.5rem 0 .5rem; font-size: 1.25rem }
  a { color: var(--accent) }
  a[rel=prev], main > p > a { display: inline-flex; align-items: center; min-height: 44px; min-width: 44px }
  a[rel=prev] { text-decoration: none }
  a[rel=prev]:hover { text-decoration: underline }
  a[rel=prev]::before { content: "\\2039" / ""; margin-right: .4rem }
  .rows { margin: 1rem 0; padding: 0; list-style: none; background: var(--surface); border-radius: .75rem }
  .rows li {
    position: relative; display: flex; flex-wrap: wrap; align-items: center; column-gap: 1rem; min-height: 48px;
    padding: 0 1rem;
  }
  .rows li + li { border-top: 1px solid var(--line) }
  .rows a { display: flex; flex: 1 1 auto; align-items: center; min-height: 44px; text-decoration: none }
  .rows a::after { content: ""; position: absolute; inset: 0 }
  .rows a:hover { text-decoration: underline }
  dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: .5rem 1.5rem; margin: 1rem 0 }
  dt, .note, small { color: var(--muted) }
  dd { margin: 0 }
  small { font-size: .9375rem }
  form { margin: 0 }
  main > form, [role=dialog] > form, [role=search] { margin: 1rem 0 }
  label { display: block; margin-bottom: .25rem; font-weight: 600 }
  form p { margin: 0 0 1rem }
  button, input { min-height: 44px; padding: .5rem .9rem; border-radius: .5rem; font: inherit }
  input { width: 100%; border: 1px solid var(--edge); background: var(--surface); color: var(--text) }
  input[aria-invalid] { border: 2px solid var(--alert) }
  button {
    border: 1px solid var(--edge); background: var(--surface); color: var(--accent); font-weight: 600; cursor: pointer;
  }
  button:hover { border-color: var(--accent) }
  form p + button { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
  .actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0 }
  [role=alert] {
    padding: .75rem 1rem; border-left: 4px solid var(--alert); border-radius: .25rem; background: var(--alert-surface);
    color: var(--alert); font-weight: 600;
  }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
  """

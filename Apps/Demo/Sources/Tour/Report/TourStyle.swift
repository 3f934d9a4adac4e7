/// The style sheet of the report, for light and dark mode.
enum TourStyle {
  static let css = """
    :root { color-scheme: light dark; --ink: #1d1d1f; --paper: #fdfdfb; --soft: #8a8a86; --line: #dedcd6; --box: #f4f2ec;
      --good: #23703a; --bad: #b3261e; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --paper: #191917; --soft: #8f8d86; --line: #3a3934;
      --box: #24231f; --good: #7bc98f; --bad: #ff8a80; } }
    body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 68rem;
      margin: 2rem auto; padding: 0 1.5rem; }
    h1 { font-size: 1.7rem; margin-bottom: 0; } h2 { font-size: 1.25rem; margin: 2.5rem 0 0; }
    header p, td.good { font-weight: 600; } p.good { color: var(--good); } .bad, tr.bad td { color: var(--bad); }
    table { border-collapse: collapse; width: 100%; margin-top: 1.5rem; } a { color: inherit; }
    th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    th { color: var(--soft); font-weight: 500; } .number { text-align: right; font-variant-numeric: tabular-nums;
      white-space: nowrap; }
    .exhibits { display: flex; flex-wrap: wrap; gap: 1.25rem; align-items: flex-start; }
    figure { margin: .75rem 0 0; max-width: 100%; } figure.wide { width: 100%; }
    figure.wide img { margin-right: 1rem; } figcaption { color: var(--soft); font-size: .875rem; max-width: 60rem;
      overflow-wrap: anywhere; }
    img { border: 1px solid var(--line); border-radius: 4px; max-width: 100%; }
    pre { background: var(--box); padding: .75rem 1rem; border-radius: 4px; overflow: auto; max-height: 24rem; margin: 0;
      font: 13px/1.45 ui-monospace, 'DejaVu Sans Mono', monospace; }
    del { color: var(--bad); text-decoration: none; } ins { color: var(--good); text-decoration: none; }
    footer { color: var(--soft); margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .5rem; }
    .scroll { overflow-x: auto; } .scroll table { min-width: 34rem; }
    .timeline { width: 100%; min-width: 56rem; font: 12px ui-monospace, 'DejaVu Sans Mono', monospace; }
    .timeline text { fill: var(--ink); } .timeline .time, .timeline .lane { fill: var(--soft); }
    .timeline line { stroke: var(--line); stroke-width: 1; } .timeline .axis { stroke: var(--soft); stroke-width: 2; }
    .timeline circle { fill: var(--soft); } .timeline .good { fill: var(--good); } .timeline .bad { fill: var(--bad); }
    """
}

import { createHash } from 'node:crypto'

/** Code and tables scroll by themselves; the page never does sideways. */
export const DOCUMENT_STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1d1b18, #eeebe4); --quiet: light-dark(#5b564d, #b3ada1);
  --paper: light-dark(#fbfaf7, #151513); --sunken: light-dark(#f3f1ec, #10100f); --line: light-dark(#e3dfd6, #2e2d29);
  --accent: light-dark(#0b6e6e, #5cc7bd); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 'Inter Variable', Inter, system-ui, sans-serif; overflow-wrap: break-word; }
header, main { max-width: 46rem; margin: 0 auto; padding: 1rem; }
header { display: flex; gap: 1.25rem; font-size: .875rem; border-bottom: 1px solid var(--line); }
main { padding-bottom: 4rem; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; scroll-margin-top: 1rem; }
h1 { font-size: 1.75rem; margin: 1.5rem 0 1rem; }
h2 { font-size: 1.25rem; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1.0625rem; margin: 1.75rem 0 .5rem; }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible, pre:focus-visible, .wide:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { font: .875em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; background: var(--sunken);
  border-radius: 4px; padding: .1em .3em; }
pre { overflow-x: auto; padding: .875rem 1rem; background: var(--sunken); border: 1px solid var(--line); border-radius: 8px; }
pre code { padding: 0; background: none; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .875rem; }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; min-width: 7rem; }
th { color: var(--quiet); font-weight: 600; }
td code { overflow-wrap: normal; }
li { margin: .25rem 0; }
img { max-width: 100%; height: auto; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--quiet); }
`

/** A page of text with pictures of this service: it may be read, and nothing else. */
export const PAGE_POLICY = `default-src 'none'; img-src 'self'; style-src 'sha256-${createHash('sha256').update(DOCUMENT_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

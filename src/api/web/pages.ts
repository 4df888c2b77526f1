interface Start {
  script: string
  style: string
  /** Loaded at once with the script. */
  chunks: readonly string[]
  font: string
  /** Sets the theme before anything is drawn. */
  theme: string
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E%3Cpath d='M10 1 18 6v8l-8 5-8-5V6z' fill='%230b6e6e'/%3E%3Cpath d='M10 1v18M2 6l16 8M18 6 2 14' stroke='%23fff' fill='none'/%3E%3C/svg%3E"

/** The one page of the application; what it shows depends on the address. */
export const appPage = ({ script, style, chunks, font, theme }: Start): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Facet</title>
<link rel="icon" href="${ICON}">
<link rel="apple-touch-icon" href="/icon-180.png">
<link rel="manifest" href="/manifest.webmanifest">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf7">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#151513">
<script src="/${theme}"></script>
<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/${style}">
${chunks.map((name) => `<link rel="modulepreload" href="/${name}">`).join('\n')}
<script type="module" src="/${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>
<h1>Facet</h1>
<p>This application needs JavaScript. Without it there are the <a href="/docs/tutorial.md">tutorial</a>, the
<a href="/docs/reference/http.md">HTTP interface</a>, <a href="/api/openapi.json">its description</a> and an
<a href="/api/swagger-ui/">explorer</a>.</p>
</noscript>
</body>
</html>
`

/** The page around a component of the assistant. */
export const framePage = ({
  importMap,
  script,
  style,
}: {
  importMap: string
  script: string
  style: string
}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Component</title>
<script type="importmap">${importMap}</script>
<link rel="stylesheet" href="/${style}">
<script type="module" src="/${script}"></script>
</head>
<body><div id="root"></div></body>
</html>
`

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** What is in the place of an application that could not be built. */
export const failurePage = (reason: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Facet</title>
</head>
<body>
<h1>Facet</h1>
<p>The application could not be built. The API runs: <a href="/api/swagger-ui/">explorer</a>,
<a href="/docs/tutorial.md">tutorial</a>, <a href="/docs/reference/http.md">HTTP interface</a>.</p>
<pre>${reason.replaceAll(/[&<>]/g, (char) => ESCAPES[char]!)}</pre>
</body>
</html>
`

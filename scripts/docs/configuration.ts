import { SECRETS, SETTINGS } from '#src/config/read-config.ts'
import type { Setting } from '#src/config/setting.ts'

export const file = 'docs/reference/configuration.md'

/** Every environment variable, from the table that reads them. */
export function text(): string {
  const rows = Object.entries<Setting<unknown>>(SETTINGS).map(
    ([name, { default: fallback, meaning }]) =>
      `| ${name} | ${fallback === null ? 'none' : `\`${fallback}\``} | ${meaning} |`,
  )
  return `${[
    '# Configuration',
    '',
    'Facet reads these environment variables, and `.env` in the working directory under them. An empty variable ' +
      'counts as unset. Everything is checked at start; when something is wrong, the start fails and names all of it.',
    '',
    'A secret can be in a file, as container platforms hand them over: `NAME_FILE` names the file whose content is ' +
      `\`NAME\`. That goes for ${SECRETS.join(', ')}.`,
    '',
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...rows,
  ].join('\n')}\n`
}

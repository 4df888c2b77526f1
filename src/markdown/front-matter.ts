/** What front matter means to every reader of notes; a field of that name has its tag's before it. */
const OWN_KEYS = new Set(['tags', 'tag', 'aliases', 'alias', 'cssclasses', 'publish'])
export const isOwnKey = (name: string): boolean => OWN_KEYS.has(name.toLowerCase())

/** Scalars that are what they look like, for every reader of YAML. */
const PLAIN = /^(?:[A-Za-z\u00c0-\u024f][\w\u00c0-\u024f -]*(?<! )|\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?)$/
const TAKEN = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i

/** Behind JSON's own escapes: what YAML wants escaped besides. */
const UNPRINTABLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g

/** A value as YAML, which is JSON where it has to be. */
export function yamlValue(value: unknown): string {
  if (typeof value === 'string' && PLAIN.test(value) && !TAKEN.test(value)) return value
  return (JSON.stringify(value) ?? 'null').replaceAll(
    UNPRINTABLE,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Lines of a mapping; values are YAML already, lists of such among them. */
export const yamlLines = (
  entries: readonly (readonly [key: string, value: string | readonly string[]])[],
): string =>
  entries
    .map(([key, value]) =>
      typeof value === 'string'
        ? `${yamlValue(key)}: ${value}\n`
        : value.length
          ? `${yamlValue(key)}:\n${value.map((each) => `  - ${each}\n`).join('')}`
          : `${yamlValue(key)}: []\n`,
    )
    .join('')

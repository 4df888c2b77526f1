/**
 * The canonical form of a JSON value (RFC 8785): no blanks, names in the order of their UTF-16 code units, numbers and
 * strings as ECMAScript writes them. For values that came from JSON which was kept exactly (decision 51): there are no
 * lone surrogates and no infinite numbers among them. Every change pays for it, hence the care for speed.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  return Array.isArray(value) ? arrayText(value) : objectText(value as Record<string, unknown>)
}

function arrayText(values: readonly unknown[]): string {
  let text = '['
  for (let i = 0; i < values.length; i++) text += (i ? ',' : '') + canonicalJson(values[i])
  return `${text}]`
}

function objectText(value: Record<string, unknown>): string {
  let text = '{'
  for (const name of sorted(Object.keys(value))) {
    const member = value[name]
    if (member === undefined) continue // as JSON.stringify leaves it out
    text += `${text === '{' ? '' : ','}${quoted(name)}:${canonicalJson(member)}`
  }
  return `${text}}`
}

/** Up to this many names an insertion sort takes less than the general one. */
const FEW = 12

function sorted(names: string[]): string[] {
  if (names.length > FEW) return names.sort()
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!
    let at = i
    for (; at > 0 && names[at - 1]! > name; at--) names[at] = names[at - 1]!
    names[at] = name
  }
  return names
}

/** Short texts without anything to escape are the rule. */
const SHORT = 64
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

export const quoted = (text: string): string =>
  text.length <= SHORT && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)

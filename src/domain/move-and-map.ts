import { chosenVariant, type FieldValues } from '#src/domain/field-values.ts'

export interface Rearrangement {
  /** New fields by old ones. */
  move: Readonly<Record<string, string>>
  /** By field: what is put in the place of a value, by what that is called. */
  map: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/**
 * Stored values moved to other fields, then replaced (further §18). A value that is at the target already stays:
 * `blocked` names the fields that could not be moved.
 */
export function moveAndMap(
  stored: FieldValues,
  { move, map }: Rearrangement,
): { values: FieldValues; blocked: string[] } {
  const values = new Map(Object.entries(stored))
  const blocked: string[] = []
  const moving = Object.keys(move).filter((from) => (values.get(from) ?? null) !== null)
  for (const from of moving) values.delete(from)
  for (const from of moving) {
    const to = move[from]!
    if ((values.get(to) ?? null) === null) values.set(to, stored[from])
    else blocked.push(from)
  }
  for (const from of blocked) if (!values.has(from)) values.set(from, stored[from])
  for (const [field, replacements] of Object.entries(map)) {
    const value = values.get(field) ?? null
    if (value !== null) values.set(field, replaced(value, replacements))
  }
  return { values: Object.fromEntries(values), blocked }
}

/** An array element by element, each once; null takes one away. */
function replaced(value: unknown, by: Readonly<Record<string, unknown>>): unknown {
  const put = (each: unknown) => (Object.hasOwn(by, calledIn(each)) ? by[calledIn(each)] : each)
  if (!Array.isArray(value)) return put(value)
  const whole = JSON.stringify(value)
  if (Object.hasOwn(by, whole)) return by[whole]
  if (!value.some((each) => Object.hasOwn(by, calledIn(each)))) return value
  const elements = value.flatMap(put).filter((each) => each !== null)
  return [...new Set(elements.map((each) => chosenVariant(each) ?? each))]
}

/** A variant by its name, a text by itself, anything else by its JSON. */
const calledIn = (value: unknown): string =>
  chosenVariant(value) ?? (typeof value === 'string' ? value : JSON.stringify(value))

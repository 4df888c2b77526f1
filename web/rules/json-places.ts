import { type Filter, isFilter } from '#web/rules/filter-edits.ts'

interface Place {
  from: number
  to: number
}

export interface ReadJson {
  filter: Filter | null
  /** Why it is none. */
  fault: string | undefined
  /** Where everything is, by the paths that the service's faults have: `filter.and[1].Task.due`. */
  places: ReadonlyMap<string, Place> | undefined
}

/** A filter from text; an empty one is none at all. */
export function readJson(text: string): ReadJson {
  if (!text.trim()) return { filter: null, fault: undefined, places: new Map() }
  try {
    const value: unknown = JSON.parse(text)
    if (!isFilter(value))
      return { filter: null, fault: 'A filter is an object: {"Task.status": "open"}', places: undefined }
    return { filter: value, fault: undefined, places: placesIn(text) }
  } catch (error) {
    return { filter: null, fault: `This is no JSON yet: ${(error as Error).message}`, places: undefined }
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Of valid JSON: a key's place is that of the key with its value. */
function placesIn(text: string): Map<string, Place> {
  const places = new Map<string, Place>()
  const tokens = [...text.matchAll(TOKEN)].map(({ 0: token, index }) => ({
    token,
    from: index,
    to: index + token.length,
  }))
  let at = 0
  const value = (path: string, from: number): void => {
    const start = tokens[at++]!
    let { to } = start
    if (start.token === '{' || start.token === '[') {
      for (let i = 0; tokens[at]!.token !== '}' && tokens[at]!.token !== ']'; i++) {
        if (tokens[at]!.token === ',') at++
        const first = tokens[at]!
        if (start.token === '[') value(`${path}[${i}]`, first.from)
        else {
          at += 2
          value(`${path}.${JSON.parse(first.token) as string}`, first.from)
        }
      }
      to = tokens[at++]!.to
    }
    places.set(path, { from, to })
  }
  if (tokens[0]) value('filter', tokens[0].from)
  return places
}

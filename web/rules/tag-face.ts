import { type Sign, SIGNS, type TagLook } from '#src/domain/tag-look.ts'
import { HUES, hueIndex } from '#web/rules/hues.ts'
import { signOfName } from '#web/rules/sign-of-name.ts'

export { SIGNS }
export type { Sign, TagLook }

/** How a tag is distinguished from others before its name is read. */
export interface Face {
  /** Null: its letter stands for it. */
  sign: Sign | null
  letter: string
  /** Of the palette; null: of a tag that is not known. */
  hue: number | null
}

export interface TagWithLook {
  tag_id: string
  name: string
  look?: TagLook | undefined
}

const SEGMENTS = new Intl.Segmenter()

/** The face of what is known by its name alone. */
export const unknownFace = (name: string): Face => ({ sign: null, letter: letterOf(name), hue: null })

export const faceOf = ({ name, look }: Omit<TagWithLook, 'tag_id'>, derivedHue: number): Face => ({
  sign: look?.sign ?? signOfName(name),
  letter: letterOf(name),
  hue: look?.hue === undefined ? derivedHue : hueIndex(look.hue),
})

/** The faces of all tags, by id and by name: as they are set, else derived. */
export function tagFaces(tags: readonly TagWithLook[]): ReadonlyMap<string, Face> {
  const hues = derivedHues(tags.map(({ tag_id }) => tag_id))
  return new Map(
    tags.flatMap((tag) => {
      const face = faceOf(tag, hues.get(tag.tag_id)!)
      return [
        [tag.tag_id, face],
        [tag.name, face],
      ] as const
    }),
  )
}

/**
 * A colour for each tag: that of its id, or where older tags have it, one that is far from theirs. So a new tag changes no
 * other, and the first twelve differ.
 */
export function derivedHues(tag_ids: readonly string[]): ReadonlyMap<string, number> {
  const uses = HUES.map(() => 0)
  const found = new Map<string, number>()
  for (const tag_id of tag_ids.toSorted()) {
    const wanted = hashOf(tag_id) % HUES.length
    const at = HUES.map((_, i) => (wanted + 5 * i) % HUES.length).reduce((best, each) =>
      crowd(uses, each) < crowd(uses, best) ? each : best,
    )
    uses[at]!++
    found.set(tag_id, at)
  }
  return found
}

/** How often a colour, and those next to it, are taken. */
function crowd(uses: readonly number[], at: number): number {
  const beside = uses[(at + 1) % uses.length]! + uses[(at + uses.length - 1) % uses.length]!
  return 4 * uses[at]! + beside
}

function hashOf(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) >>> 0
  return hash
}

function letterOf(name: string): string {
  const [first] = SEGMENTS.segment(name.trim())
  return first?.segment.toLocaleUpperCase() ?? ''
}

import { flattenFields, type FieldMap } from '#src/domain/field-schema.ts'
import type { Template } from '#src/operations/templates/template.ts'

/** What the names in settings stand for. */
interface MadeTags {
  /** Of tags, by name. */
  ids: ReadonlyMap<string, string>
  /** Where the name of a tag stands before one of its fields: `Task` in `Task.due:desc,Task.project->Project.name`. */
  named: readonly { name: RegExp; tag_id: string }[]
}

/** Longest names first: one may begin with another. */
export const namesOfFields = (tags: Template['tags'], ids: ReadonlyMap<string, string>): MadeTags['named'] =>
  tags
    .toSorted((a, b) => b.name.length - a.name.length)
    .map(({ name, fields }) => {
      const own = [...flattenFields(fields as FieldMap).keys()].map((field) => RegExp.escape(field)).join('|')
      const text = `(?<=^|,|->)${RegExp.escape(name)}(?=\\.(?:${own})(?:$|,|:|->))`
      return { name: new RegExp(text, 'g'), tag_id: ids.get(name)! }
    })

/** Where a client keeps a list of tags, by the name that it has in settings. */
const LIST_OF_TAGS = 'tags'

/** Where a client keeps `Task.due`, it is the field of the tag that was made, whatever becomes of its name. */
export function withIds(settings: unknown, made: MadeTags, key?: string): unknown {
  if (typeof settings === 'string') {
    const whole = key === LIST_OF_TAGS ? made.ids.get(settings) : undefined
    if (whole !== undefined) return whole
    return made.named.reduce((text, { name, tag_id }) => text.replaceAll(name, tag_id), settings)
  }
  if (Array.isArray(settings)) return settings.map((each) => withIds(each, made, key))
  if (typeof settings !== 'object' || settings === null) return settings
  const entries = Object.entries(settings).map(([name, value]) => [
    withIds(name, made),
    withIds(value, made, name),
  ])
  return Object.fromEntries(entries)
}

import { describe, expect, it } from 'vitest'
import { BASE_TEMPLATES, wholeTemplate } from '#web/rules/base-templates.ts'
import { TAG_TEMPLATES } from '#web/rules/tag-templates.ts'

/** Every name of a field in a schema, those of variants too. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === 'fields' ? Object.keys(inner as object) : []),
    ...namesIn(inner),
  ])
}

describe('what one begins with', () => {
  for (const { id, about, tag } of TAG_TEMPLATES)
    it(`says of itself what its card says, and names fields in words: ${id}`, () => {
      expect(tag.description).toBe(about)
      expect(namesIn(tag).filter((name) => !/^[a-z][a-z ]*$/.test(name))).toEqual([])
    })

  for (const base of BASE_TEMPLATES)
    it(`names fields in words: ${base.name}`, async () => {
      const names = namesIn(await wholeTemplate(base))
      expect(names.length).toBeGreaterThan(0)
      expect(names.filter((name) => name.includes('_'))).toEqual([])
    })
})

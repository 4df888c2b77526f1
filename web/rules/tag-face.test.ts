import { describe, expect, it } from 'vitest'
import { HUES, hueIndex, hueOfIndex } from '#web/rules/hues.ts'
import { signOfName } from '#web/rules/sign-of-name.ts'
import { derivedHues, tagFaces, unknownFace } from '#web/rules/tag-face.ts'

const ids = Array.from({ length: 40 }, (_, i) => `01K${String(i).padStart(23, '0')}`)

describe('tagFaces', () => {
  it('derives a sign by the name, and takes the letter where no word says one', () => {
    const names = ['Task', 'Project tasks', 'Companies', 'Person', 'Vertrag', '🚀 Start', ' élan']
    expect(names.map((name) => [signOfName(name), unknownFace(name).letter])).toEqual([
      ['check', 'T'],
      ['check', 'P'],
      ['building', 'C'],
      ['person', 'P'],
      [null, 'V'],
      [null, '🚀'],
      [null, 'É'],
    ])
  })

  it('takes what is set before what is derived', () => {
    const [tag_id = ''] = ids
    const faces = tagFaces([{ tag_id, name: 'Task', look: { sign: 'rocket', hue: 245 } }])
    expect(faces.get(tag_id)).toEqual({ sign: 'rocket', letter: 'T', hue: HUES.indexOf('Blue') })
    expect(faces.get('Task')).toBe(faces.get(tag_id))
  })

  it('gives the first twelve tags a colour each, the first six none beside another, and never changes one for a new tag', () => {
    const hues = derivedHues(ids)
    const [first, twelve] = [6, 12].map((count) => ids.slice(0, count).map((id) => hues.get(id)!))
    expect(new Set(twelve).size).toBe(12)
    const gaps = first!.toSorted((a, b) => a - b).map((hue, i, all) => (all.at(i - 1)! - hue + 24) % 12)
    expect(gaps).not.toContain(11)
    for (const [i, tag_id] of ids.entries())
      expect(derivedHues(ids.slice(0, i + 1)).get(tag_id)).toBe(hues.get(tag_id))
  })
})

describe('hueIndex', () => {
  it('finds the nearest colour of the palette, all around', () => {
    expect([0, 14, 16, 344, 346, 359].map((hue) => HUES[hueIndex(hue)])).toEqual([
      'Red',
      'Red',
      'Orange',
      'Rose',
      'Red',
      'Red',
    ])
    expect(HUES.map((_, i) => hueIndex(hueOfIndex(i)))).toEqual(HUES.map((_, i) => i))
  })
})

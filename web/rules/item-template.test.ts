import { expect, it } from 'vitest'
import { isTemplateOf, readTemplate, templateFilter } from '#web/rules/item-template.ts'

const TASK = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'

it('is a view that asks for the tags and values of an item, but for its files', () => {
  const field_values = {
    status: { variant: 'done' },
    finished_on: '2026-03-01',
    effort: 2.5,
    urgent: false,
    labels: ['home', 'work'],
    watchers: [],
    note: null,
    plan: { file_id: 'x', name: 'plan.pdf' },
    pictures: [{ file_id: 'x' }],
  }
  const filter = templateFilter({ [TASK]: { field_values } })
  expect(filter).toEqual({
    and: [
      { has_tag: TASK },
      { [`${TASK}.status`]: { eq: 'done' } },
      { [`${TASK}.finished_on`]: { eq: '2026-03-01' } },
      { [`${TASK}.effort`]: { eq: 2.5 } },
      { [`${TASK}.urgent`]: { eq: false } },
      { [`${TASK}.labels`]: { eq: ['home', 'work'] } },
    ],
  })
  expect(isTemplateOf({ filter: filter!, settings: { template: {} } }, TASK)).toBe(true)
  expect(isTemplateOf({ filter: filter!, settings: {} }, TASK)).toBe(false)
  expect(isTemplateOf({ filter: filter!, settings: { template: {} } }, 'another')).toBe(false)
})

it('counts dates from the day of use where that is asked for', () => {
  const field_values = { due: '2026-03-08', note: '2026-03-08' }
  const dayOf = (_: string, field: string) => (field === 'due' ? 7 : undefined)
  expect(templateFilter({ [TASK]: { field_values } }, dayOf)).toEqual({
    and: [
      { has_tag: TASK },
      { [`${TASK}.due`]: { eq: { today: 7 } } },
      { [`${TASK}.note`]: { eq: '2026-03-08' } },
    ],
  })
})

it('needs a tag, and takes what a view says with care', () => {
  expect(templateFilter({})).toBeNull()
  expect(readTemplate({ template: 'yes' })).toBeNull()
  expect(readTemplate({ template: { description: 3 } })).toEqual({})
  expect(readTemplate({ template: { description: '<p>Steps</p>' } })).toEqual({
    description: '<p>Steps</p>',
  })
})

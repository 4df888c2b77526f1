import type { FieldMap } from '#src/domain/field-schema.ts'
import { Random } from '#bench/random.ts'

/** What the generated items are made of, and the bench's requests with them. */

export const STATUSES = ['Open', 'Ready', 'Active', 'Blocked', 'Done'] as const
export const LABELS = ['backend', 'design', 'docs', 'legal', 'mobile', 'ops', 'research', 'web'] as const
export const STAGES = ['Idea', 'Planned', 'Running', 'Closed'] as const
const FIRST =
  'Ada Bela Carl Dora Emil Frida Gero Hana Ivo Jana Kaito Lena Mira Nils Olga Paul Rosa Sami Tara Uwe'
const LAST =
  'Adler Brandt Costa Dietz Ekström Fuchs García Haas Ito Jansen Kovač Lund Meyer Novák Okafor Petit'
export const OWNERS = FIRST.split(' ').flatMap((first) => LAST.split(' ').map((last) => `${first} ${last}`))
export const CITIES =
  'Aarhus Basel Cádiz Dresden Espoo Faro Ghent Hamburg Izmir Kyoto Lyon Malmö Porto Turin'.split(' ')
const VERBS =
  'Add Check Compare Draft Explain Fix Measure Merge Plan Prove Remove Rename Review Split Test Write'
const THINGS =
  'account address answer archive backup budget calendar cable camera catalogue contract cursor database design ' +
  'dialog engine export festival filter garden harbour import index invoice journal kernel ladder letter library ' +
  'machine manual meadow menu mirror module number office orchard package parser pencil picture planner printer ' +
  'query receipt record report route schema search season server session shipment signal street survey table ' +
  'ticket timetable tunnel upload version village warehouse window workshop'
const verbs = VERBS.split(' ')
export const WORDS = THINGS.split(' ')

/** A customer has a city; a project belongs to a customer; a task belongs to a project. */
export const TAGS = {
  Customer: { city: 'String', vip: 'Boolean' },
  Project: {
    stage: { type: 'Select', variants: STAGES },
    budget: 'Number',
    customer: 'Reference',
  },
  Task: {
    status: { type: 'Select', variants: STATUSES },
    priority: 'Number',
    owner: 'String',
    due: 'Date',
    labels: { type: 'MultiSelect', variants: LABELS },
    project: 'Reference',
    done: 'Boolean',
  },
} as const satisfies Record<string, FieldMap>

export type TagName = keyof typeof TAGS

export const someName = (random: Random, number: number): string =>
  `${random.pick(verbs)} the ${random.pick(WORDS)} of the ${random.pick(WORDS)} ${number}`

/** With which a few names begin: up to three letters of the first thing. */
export const someNameStart = (random: Random): string =>
  `${random.pick(verbs)} the ${random.pick(WORDS).slice(0, 1 + random.below(3))}`

export function someDescription(random: Random): string | null {
  if (random.chance(0.5)) return null
  const words = Array.from({ length: 4 + random.below(12) }, () => random.pick(WORDS))
  return `<p>About the ${words.join(' ')}.</p>`
}

export function someDate(random: Random): string {
  return new Date(Date.UTC(2024, 0, 1) + random.below(1000) * 86_400_000).toISOString().slice(0, 10)
}

/** Field values of a task. `done` is true of finished tasks only: with another status it finds nothing at all. */
export function someTask(random: Random, project: string | null): Record<string, unknown> {
  const status = random.pickSkewed(STATUSES)
  return {
    status: { variant: status },
    priority: random.below(5) + 1,
    owner: random.chance(0.05) ? null : random.pickSkewed(OWNERS),
    due: someDate(random),
    labels: random.some(LABELS, 3),
    project,
    ...(status === 'Done' && { done: true }),
  }
}

export const someProject = (random: Random, customer: string | null): Record<string, unknown> => ({
  stage: { variant: random.pick(STAGES) },
  budget: random.below(100_000) / 10,
  customer,
})

export const someCustomer = (random: Random): Record<string, unknown> => ({
  city: random.pick(CITIES),
  vip: random.chance(0.1),
})

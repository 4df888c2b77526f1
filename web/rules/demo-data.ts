import { today } from '#web/rules/say-time.ts'

interface Step {
  operation: string
  input: Record<string, unknown>
  as?: string
}

const PEOPLE = [
  ['ada', 'Ada Lovelace', 'Engines'],
  ['grace', 'Grace Hopper', 'Compilers'],
  ['mary', 'Mary Anning', 'Field'],
  ['hedy', 'Hedy Lamarr', 'Radio'],
] as const

const PROJECTS = [
  ['greenhouse', 'Greenhouse', 'Build a greenhouse behind the workshop before the frost.'],
  ['archive', 'Archive', 'Sort forty years of letters and scan what is worth it.'],
  ['radio', 'Radio station', 'Be on the air by midsummer.'],
] as const

const STATUS = ['idea', 'open', 'doing', 'done'] as const

/** Name, project, status, days from today, hours, labels. */
const TASKS: readonly (readonly [string, string, number, number, number, readonly string[]])[] = [
  ['Draw the plan', 'greenhouse', 3, -20, 6, ['home']],
  ['Order glass', 'greenhouse', 2, -2, 1, ['buy', 'home']],
  ['Level the ground', 'greenhouse', 2, 3, 12, ['home', 'heavy']],
  ['Ask the neighbours', 'greenhouse', 1, 1, 0.5, ['call']],
  ['Order seeds', 'greenhouse', 1, 14, 1, ['buy']],
  ['Lay the water pipe', 'greenhouse', 1, 9, 8, ['heavy']],
  ['Choose a heater', 'greenhouse', 0, 40, 2, ['buy']],
  ['Buy archive boxes', 'archive', 3, -30, 1, ['buy']],
  ['Sort the letters by year', 'archive', 2, 5, 20, ['home']],
  ['Scan the photographs', 'archive', 1, 21, 16, []],
  ['Find out who is in the photographs', 'archive', 1, 28, 6, ['call']],
  ['Write the index', 'archive', 0, 60, 10, []],
  ['Call the library', 'archive', 1, 0, 0.5, ['call']],
  ['Apply for the licence', 'radio', 3, -45, 3, []],
  ['Put up the antenna', 'radio', 1, 7, 10, ['heavy']],
  ['Borrow a transmitter', 'radio', 2, 2, 2, ['call']],
  ['Test the range', 'radio', 1, 16, 4, []],
  ['Plan the first programme', 'radio', 0, 30, 5, []],
  ['Find a name', 'radio', 0, 12, 1, []],
  ['Record a greeting', 'radio', 1, 18, 1, ['home']],
]

const DAY = 86_400_000

/** A small base to look around in: people, projects and tasks that refer to each other. One change, undone in one go. */
export function demoData(now = Date.now()): Step[] {
  const day = (days: number) => today(new Date(now + days * DAY))
  return [
    { operation: 'createTag', as: 'Person', input: { name: 'Person', fields: { team: 'String' } } },
    {
      operation: 'createTag',
      as: 'Project',
      input: { name: 'Project', fields: { lead: { type: 'Reference', of: ['Person'] }, until: 'Date' } },
    },
    {
      operation: 'createTag',
      as: 'Task',
      input: {
        name: 'Task',
        fields: {
          status: {
            type: 'Select',
            variants: [
              'idea',
              'open',
              'doing',
              { name: 'done', closed: true, hue: 120, fields: { finished: 'Date' } },
            ],
          },
          due: { type: 'Date', relative: true },
          effort: { type: 'Number', unit: 'h' },
          project: { type: 'Reference', of: ['Project'] },
          assignee: { type: 'Reference', of: ['Person'] },
          labels: { type: 'MultiSelect', variants: ['home', 'buy', 'call', 'heavy'] },
        },
      },
    },
    ...PEOPLE.map(([as, name, team]) => ({
      operation: 'createItem',
      as,
      input: { name, tags: [{ tag_ref: { Existing: { $: 'Person' } }, field_values: { team } }] },
    })),
    ...PROJECTS.map(([as, name, description], i) => ({
      operation: 'createItem',
      as,
      input: {
        name,
        description,
        tags: [
          {
            tag_ref: { Existing: { $: 'Project' } },
            field_values: { lead: { $: PEOPLE[i]![0] }, until: day(60 + 30 * i) },
          },
        ],
      },
    })),
    ...TASKS.map(([name, project, status, due, effort, labels], i) => ({
      operation: 'createItem',
      input: {
        name,
        tags: [
          {
            tag_ref: { Existing: { $: 'Task' } },
            field_values: {
              status: { variant: STATUS[status] },
              ...(status === 3 && { finished: day(due - 1) }),
              due: day(due),
              effort,
              project: { $: project },
              ...(i % 5 !== 4 && { assignee: { $: PEOPLE[i % 4]![0] } }),
              labels: [...labels],
            },
          },
        ],
      },
    })),
  ]
}

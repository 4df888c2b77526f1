import type { Client } from '#test/support/client.ts'

/** A small firm: what it sells to whom, who works on what. Small enough to know every answer by heart. */
export interface AgentWorld {
  ids: Record<string, string>
  tags: Record<string, string>
  /** When all of it was there. */
  ready: string
}

/** What a call came to: its answer, and what is beside it. */
export interface Told {
  value: never
  beside: { total?: number; change_id?: string; hints?: string[] } | undefined
}

export interface AgentTask {
  /** As somebody would ask an assistant. */
  asks: string
  /** The calls of a frugal assistant, one after the other; what was told before is at hand. */
  calls: readonly ((world: AgentWorld, told: readonly Told[]) => [tool: string, args: object])[]
  /** Of what was told the answer. */
  answer(told: readonly Told[], world: AgentWorld): unknown
  right(world: AgentWorld): unknown
}

const STATUS = {
  type: 'Select',
  variants: ['open', 'doing', { name: 'done', fields: { closed_on: 'Date' } }],
}

export async function createAgentWorld(client: Client): Promise<AgentWorld> {
  const tags: Record<string, string> = {}
  const schemas: [name: string, fields: object][] = [
    ['Team', { city: 'String' }],
    ['Person', { email: 'String', team: 'Reference' }],
    ['Customer', { vat_id: 'String', since: 'Date' }],
    [
      'Project',
      { customer: 'Reference', budget: 'Number', members: 'MultiReference', owner_team: 'Reference' },
    ],
    [
      'Task',
      {
        project: 'Reference',
        assignee: 'Reference',
        estimate: 'Number',
        due: 'Date',
        status: STATUS,
        labels: { type: 'MultiSelect', variants: ['bug', 'ux', 'infra'] },
      },
    ],
  ]
  for (const [name, fields] of schemas)
    tags[name] = (await client.ok('POST', '/api/tags', { name, fields })).tag_id
  const ids: Record<string, string> = {}
  const add = async (name: string, tag: string, field_values: object, key = name) => {
    const body = { name, tags: [{ tag_ref: { Existing: tag }, field_values }] }
    ids[key] = (await client.ok('POST', '/api/items', body)).item_id
  }
  for (const [team, city] of [
    ['North', 'Oslo'],
    ['South', 'Rome'],
    ['East', 'Riga'],
  ] as const)
    await add(team, 'Team', { city })
  for (const [person, team] of [
    ['Ann', 'North'],
    ['Bob', 'South'],
    ['Cleo', 'North'],
    ['Dan', 'East'],
  ] as const)
    await add(person, 'Person', { email: `${person.toLowerCase()}@example.org`, team: ids[team] })
  await add('Acme', 'Customer', { vat_id: 'AT 123', since: '2020-01-01' })
  await add('ACME Inc.', 'Customer', { vat_id: 'at123' }, 'Acme2')
  await add('Globex', 'Customer', { vat_id: 'DE 9', since: '2021-05-05' })
  const projects = [
    ['Site', 'Acme', 100],
    ['Shop', 'Acme2', 300],
    ['Bridge', 'Globex', 200],
  ] as const
  for (const [name, customer, budget] of projects)
    await add(name, 'Project', { customer: ids[customer], budget, members: [ids['Ann'], ids['Bob']] })
  for (let n = 0; n < 40; n++) {
    const status = (['open', 'doing', 'done'] as const)[n % 3]!
    await add(`Task ${n}`, 'Task', {
      project: ids[projects[n % 3 === 2 ? 0 : n % 2]![0]],
      assignee: n % 5 === 4 ? null : ids[(['Ann', 'Bob', 'Cleo', 'Dan'] as const)[n % 4]!],
      estimate: n % 7 === 6 ? null : n % 7,
      due: `2026-0${1 + (n % 4)}-15`,
      status: { variant: status },
      ...(status === 'done' && { closed_on: '2026-01-20' }),
      labels: n % 2 ? ['bug'] : [],
    })
  }
  return { ids, tags, ready: new Date().toISOString() }
}

const NUMBERS = Array.from({ length: 40 }, (_, n) => n)
const count = (test: (n: number) => boolean) => NUMBERS.filter(test).length
const statusOf = (n: number) => ['open', 'doing', 'done'][n % 3]
const openBugs = (n: number) => statusOf(n) === 'open' && n % 2 === 1

type Group = {
  key: (string | { name: string } | null)[]
  count: number
  metrics: (number | null)[]
  ids?: string[]
}
const groups = ({ value }: Told) => (value as { groups: Group[] }).groups
const names = ({ value }: Told) => (value as { name: string }[]).map(({ name }) => name).toSorted()
const keyed = (told: Told) =>
  Object.fromEntries(
    groups(told).map(({ key: [key], count: n }) => [
      typeof key === 'object' && key ? key.name : String(key),
      n,
    ]),
  )
const affected = (told: Told) => (told.value as { affected_count: number }).affected_count

/** Daily work of the kinds that assistants have: look-ups, counts, sums, duplicates, exact changes, undoing, reasons. */
export const AGENT_TASKS: readonly AgentTask[] = [
  {
    asks: 'How many tasks are in each status?',
    calls: [() => ['aggregate_items', { group_by: ['Task.status'], filter: { has_tag: 'Task' } }]],
    answer: ([told]) => keyed(told!),
    right: () =>
      Object.fromEntries(['open', 'doing', 'done'].map((s) => [s, count((n) => statusOf(n) === s)])),
  },
  {
    asks: 'How many tasks has each team on its people?',
    calls: [
      () => [
        'aggregate_items',
        { group_by: ['Task.assignee->Person.team'], filter: { 'Task.assignee': { exists: true } } },
      ],
    ],
    answer: ([told]) => keyed(told!),
    right: () => {
      const team = (n: number) => ['North', 'South', 'North', 'East'][n % 4]!
      return Object.fromEntries(
        ['North', 'South', 'East'].map((t) => [t, count((n) => n % 5 !== 4 && team(n) === t)]),
      )
    },
  },
  {
    asks: 'What do the estimates of all open tasks add up to?',
    calls: [
      () => ['aggregate_items', { filter: { 'Task.status': 'open' }, metrics: [{ sum: 'Task.estimate' }] }],
    ],
    answer: ([told]) => groups(told!)[0]!.metrics[0],
    right: () =>
      NUMBERS.filter((n) => statusOf(n) === 'open' && n % 7 < 6).reduce((sum, n) => sum + (n % 7), 0),
  },
  {
    asks: 'Which customer has the largest budget?',
    calls: [
      () => [
        'aggregate_items',
        {
          group_by: ['Project.customer'],
          metrics: [{ sum: 'Project.budget' }],
          sort: [{ by: 0, direction: 'desc' }],
          filter: { has_tag: 'Project' },
          limit: 1,
        },
      ],
    ],
    answer: ([told]) => Object.keys(keyed(told!)),
    right: () => ['ACME Inc.'],
  },
  {
    asks: 'Who is Ann’s team mate?',
    calls: [
      () => [
        'get_items',
        {
          filter: { and: [{ '<-Person.team': { name: 'Ann' } }, { has_tag: 'Team' }] },
          fields: ['item_id', 'name'],
        },
      ],
      (_, [team]) => [
        'get_backlinks',
        { item_id: (team!.value as { item_id: string }[])[0]!.item_id, fields: ['name', 'field'] },
      ],
    ],
    answer: (told) => names(told.at(-1)!),
    right: () => ['Ann', 'Cleo'],
  },
  {
    asks: 'List the open bugs with who does them.',
    calls: [
      () => [
        'get_items',
        {
          filter: { and: [{ 'Task.status': 'open' }, { 'Task.labels': { match: 'bug' } }] },
          fields: ['name', 'Task.assignee->name'],
        },
      ],
    ],
    answer: ([told]) => names(told!),
    right: () =>
      NUMBERS.filter(openBugs)
        .map((n) => `Task ${n}`)
        .toSorted(),
  },
  {
    asks: 'How many tasks have nobody to do them?',
    calls: [
      () => [
        'get_items',
        {
          filter: { and: [{ has_tag: 'Task' }, { 'Task.assignee': { is_null: true } }] },
          limit: 0,
          count: true,
        },
      ],
    ],
    answer: ([told]) => told!.beside?.total,
    right: () => count((n) => n % 5 === 4),
  },
  {
    asks: 'How much is due in each month?',
    calls: [
      () => [
        'aggregate_items',
        {
          filter: { has_tag: 'Task' },
          group_by: [{ by: 'Task.due', bucket: 'month' }],
          sort: [{ by: 'key' }],
        },
      ],
    ],
    answer: ([told]) => keyed(told!),
    right: () => Object.fromEntries([1, 2, 3, 4].map((m) => [`2026-0${m}`, 10])),
  },
  {
    asks: 'Which projects have more than ten tasks?',
    calls: [() => ['get_items', { filter: { '<-Task.project': { count: { gt: 10 } } }, fields: ['name'] }]],
    answer: ([told]) => names(told!),
    right: () =>
      ['Shop', 'Site'].filter(
        (name) => count((n) => (n % 3 === 2 ? 0 : n % 2) === Number(name === 'Shop')) > 10,
      ),
  },
  {
    asks: 'Why is Task 0 not among the done tasks of January?',
    calls: [
      ({ ids }) => [
        'explain_query',
        {
          filter: { and: [{ 'Task.status': 'done' }, { 'Task.due': { lt: '2026-02-01' } }] },
          item_id: ids['Task 0'],
        },
      ],
    ],
    answer: ([told]) => {
      const { item } = told!.value as { item: { conditions: { matches: boolean; value: unknown }[] } }
      return item.conditions.map(({ matches, value }) => [matches, value])
    },
    right: () => [
      [false, { variant: 'open' }],
      [true, '2026-01-15'],
    ],
  },
  {
    asks: 'Why does a search for tasks of the customer "globex" find nothing?',
    calls: [
      () => ['get_items', { filter: { 'Task.project->Project.customer->name': 'globex' }, fields: ['name'] }],
      () => [
        'get_items',
        { filter: { 'Project.customer->name': { regex: '(?i)^globex$' } }, fields: ['name'] },
      ],
    ],
    answer: (told) => names(told.at(-1)!),
    right: () => ['Bridge'],
  },
  {
    asks: 'Which customers stand there twice, by their VAT id? Make one of them.',
    calls: [
      () => [
        'aggregate_items',
        {
          group_by: [{ by: 'Customer.vat_id', fold: true }],
          min_count: 2,
          ids: true,
          filter: { has_tag: 'Customer' },
        },
      ],
      (_, [told]) => {
        const [kept, ...from] = groups(told!)[0]!.ids!
        return ['merge_items', { item_id: kept, from }]
      },
    ],
    answer: (told) => {
      const { repointed, deleted_ids } = told[1]!.value as { repointed: object[]; deleted_ids: string[] }
      return [repointed.length, deleted_ids.length]
    },
    right: () => [1, 1],
  },
  {
    asks: 'Take the merge back.',
    calls: [
      () => ['list_changes', { operation: 'mergeItems', limit: 1, fields: ['change_id', 'summary'] }],
      (_, [told]) => [
        'undo_changes',
        { change_ids: (told!.value as { change_id: string }[]).map(({ change_id }) => change_id) },
      ],
    ],
    answer: (told) => (told[1]!.value as { conflicts: object[] }).conflicts,
    right: () => [],
  },
  {
    asks: 'Close all bugs that are being done.',
    calls: [
      () => [
        'bulk_update_field_values',
        {
          filter: { and: [{ 'Task.status': 'doing' }, { 'Task.labels': { match: 'bug' } }] },
          tag_id: 'Task',
          field_values: { status: { variant: 'done' }, closed_on: '2026-02-01' },
          merge: true,
        },
      ],
    ],
    answer: ([told]) => affected(told!),
    right: () => count((n) => statusOf(n) === 'doing' && n % 2 === 1),
  },
  {
    asks: 'Undo what was closed.',
    calls: [
      () => ['list_changes', { operation: 'bulkUpdateFields', limit: 1, fields: ['change_id'] }],
      (_, [told]) => [
        'undo_changes',
        { change_ids: [(told!.value as { change_id: string }[])[0]!.change_id], dry_run: false },
      ],
    ],
    answer: (told) => (told[1]!.value as { undone_events: number }).undone_events,
    right: () => count((n) => statusOf(n) === 'doing' && n % 2 === 1),
  },
  {
    asks: 'Put the label infra on these three tasks, beside what they have.',
    calls: [
      ({ ids }) => [
        'bulk_update_field_values',
        {
          filter: { id: { in: [ids['Task 1'], ids['Task 2'], ids['Task 3']] } },
          tag_id: 'Task',
          field_values: { labels: { add: ['infra'] } },
          merge: true,
        },
      ],
    ],
    answer: ([told]) => affected(told!),
    right: () => 3,
  },
  {
    asks: 'Set the estimates of Task 4 to 9 and of Task 5 to 1.',
    calls: [
      ({ ids }) => [
        'batch',
        {
          operations: [
            ['Task 4', 9],
            ['Task 5', 1],
          ].map(([name, estimate]) => ({
            operation: 'updateTagValues',
            input: { item_id: ids[name!], tag_id: 'Task', field_values: { estimate }, merge: true },
          })),
        },
      ],
    ],
    answer: ([told]) => (told!.value as { results: object[] }).results.length,
    right: () => 2,
  },
  {
    asks: 'Who changed the estimate of Task 4, and from what?',
    calls: [
      ({ ids }) => [
        'get_item_history',
        { item_id: ids['Task 4'], limit: 1, fields: ['user_name', 'changes'] },
      ],
    ],
    answer: ([told]) => (told!.value as { changes: object[] }[])[0]!.changes,
    right: () => [{ path: 'Task.estimate', old: 4, new: 9 }],
  },
  {
    asks: 'Take these people over by their e-mail: Ann is in the East now, Eve is new.',
    calls: [
      ({ ids }) => [
        'upsert_items',
        {
          match_by: 'Person.email',
          items: [
            ['Ann', 'ann'],
            ['Eve', 'eve'],
          ].map(([name, email]) => ({
            name,
            tags: [
              {
                tag_ref: { Existing: 'Person' },
                field_values: { email: `${email}@example.org`, team: ids['East'] },
              },
            ],
          })),
        },
      ],
    ],
    answer: ([told]) => (told!.value as { created: boolean }[]).map(({ created }) => created),
    right: () => [false, true],
  },
  {
    asks: 'Delete the three oldest done tasks, and bring two of them back.',
    calls: [
      ({ ids }) => [
        'bulk_delete_items',
        { filter: { id: { in: [ids['Task 2'], ids['Task 5'], ids['Task 8']] } } },
      ],
      ({ ids }) => ['bulk_restore_items', { item_ids: [ids['Task 2'], ids['Task 5']] }],
    ],
    answer: (told) => told.map(affected),
    right: () => [3, 2],
  },
]

import { Random } from '#bench/random.ts'
import {
  CITIES,
  OWNERS,
  someDate,
  someDescription,
  someName,
  someNameStart,
  someTask,
  STAGES,
  STATUSES,
  WORDS,
} from '#bench/vocabulary.ts'

/** Ids of generated items to make requests of. */
export interface Sample {
  task_tag: string
  tasks: string[]
  projects: string[]
  /** Those to which most items refer. */
  popular: string[]
}

export interface WorkRequest {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: unknown
}

export interface Work {
  title: string
  /** Items that one request writes, where it is more than one. */
  items?: number
  /** Different requests that are made; they come round again after that. */
  different?: number
  request(random: Random, sample: Sample): WorkRequest
}

/** Whole numbers that no other request of the run has set, so that no merge is a no-op. */
let unique = 1_000_000

const newTask = (random: Random, { projects }: Sample) => {
  const { done: _, ...field_values } = someTask(random, random.pick(projects))
  return {
    name: someName(random, random.below(1e6)),
    description: someDescription(random),
    tags: [{ tag_ref: { Existing: 'Task' }, field_values }],
  }
}

const search = (make: (random: Random, sample: Sample) => object): Work['request'] => {
  return (random, sample) => ({
    method: 'POST',
    path: '/api/items/search',
    body: { limit: 50, ...make(random, sample) },
  })
}
const filtered = (make: (random: Random, sample: Sample) => object) =>
  search((random, sample) => ({ filter: make(random, sample) }))
const aggregate = (make: (random: Random) => object): Work['request'] => {
  return (random) => ({ method: 'POST', path: '/api/items/aggregate', body: make(random) })
}

const twoFields = (random: Random) => ({
  and: [{ 'Task.owner': random.pick(OWNERS) }, { 'Task.due': { gte: someDate(random) } }],
})
const selectAndDate = (random: Random) => ({
  and: [{ 'Task.status': random.pick(STATUSES) }, { 'Task.due': { gte: someDate(random) } }],
})
const nameAndNumber = (random: Random) => ({
  and: [
    { 'Task.project->name': { starts_with: someNameStart(random) } },
    { 'Task.priority': { gte: 1 + random.below(50) / 10 } },
  ],
})
const throughReference = (random: Random) => ({
  'Task.project->Project.budget': { lt: 5000 + random.below(50_000) / 10 },
})

/** As people ask: words that everything has among rare ones. */
const someQuestion = (random: Random): string => {
  const [one, other, third, fourth] = [0, 1, 2, 3].map(() => random.pick(WORDS))
  return `the ${one} of ${other} ${random.below(1_000_000)} and ${third} ${fourth}`
}

/** Each kind by an index of its own. */
const oneOfMany = (i: number, random: Random): object =>
  [
    { name: `Write the ${random.pick(WORDS)} of the ${random.pick(WORDS)} ${i}` },
    { 'Task.owner': { starts_with: `${random.pick(OWNERS)} ${i}` } },
    { search: `${random.pick(WORDS)} ${random.below(100_000)}` },
    { 'Task.project->name': `Plan the ${random.pick(WORDS)} of the ${random.pick(WORDS)} ${i}` },
    { 'Task.priority': { gt: 5 + i } },
    { created_at: { lt: `19${10 + (i % 90)}-01-01T00:00:00Z` } },
  ][i % 6]!

/** Everything that is measured, by name. */
export const WORKS = {
  read: {
    title: 'read by id',
    request: (random, { tasks }) => ({ method: 'GET', path: `/api/items/${random.pick(tasks)}` }),
  },
  mcp_read: {
    title: 'read by id through MCP',
    request: (random, { tasks }) => ({
      method: 'POST',
      path: '/api/mcp/message',
      body: {
        jsonrpc: '2.0',
        id: random.below(1e6),
        method: 'tools/call',
        params: { name: 'get_item', arguments: { item_id: random.pick(tasks) } },
      },
    }),
  },
  create: {
    title: 'create with a tag and six values',
    request: (random, sample) => ({ method: 'POST', path: '/api/items', body: newTask(random, sample) }),
  },
  merge: {
    title: 'merge one field',
    request: (random, { task_tag, tasks }) => ({
      method: 'PUT',
      path: `/api/items/${random.pick(tasks)}/tags/${task_tag}`,
      body: { field_values: { priority: unique++ }, merge: true },
    }),
  },
  substring: {
    title: 'search by substring of one word',
    request: filtered((random) => ({ search: random.pick(WORDS).slice(random.below(3)) })),
  },
  substring_different: {
    title: 'search by substring of two words',
    request: filtered((random) => ({
      search: `${random.pick(WORDS).slice(random.below(3))} ${random.pick(WORDS)}`,
    })),
  },
  short_substring: {
    title: 'search by one character',
    request: filtered((random) => ({ search: String.fromCodePoint(97 + random.below(26)) })),
  },
  any_words: {
    title: 'search for any of eight words',
    request: search((random) => ({
      limit: 20,
      filter: { search: { text: someQuestion(random), match: 'any' } },
    })),
  },
  any_common: {
    title: 'search for a common word, ranked',
    request: search((random) => ({
      limit: 20,
      filter: { search: { text: random.pick(WORDS), match: 'any' } },
    })),
  },
  two_fields: { title: 'two fields', request: filtered(twoFields) },
  select_and_date: { title: 'a Select and a date from some day on', request: filtered(selectAndDate) },
  name_and_number: {
    title: "the beginning of a reference's name, and a number",
    request: filtered(nameAndNumber),
  },
  hop: { title: 'through a reference', request: filtered(throughReference) },
  two_hops: {
    title: 'through two references',
    request: filtered((random) => ({ 'Task.project->Project.customer->Customer.city': random.pick(CITIES) })),
  },
  hop_to_select: {
    title: 'through a reference, a quarter matches',
    request: filtered((random) => ({ 'Task.project->Project.stage': random.pick(STAGES) })),
  },
  by_order: {
    title: 'a Select by order',
    request: filtered((random) => ({ 'Task.status': { gt: random.pick(STATUSES.slice(0, 4)) } })),
  },
  selective: {
    title: 'a few matches of all',
    request: filtered((random) => ({
      and: [{ 'Task.due': someDate(random) }, { 'Task.owner': random.pick(OWNERS) }],
    })),
  },
  labels: {
    title: 'a MultiSelect and not a Select',
    request: filtered((random) => ({
      and: [
        { 'Task.labels': { match: random.pick(['legal', 'web', 'ops']) } },
        { not: { 'Task.status': 'Open' } },
      ],
    })),
  },
  sorted: {
    title: 'unselective, sorted by an indexed field',
    request: search((random) => ({
      filter: { 'Task.priority': { gte: 1 + random.below(2) } },
      sort: [{ by: 'Task.due', direction: random.pick(['asc', 'desc']) }],
    })),
  },
  sorted_by_change: {
    title: 'unselective, last changed first',
    request: search((random) => ({
      filter: { 'Task.priority': { gte: 1 + random.below(2) } },
      sort: [{ by: 'updated_at', direction: 'desc' }],
    })),
  },
  empty_intersection: {
    title: 'an empty intersection of two large sets',
    request: filtered((random) => ({
      and: [{ 'Task.status': random.pick(['Open', 'Ready']) }, { 'Task.done': true }],
    })),
  },
  large_ranges: {
    title: 'an empty intersection of two large ranges',
    // Nothing is both a project and a task.
    request: filtered((random) => ({
      and: [
        { 'Project.budget': { gte: random.below(3000) } },
        { 'Task.due': { gte: `2024-0${1 + random.below(9)}-01` } },
      ],
    })),
  },
  group: { title: 'count by a Select', request: aggregate(() => ({ group_by: ['Task.status'] })) },
  group_filtered: {
    title: 'count by a Select, a tenth matches',
    request: aggregate((random) => ({
      filter: { 'Task.due': { lt: `2024-04-${10 + random.below(5)}` } },
      group_by: ['Task.status'],
    })),
  },
  group_by_month: {
    title: 'count by the month of a date',
    request: aggregate(() => ({ group_by: [{ by: 'Task.due', bucket: 'month' }] })),
  },
  sum_by_select: {
    title: 'sum of a Number by a Select',
    request: aggregate(() => ({ group_by: ['Task.status'], metrics: [{ sum: 'Task.priority' }] })),
  },
  backlinks: {
    title: 'what refers to an item, a page',
    request: (random, { popular }) => ({
      method: 'GET',
      path: `/api/items/${random.pick(popular)}/backlinks?limit=50`,
    }),
  },
  referred: {
    title: 'by what refers to an item',
    request: filtered((random) => ({ '<-Task.project': { 'Task.status': random.pick(STATUSES) } })),
  },
  referred_count: {
    title: 'by how much refers to an item',
    request: filtered((random) => ({
      '<-Task.project': { filter: { 'Task.status': random.pick(STATUSES) }, count: { gte: 3 } },
    })),
  },
  referred_counted: {
    title: 'by what refers to an item, all counted',
    request: search((random) => ({
      filter: { '<-Task.project': { 'Task.status': random.pick(STATUSES) } },
      count: true,
    })),
  },
  relevance: {
    title: 'a common word by relevance',
    request: search((random) => ({ filter: { search: random.pick(WORDS) }, sort: [{ by: 'relevance' }] })),
  },
  thousand_ids: {
    title: '1,000 ids',
    request: filtered((random, { tasks }) => {
      const from = random.below(tasks.length - 1000)
      return { id: { in: tasks.slice(from, from + 1000) } }
    }),
  },
  wide_or: {
    title: 'one of 1,000 different conditions',
    request: filtered((random) => ({
      or: Array.from({ length: 1000 }, (_, i) => oneOfMany(i, random)),
    })),
  },
  expand: {
    title: 'a page with the names of what it refers to',
    request: search((random) => ({ filter: twoFields(random), expand: true })),
  },
  bulk_create: {
    title: 'bulk create of 1,000',
    items: 1000,
    different: 8,
    request: (random, sample) => ({
      method: 'POST',
      path: '/api/items/bulk',
      body: { items: Array.from({ length: 1000 }, () => newTask(random, sample)) },
    }),
  },
} as const satisfies Record<string, Work>

export type WorkName = keyof typeof WORKS

import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#web/api/call.ts'
import { createItem, filterDefaults, getItem } from '#web/api/operations.ts'
import { rowOfItem } from '#web/data/send-edit.ts'
import type { Row } from '#web/data/row-source.ts'
import { allByNamesNow, type NamedValues } from '#web/data/tag-renames.ts'
import { type Tag, tagsQuery } from '#web/data/tags-query.ts'
import { timeZone } from '#web/data/time-zone.ts'
import type { View } from '#web/data/views-query.ts'
import { keepChange } from '#web/data/undo-change.ts'
import type { ColumnTag } from '#web/rules/column.ts'
import type { Question } from '#web/rules/table-state.ts'

/** A tag, or the value of one of its fields, that a new item gets. */
export interface Default {
  tag_id: string
  field: string | null
  value: unknown
  /** Of a value: when the tag was last changed before it was read or chosen. */
  tag_updated_at?: string | undefined
}

export const keyOfDefault = ({ tag_id, field }: Default): string => `${tag_id} ${field}`

/** What a new item begins with. */
interface Beginning {
  question: Question
  tag: ColumnTag | undefined
  template?: View | undefined
}

/** What a filter asks for, so that a new item satisfies it, else the tag alone; what a template says counts before. */
export function useDefaults({ question, tag, template }: Beginning): readonly Default[] {
  const { data: asked = [] } = useQuery(askedBy(question.filter))
  const { data: given = [] } = useQuery(askedBy(template?.filter))
  return withTemplate(given, asked, tag)
}

/** The same for who is faster than the answers that say so; what cannot be learned is left out. */
export function useLoadDefaults(): (beginning: Beginning) => Promise<readonly Default[]> {
  const queries = useQueryClient()
  const load = async (filter: Question['filter']) =>
    filter === undefined ? [] : queries.ensureQueryData(askedBy(filter)).catch(() => [])
  return async ({ question, tag, template }) => {
    const [asked, given] = await Promise.all([load(question.filter), load(template?.filter)])
    return withTemplate(given, asked, tag)
  }
}

const askedBy = (filter: Question['filter']) =>
  queryOptions({
    queryKey: ['defaults', filter],
    enabled: filter !== undefined,
    queryFn: async ({ client, signal }) => {
      const known = client.getQueryData(tagsQuery.queryKey) ?? []
      const { data } = await call(filterDefaults, { filter: filter!, time_zone: timeZone() }, { signal })
      return defaultsOf(data.tags, known)
    },
  })

function withTemplate(
  given: readonly Default[],
  asked: readonly Default[],
  tag: ColumnTag | undefined,
): readonly Default[] {
  const first = asked.length || !tag ? asked : [{ tag_id: tag.tag_id, field: null, value: null }]
  const tags = new Set(given.map(({ tag_id }) => tag_id))
  return [...tags].reduce<readonly Default[]>((all, tag_id) => {
    const own = given.filter((each) => each.tag_id === tag_id && each.field !== null)
    const values = Object.fromEntries(own.map(({ field, value }) => [field!, value]))
    return withValues(all, { tag_id, values, tag_updated_at: own[0]?.tag_updated_at })
  }, first)
}

type Values = Record<string, unknown>
type GivenTags = readonly { tag_ref: { Existing: string }; field_values: Record<string, unknown> }[]

const defaultsOf = (tags: GivenTags, known: readonly Tag[]): Default[] =>
  tags.flatMap(({ tag_ref: { Existing: tag_id }, field_values }) => {
    const tag_updated_at = known.find((tag) => tag.tag_id === tag_id)?.updated_at
    return [
      { tag_id, field: null, value: null },
      ...Object.entries(field_values).map(([field, value]) => ({ tag_id, field, value, tag_updated_at })),
    ]
  })

/** The same with the values of some fields of a tag, whatever the filter says of them; a value of null is left out. */
export function withValues(
  defaults: readonly Default[],
  { tag_id, values, tag_updated_at }: NamedValues & { tag_id: string },
): Default[] {
  const others = defaults.filter(
    (each) => each.tag_id !== tag_id || each.field === null || !Object.hasOwn(values, each.field),
  )
  const own = Object.entries(values).filter(([, value]) => value !== null)
  const hasTag = others.some((each) => each.tag_id === tag_id)
  return [
    ...others,
    ...(hasTag ? [] : [{ tag_id, field: null, value: null }]),
    ...own.map(([field, value]) => ({ tag_id, field, value, tag_updated_at })),
  ]
}

/** Makes it as one change that can be taken back. */
export async function makeItem(
  name: string,
  defaults: readonly Default[],
  description?: string,
): Promise<Row> {
  const given = defaults.flatMap(({ tag_id, field, value, tag_updated_at }) =>
    field === null ? [] : [{ tag_id, values: { [field]: value }, tag_updated_at }],
  )
  const values = await allByNamesNow(given)
  const tags = defaults
    .filter(({ field }) => field === null)
    .map(({ tag_id }) => ({
      tag_ref: { Existing: tag_id },
      field_values: Object.assign({}, ...values.filter((_, i) => given[i]!.tag_id === tag_id)) as Values,
    }))
  const { data, change_id } = await call(createItem, { name, tags, ...(description && { description }) })
  keepChange(`Made ${name}`, change_id)
  return rowOfItem((await call(getItem, { item_id: data.item_id })).data)
}

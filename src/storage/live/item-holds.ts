import type { IndexEntry } from '#src/domain/index-values.ts'
import { unreachable } from '#src/domain/errors.ts'
import type { ThrowIfEnded } from '#src/domain/pattern.ts'
import { isTextTest } from '#src/domain/text-test.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { foldForSearch } from '#src/domain/search-text.ts'
import type { FilterPlan, ValueTest } from '#src/filter/meaning/plan.ts'
import { BEFORE_WORDS } from '#src/filter/sql/search-probe.ts'
import type { SingleTest } from '#src/filter/sql/value-condition.ts'
import { type Holds, valueHolds } from '#src/storage/columns/value-holds.ts'
import type { LookedAt } from '#src/storage/live/looked-at.ts'
import { hasAny } from '#src/storage/words/settle-any.ts'

/** What else there is than the item that is looked at. */
export interface Around {
  /** Undefined where it does not live. */
  living(id: number): LookedAt | undefined
  /** The living items that refer to one by a field. */
  referring(id: number, field: number): readonly LookedAt[]
  /** Whether an item has an event of its own from one id up to before another. */
  changed(looked: LookedAt, from: Ulid, before: Ulid): boolean
  /** Looks for a pattern in a text, for as long as there is time; its end is thrown. */
  inText(look: (throwIfEnded: ThrowIfEnded) => boolean): boolean
  /** Row ids of the fields whose values are texts. */
  readonly text_fields: readonly number[]
}

type Leaf<Kind extends FilterPlan['kind']> = Extract<FilterPlan, { kind: Kind }>

/** Whether a living item satisfies a plan: what `filter-to-sql` says in SQL, of one item in memory. */
export function itemHolds(plan: FilterPlan, looked: LookedAt, around: Around): boolean {
  switch (plan.kind) {
    case 'always':
      return true
    case 'never':
      return false
    case 'and':
      return plan.children.every((each) => itemHolds(each, looked, around))
    case 'or':
      return plan.children.some((each) => itemHolds(each, looked, around))
    case 'not':
      return !itemHolds(plan.child, looked, around)
    case 'id':
    case 'items':
      return plan.items.includes(looked.item.id)
    case 'has_tag':
      return plan.tags.some((tag) => looked.tags.has(tag))
    case 'tagged':
      return looked.tags.size > 0
    case 'text':
      return columnHolds(plan, looked, around)
    case 'search':
      return searchHolds(plan, looked)
    case 'values':
      return looked.textsOf(plan.fields).some((text) => foldForSearch(text).includes(plan.text))
    case 'any':
      return hasAny(looked.wordsOf(plan.fields ?? around.text_fields), plan)
    case 'field':
      return fieldHolds(looked.entries.get(plan.field.id) ?? [], plan.test, around)
    case 'changed':
      return around.changed(looked, plan.from, plan.before)
    case 'hop':
      return looked.referencesBy(plan.field.id).some((id) => {
        const target = around.living(id)
        return target !== undefined && itemHolds(plan.target, target, around)
      })
    case 'referred':
      return isReferred(plan, looked, around)
    default:
      return unreachable(plan)
  }
}

function isReferred(
  { field, filter, min, max = Infinity }: Leaf<'referred'>,
  looked: LookedAt,
  around: Around,
) {
  const referring = around.referring(looked.item.id, field.id)
  const count = referring.filter((each) => itemHolds(filter, each, around)).length
  return count >= min && count <= max
}

function columnHolds({ column, test }: Leaf<'text'>, { item }: LookedAt, around: Around): boolean {
  const value = item[column]
  if (test.test === 'present') return value !== null
  if (test.test === 'absent') return value === null
  return value !== null && holdsIn(value, test as SingleTest, around)
}

function searchHolds({ text, part, except }: Leaf<'search'>, looked: LookedAt): boolean {
  const { id } = looked.item
  if (except && id > except.after && id <= except.upTo) return false
  const { name, description } = looked.texts
  switch (part) {
    case undefined:
      return name.includes(text) || (description?.includes(text) ?? false)
    case 'name':
      return name.includes(text)
    case 'description':
      return description?.includes(text) ?? false
    case 'whole_name':
      return name === text
    case 'name_start':
      return name.startsWith(text)
    case 'word_start':
      return BEFORE_WORDS.some((before) => name.includes(before + text))
  }
}

/** A test is made once for each plan; plans are kept. */
const made = new WeakMap<SingleTest, Holds>()

function holdsOf(test: SingleTest): Holds {
  const known = made.get(test)
  if (known) return known
  const holds = valueHolds(test)
  made.set(test, holds)
  return holds
}

function holdsIn(value: string | number, test: SingleTest, around: Around): boolean {
  const holds = holdsOf(test)
  return isTextTest(test) ? around.inText((throwIfEnded) => holds(value, throwIfEnded)) : holds(value)
}

/** Undefined of what does not fit, and of an empty list. */
const valueOf = (entry: IndexEntry): string | number | undefined => {
  if (entry.as === 'text') return entry.text
  if (entry.as === 'number') return entry.number
  return entry.as === 'reference' ? entry.item : undefined
}

function fieldHolds(entries: readonly IndexEntry[], test: ValueTest, around: Around): boolean {
  switch (test.test) {
    case 'present':
      return entries.length > 0
    case 'absent':
      return entries.length === 0
    case 'dangling':
      return dangles(entries, test, around)
    case 'misfit':
      return entries.some((entry) =>
        test.variants
          ? entry.as !== 'empty' && !test.variants.includes(String(valueOf(entry)))
          : entry.as === 'type_mismatch',
      )
    case 'same_set': {
      const same = test.values.length
        ? entries.length === test.values.length &&
          entries.every((entry) => test.values.includes(valueOf(entry) ?? NaN))
        : entries.some(({ as }) => as === 'empty')
      return test.negated ? entries.length > 0 && !same : same
    }
    case 'none_of':
      return test.or_absent
        ? !entries.some((entry) => test.values.includes(valueOf(entry) ?? NaN))
        : entries.some((entry) => !test.values.includes(valueOf(entry) ?? NaN))
    default: {
      return entries.some((entry) => {
        const value = valueOf(entry)
        return value !== undefined && holdsIn(value, test, around)
      })
    }
  }
}

function dangles(
  entries: readonly IndexEntry[],
  { dangling, among }: Extract<ValueTest, { test: 'dangling' }>,
  around: Around,
): boolean {
  const leads = (entry: IndexEntry) => {
    const target = entry.as === 'reference' && around.living(entry.item)
    return target ? !among || itemHolds(among, target, around) : false
  }
  if (dangling) return entries.some((entry) => entry.as === 'reference' && !leads(entry))
  return entries.length > 0 && entries.every((entry) => entry.as === 'empty' || leads(entry))
}

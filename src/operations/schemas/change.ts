import { Type } from 'typebox'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { parseIsoTime, type IsoTime } from '#src/domain/iso-time.ts'
import { canonicalId, idsAmong } from '#src/domain/ulid.ts'
import { GivenTime, Ids } from '#src/operations/schemas/inputs.ts'
import type { UnknownWords } from '#src/operations/audit/unknown-words.ts'
import { tagIdsOf } from '#src/operations/tags/tag-ids-of.ts'
import type { Db } from '#src/sql/query.ts'
import type { ChangeQuery } from '#src/storage/changes/find-changes.ts'

const Text = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }))

/** Which changes: everything given must hold. */
export const changeFilter = {
  before_time: Type.Optional(GivenTime('Only before this time')),
  user_id: Text('Only by this account'),
  source: Text('Only through this interface: rest, mcp or chat'),
  client_id: Text('Only through this key or app'),
  item_ids: Type.Optional(Ids('Only what involves one of these items')),
}
export const AfterTime = GivenTime('Only after this time')
export const TagIds = Type.Optional(Ids('Only what involves one of these tags (ids or names)'))

interface Given {
  after_time?: string
  before_time?: string
  user_id?: string
  source?: string
  client_id?: string
  item_ids?: string[]
  tag_ids?: string[]
  operation?: string
}

/** `unknown` hears of what can never match. @throws BadRequest for a time that is none */
export async function changeQuery(
  db: Db,
  { item_ids, tag_ids, after_time, before_time, ...rest }: Given,
  { path = '', unknown }: { path?: string; unknown?: UnknownWords } = {},
): Promise<ChangeQuery> {
  const problems: Problem[] = []
  const moment = (name: string, text: string | undefined): IsoTime | undefined => {
    const found = text === undefined ? undefined : parseIsoTime(text)
    if (found === null)
      problems.push({ path: path + name, message: 'expected an ISO 8601 date or date-time' })
    return found ?? undefined
  }
  const times = {
    after_time: moment('after_time', after_time),
    before_time: moment('before_time', before_time),
  }
  if (problems.length) throw invalid(problems)
  const { user_id, source, client_id } = rest
  unknown?.checkSource(source)
  unknown?.checkId('user_id', user_id, 'account')
  unknown?.checkIds('item_ids', item_ids ?? [], 'item')
  const onUnknown = (i: number) => unknown?.add(`tag_ids[${i}]`, tag_ids![i]!, 'tag')
  return {
    ...rest,
    ...times,
    user_id: user_id && canonicalId(user_id),
    client_id: client_id && canonicalId(client_id),
    item_ids: item_ids && idsAmong(item_ids),
    tag_ids: tag_ids && (await tagIdsOf(db, tag_ids, onUnknown)),
  }
}

import { filesInJson } from '#src/domain/mentioned-files.ts'
import { filesProposed, type ProposedPart } from '#src/domain/proposals/proposed-part.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { holdFiles, type Release, releaseFiles } from '#src/storage/files/file-uses.ts'
import { partsAfter } from '#src/storage/proposals/proposal-parts.ts'

const readable = query((p: { file_ids: string; user_id: Ulid }, sql, { texts }) =>
  sql
    .selectFrom('file')
    .select('file_id')
    .where('file_id', 'in', texts(p.file_ids))
    .where((e) => e.or([e('shared', '=', 1), e('user_id', '=', p.user_id)])),
)

const holderOf = (proposal_id: Ulid): string => `proposal:${proposal_id}`

/**
 * Files that an open proposal refers to stay, and who looks at it sees those that it would bring somewhere: of those that
 * its author may see, for a description may mention any. `parts`: what is kept of each, as JSON text.
 */
export async function holdProposedFiles(
  db: Db,
  proposal_id: Ulid,
  user_id: Ulid,
  parts: readonly string[],
): Promise<void> {
  const mentioned = new Set<Ulid>()
  const proposed = new Set<Ulid>()
  for (const kept of parts) {
    const named = filesInJson(kept)
    if (!named.size) continue
    for (const file_id of named) mentioned.add(file_id)
    for (const file_id of filesProposed(JSON.parse(kept) as ProposedPart)) proposed.add(file_id)
  }
  if (!mentioned.size) return
  const rows = await db.all(readable, { file_ids: JSON.stringify([...mentioned]), user_id })
  for (const shared of [true, false]) {
    const file_ids = rows.flatMap(({ file_id }) => (proposed.has(file_id) === shared ? file_id : []))
    if (file_ids.length) await holdFiles(db, file_ids, holderOf(proposal_id), { shared })
  }
}

const open = query((_: object, sql) =>
  sql.selectFrom('proposal').select(['id', 'proposal_id', 'user_id']).where('state', '=', 'open'),
)
/** Parts that are read at once: each may have a long text. */
const PAGE = 100

/** What open proposals keep does not come along with an export: their parts say it. */
export async function holdFilesOfAll(db: Db): Promise<void> {
  for (const { id, proposal_id, user_id } of await db.all(open, {}))
    for await (const parts of keptOf(db, id)) await holdProposedFiles(db, proposal_id, user_id, parts)
}

/** What all parts of a proposal keep, page by page. */
async function* keptOf(db: Db, id: number): AsyncGenerator<string[]> {
  for (let after: number | undefined = -1; after !== undefined;) {
    const parts = await partsAfter(db, id, { after, limit: PAGE, all: true })
    yield parts.map(({ kept }) => kept)
    after = parts.at(-1)?.position
  }
}

export const releaseProposedFiles = (
  db: Db,
  proposal_id: Ulid,
  now: Date,
  release?: Release,
): Promise<void> => releaseFiles(db, holderOf(proposal_id), now, release)

/** Parts of a proposal were emptied: what only they mentioned is removed. */
export async function removeUnproposedFiles(
  db: Db,
  { id, proposal_id }: { id: number; proposal_id: Ulid },
  now: Date,
): Promise<void> {
  const kept = new Set<Ulid>()
  for await (const parts of keptOf(db, id))
    for (const file_id of filesInJson(parts.join('\n'))) kept.add(file_id)
  await releaseProposedFiles(db, proposal_id, now, { kept, removed: true })
}

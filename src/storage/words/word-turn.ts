import { type Db, query } from '#src/sql/query.ts'
import { partData, writeData } from '#src/storage/words/parts.ts'
import type { WordPlace } from '#src/storage/words/plan-words.ts'

/** Of several who enter at once one does: the others' documents would have the same numbers. */
export interface Turn {
  /** Whose it is. */
  id: string
  /** In milliseconds. */
  now: number
  /** Takes the turn, where nobody has it; without it, the turn has to be one's own already. */
  begins: boolean
}

/** Milliseconds after which the turn of one who did not come to an end is another's. */
export const TURN_MS = 60_000

/** A turn that has begun. */
interface HeldTurn extends WordPlace {
  id: string
  since: number
}

/** Where it is noted: of no part. */
const NOTED = { part: -1, kind: 2 }

export async function findTurn(db: Db): Promise<HeldTurn | undefined> {
  const data = await partData(db, NOTED.part, NOTED.kind)
  return data && (JSON.parse(Buffer.from(data).toString()) as HeldTurn)
}

export async function noteTurn(db: Db, { id, since, part, first, count }: HeldTurn): Promise<void> {
  const data = Buffer.from(JSON.stringify({ id, since, part, first, count }))
  await db.enqueue(writeData, { ...NOTED, data })
}

const endOfTurn = query((_: object, db) =>
  db.deleteFrom('word_part_data').where('part', '=', NOTED.part).where('kind', '=', NOTED.kind),
)

/** Whoever has the turn has come to an end. */
export const endTurn = (db: Db): Promise<unknown> => db.enqueue(endOfTurn, {})

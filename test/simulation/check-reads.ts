// What readers promise, held against a history. It knows nothing of the service or of who simulates it.

/** What a read became of: its answer, its deadline, its client gone, its thread dead. */
export type ReadOutcome = 'done' | 'late' | 'left' | 'lost'

export interface AskedRead {
  id: string
  account: string
  /** Milliseconds that it computes. */
  work: number
  at: number
  /** When its client left. */
  left: number | undefined
}

export interface AnsweredRead {
  id: string
  outcome: ReadOutcome
  /** Of a read that is done: what it read. */
  body: string | undefined
  at: number
}

export interface ReadHistory {
  asked: readonly AskedRead[]
  answered: readonly AnsweredRead[]
  /** Milliseconds that a read may take. */
  deadline: number
  /** Threads die, or are for long in one step, which cannot be ended. */
  isDisturbed: boolean
  /** Of accounts whose reads are mostly quick, each that computes so little is answered within so many milliseconds. */
  prompt: readonly { accounts: ReadonlySet<string>; work: number; within: number }[]
}

/** Between the moment at which a read is to end and its end: a look, and what the thread is in the middle of. */
const GRACE_MS = 50

/** @throws where a promise is broken */
export function checkReads(history: ReadHistory): void {
  const answers = new Map<string, AnsweredRead>()
  for (const answer of history.answered) {
    if (answers.has(answer.id)) throw new Error(`read ${answer.id} was answered twice`)
    answers.set(answer.id, answer)
  }
  for (const read of history.asked) {
    const answer = answers.get(read.id)
    if (!answer) throw new Error(`read ${read.id} was never answered`)
    checkOutcome(read, answer, history)
  }
}

function checkOutcome(
  read: AskedRead,
  answer: AnsweredRead,
  { deadline, isDisturbed, prompt }: ReadHistory,
): void {
  const took = answer.at - read.at
  const { id, outcome } = answer
  if (outcome === 'done' && answer.body !== id)
    throw new Error(`read ${id} was given what ${answer.body} asked for`)
  if (outcome === 'done' && took < read.work)
    throw new Error(`read ${id} was answered before it was carried out`)
  if (outcome === 'left' && !(read.left !== undefined && read.left <= answer.at))
    throw new Error(`read ${id} was ended, and nobody had left`)
  if (outcome === 'late' && took <= deadline) throw new Error(`read ${id} was ended before its deadline`)
  if (outcome === 'lost' && !isDisturbed) throw new Error(`read ${id} was lost by a thread that lives`)
  if (took > deadline + GRACE_MS) throw new Error(`read ${id} took ${took} ms, beyond its deadline`)
  if (isDisturbed || read.left !== undefined) return
  for (const { accounts, work, within } of prompt)
    if (accounts.has(read.account) && read.work <= work && took > within)
      throw new Error(`the quick read ${id} waited ${Math.round(took)} ms for others (${read.at})`)
}

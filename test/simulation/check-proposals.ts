// What proposals promise, held against a history. It knows nothing of the service or of who simulates it.

/** A proposal of new names for items: all of them at once, from the names that they had. */
export interface ProposedNames {
  proposal: string
  names: readonly { item: string; from: string; to: string }[]
}

/** What somebody was answered, in the order of answers. */
export type ProposalNote =
  | { kind: 'proposed'; proposed: ProposedNames }
  | { kind: 'accepted' | 'refused' | 'withdrawn'; proposal: string }
  | { kind: 'written'; item: string; to: string }

/** A name that was given, as the log has it in the end, in its order. */
export interface LoggedName {
  change: string
  item: string
  /** Null: the item was made. */
  from: string | null
  to: string
}

export interface ProposalHistory {
  notes: readonly ProposalNote[]
  log: readonly LoggedName[]
  /** As they are in the end. */
  states: ReadonlyMap<string, string>
  names: ReadonlyMap<string, string>
}

/** Every name is given by one request alone. @throws where a promise is broken */
export function checkProposals(history: ProposalHistory): void {
  const given = checkLog(history)
  for (const note of history.notes)
    if (note.kind === 'written' && !given.has(note.to))
      throw new Error(`the name ${note.to} was acknowledged and is not in the log`)
  for (const note of history.notes) if (note.kind === 'proposed') checkProposal(history, note.proposed, given)
}

/** The log by itself: each name once, each from what was there, the last one is there. */
function checkLog({ log, names }: ProposalHistory): Map<string, LoggedName> {
  const now = new Map<string, string>()
  const given = new Map<string, LoggedName>()
  for (const each of log) {
    if (given.has(each.to)) throw new Error(`the name ${each.to} was given twice`)
    if (each.from !== (now.get(each.item) ?? null))
      throw new Error(`${each.to} took the place of ${each.from}, and it was ${now.get(each.item)}`)
    given.set(each.to, each)
    now.set(each.item, each.to)
  }
  for (const [item, name] of names)
    if (now.get(item) !== name) throw new Error(`the item is ${name}, and the log says ${now.get(item)}`)
  return given
}

function checkProposal(
  { notes, states }: ProposalHistory,
  { proposal, names }: ProposedNames,
  given: ReadonlyMap<string, LoggedName>,
): void {
  const made = names.flatMap(({ to }) => given.get(to) ?? [])
  if (made.length > 0 && made.length < names.length) throw new Error(`of ${proposal} a part was carried out`)
  if (new Set(made.map(({ change }) => change)).size > 1)
    throw new Error(`${proposal} was carried out in two changes`)
  for (const { from, to } of names)
    if (given.has(to) && given.get(to)!.from !== from)
      throw new Error(`${proposal} was to change ${from}, and changed ${given.get(to)!.from}`)
  const said = notes.flatMap((note) => ('proposal' in note && note.proposal === proposal ? note.kind : []))
  if (said.length > 1) throw new Error(`${proposal} was decided twice: ${said.join(', ')}`)
  const state = states.get(proposal)!
  if (said.length && state !== said[0]) throw new Error(`${proposal} was ${said[0]!}, and is ${state}`)
  if (made.length > 0 !== (state === 'accepted'))
    throw new Error(`${proposal} is ${state}, and ${made.length ? 'was' : 'was not'} carried out`)
}

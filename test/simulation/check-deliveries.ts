// What webhooks promise, held against a history. It knows nothing of the service or of who simulates it.

/** What happened, in the order in which it did. `delivery` and `event` are ids; `process` is a number; `at`, milliseconds. */
export type DeliveryNote =
  | { kind: 'acknowledged'; change: string }
  | { kind: 'sent'; process: number; webhook: string; delivery: string; event: string; at: number }
  | { kind: 'arrived'; webhook: string; delivery: string; event: string; ok: boolean }
  | { kind: 'heard'; process: number; delivery: string; ok: boolean }
  | { kind: 'killed'; process: number }

/** An event as the log has it in the end; `lane` is what keeps an order. */
export interface LoggedEvent {
  event: string
  change: string
  lane: string
  type: string
}

export interface DeliveryHistory {
  notes: readonly DeliveryNote[]
  log: readonly LoggedEvent[]
  /** The types of events that each webhook is to be sent; null: all. */
  webhooks: ReadonlyMap<string, string | null>
  /** Nothing went wrong but at the receivers: then nothing is sent again that was taken. */
  isSound: boolean
}

/** @throws where a promise is broken */
export function checkDeliveries(history: DeliveryHistory): void {
  checkAcknowledged(history)
  for (const [webhook, type] of history.webhooks) {
    const wanted = history.log.filter((each) => type === null || each.type === type)
    const notes = history.notes.filter((note) => !('webhook' in note) || note.webhook === webhook)
    checkOnlyWanted(webhook, wanted, notes)
    checkAllTaken(webhook, wanted, notes)
    checkLanes(webhook, wanted, notes)
  }
  checkOneAtATime(history.notes)
  if (!history.isSound) return
  checkOnce(history.notes)
  checkPauses(history.notes)
}

function checkAcknowledged({ notes, log }: DeliveryHistory): void {
  const made = new Set(log.map(({ change }) => change))
  for (const note of notes)
    if (note.kind === 'acknowledged' && !made.has(note.change))
      throw new Error(`change ${note.change} was acknowledged and is not in the log`)
}

function checkOnlyWanted(
  webhook: string,
  wanted: readonly LoggedEvent[],
  notes: readonly DeliveryNote[],
): void {
  const events = new Set(wanted.map(({ event }) => event))
  for (const note of notes)
    if (note.kind === 'sent' && !events.has(note.event))
      throw new Error(`${webhook} was sent the event ${note.event}, which it is not to be sent`)
}

function checkAllTaken(
  webhook: string,
  wanted: readonly LoggedEvent[],
  notes: readonly DeliveryNote[],
): void {
  const taken = new Set(notes.flatMap((note) => (note.kind === 'arrived' && note.ok ? note.event : [])))
  for (const { event } of wanted)
    if (!taken.has(event)) throw new Error(`${webhook} was never sent the event ${event}`)
}

/** Of a lane the next is sent when the one before it was taken. */
function checkLanes(webhook: string, wanted: readonly LoggedEvent[], notes: readonly DeliveryNote[]): void {
  const before = new Map<string, string>()
  const last = new Map<string, string>()
  for (const { event, lane } of wanted) {
    const earlier = last.get(lane)
    if (earlier !== undefined) before.set(event, earlier)
    last.set(lane, event)
  }
  const taken = new Set<string>()
  for (const note of notes) {
    if (note.kind === 'arrived' && note.ok) taken.add(note.event)
    if (note.kind !== 'sent') continue
    const earlier = before.get(note.event)
    if (earlier !== undefined && !taken.has(earlier))
      throw new Error(`${webhook} was sent the event ${note.event} before ${earlier} of the same item`)
  }
}

/** Nobody sends what somebody else has under way. */
function checkOneAtATime(notes: readonly DeliveryNote[]): void {
  const underWay = new Map<string, number>()
  for (const note of notes) {
    if (note.kind === 'sent') {
      if (underWay.has(note.delivery)) throw new Error(`delivery ${note.delivery} was sent twice at once`)
      underWay.set(note.delivery, note.process)
    }
    if (note.kind === 'heard') underWay.delete(note.delivery)
    if (note.kind === 'killed')
      for (const [delivery, process] of underWay) if (process === note.process) underWay.delete(delivery)
  }
}

function checkOnce(notes: readonly DeliveryNote[]): void {
  const taken = new Set<string>()
  for (const note of notes) {
    if (note.kind === 'heard' && note.ok) taken.add(note.delivery)
    if (note.kind === 'sent' && taken.has(note.delivery))
      throw new Error(`delivery ${note.delivery} was sent again after it was taken`)
  }
}

/** The least pause before what was not taken is sent again (additions §9). */
const PAUSE_MS = 5000

function checkPauses(notes: readonly DeliveryNote[]): void {
  const sent = new Map<string, number>()
  for (const note of notes) {
    if (note.kind !== 'sent') continue
    const before = sent.get(note.delivery)
    if (before !== undefined && note.at - before < PAUSE_MS)
      throw new Error(`delivery ${note.delivery} was sent again after ${Math.round(note.at - before)} ms`)
    sent.set(note.delivery, note.at)
  }
}

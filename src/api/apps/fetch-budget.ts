import { addressGroup, networksOf } from '#src/auth/client-address.ts'

/** Metadata documents that are fetched in a minute for one address (IPv6: one /64); for networks a multiple. */
const MAX_FROM_ADDRESS = 120
/** And for all clients together: whoever can ask from many networks makes the service ask nobody for more. */
const MAX_IN_ALL = 10 * MAX_FROM_ADDRESS

/** Counts what strangers have the service fetch, by address and network. */
export class FetchBudget {
  private readonly clock: () => number
  private minute = 0
  private all = 0
  /** By `addressGroup`. */
  private counts = new Map<string, number>()

  constructor(clock: () => number) {
    this.clock = clock
  }

  /** Whether one more may be fetched for the address; it is counted then. */
  take(address: string): boolean {
    const minute = Math.floor(this.clock() / 60_000)
    if (minute !== this.minute) {
      this.minute = minute
      this.all = 0
      this.counts = new Map()
    }
    const group = addressGroup(address)
    if (this.all >= MAX_IN_ALL || this.isUsedUp(group)) return false
    this.all++
    this.counts.set(group, (this.counts.get(group) ?? 0) + 1)
    return true
  }

  private isUsedUp(group: string): boolean {
    return networksOf(group).some(({ from, to, includes, share }) => {
      let count = 0
      for (const [each, fetched] of this.counts)
        if (each >= from && each < to && includes(each)) count += fetched
      return count >= MAX_FROM_ADDRESS * share
    })
  }
}

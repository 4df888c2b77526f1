/** What accounts are sending right now: it counts before it is kept. */
export class UploadRoom {
  private readonly sizes = new Map<string, number>()

  /** `check` is called with what the account is sending in all, whenever it is more, and may throw. */
  open(user: string, check: (bytes: number) => void): OpenUpload {
    let held = 0
    const add = (by: number) => {
      held += by
      const all = (this.sizes.get(user) ?? 0) + by
      if (all) this.sizes.set(user, all)
      else this.sizes.delete(user)
      if (by > 0) check(all)
    }
    return {
      count: (size) => {
        if (size > held) add(size - held)
      },
      close: () => add(-held),
    }
  }
}

export interface OpenUpload {
  /** Bytes that it has in all, or is known to have. */
  count(size: number): void
  /** Once. */
  close(): void
}

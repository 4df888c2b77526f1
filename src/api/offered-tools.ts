import { toldOnce } from '#src/api/tool-listing.ts'
import type { Tool } from '#src/api/tools.ts'
import type { Caller } from '#src/domain/caller.ts'
import { mayCall } from '#src/runtime/may-call.ts'

/** What a list of tools is made into for those who may use the same ones. */
export class OfferedTools<T> {
  private readonly tools: readonly Tool[]
  private readonly make: (tools: readonly Tool[]) => T
  private readonly made = new Map<string, T>()

  constructor(tools: readonly Tool[], make: (tools: readonly Tool[]) => T) {
    this.tools = tools
    this.make = make
  }

  /** What tools one may use depends on the role, the scope and whether there is a limit alone. */
  for(caller: Caller): T {
    const kind = `${caller.role} ${caller.scope} ${caller.limited ?? false}`
    let made = this.made.get(kind)
    if (made === undefined)
      this.made.set(
        kind,
        (made = this.make(toldOnce(this.tools.filter(({ operation }) => mayCall(operation, caller))))),
      )
    return made
  }
}

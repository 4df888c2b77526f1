import { badRequest, type Problem, ServiceError, toldFaults } from '#src/domain/errors.ts'

/** Parts of an input that are read one after the other: where several are at fault, one error has the faults of all. */
export class Together {
  private readonly refusals: ServiceError[] = []

  /**
   * What the part comes to; undefined where it is at fault.
   * @throws whatever else it ends with, unless a part before it was at fault
   */
  async read<T>(part: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await part()
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'BadRequest' && problemsOf(error))) {
        this.done()
        throw error
      }
      this.refusals.push(error)
      return undefined
    }
  }

  get isFaulty(): boolean {
    return this.refusals.length > 0
  }

  /** @throws BadRequest where a part was at fault */
  done(): void {
    const [first, ...others] = this.refusals
    if (!first) return
    if (!others.length) throw first
    const problems = this.refusals.flatMap((each) => problemsOf(each)!)
    const { errors, more } = toldFaults(problems)
    const { path, message } = problems[0]!
    // What is wrong with a filter is said word for word, without the place.
    const named = first.message.startsWith(message) ? message : `${path}: ${message}`
    throw badRequest(named + more, { suggestion: first.suggestion, details: { errors } })
  }
}

const problemsOf = ({ details }: ServiceError): readonly Problem[] | undefined => details?.errors

/** A clock that does not move until it is moved. */
export class TestClock {
  private time: number

  constructor(start: string | number = Date.now()) {
    this.time = typeof start === 'string' ? Date.parse(start) : start
  }

  readonly now = (): number => this.time

  get date(): Date {
    return new Date(this.time)
  }

  /** By milliseconds, or to a later time. */
  move(by: { days?: number; hours?: number; minutes?: number; seconds?: number; ms?: number }): void {
    const { days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 } = by
    this.time += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + ms
  }
}

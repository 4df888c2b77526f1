import { AT_ONCE } from '#src/imports/bounds.ts'
import type { SourceRecord } from '#src/imports/source.ts'

/** Records that wait to be given on, some at a time. */
export class RecordBatch {
  private records: SourceRecord[] = []

  get isFull(): boolean {
    return this.records.length >= AT_ONCE
  }

  give(): SourceRecord[] {
    const given = this.records
    this.records = []
    return given
  }

  protected add(record: SourceRecord): void {
    this.records.push(record)
  }
}

import type { LogRecord } from './types.ts'

/** Log of the latest notification of each group. */
export class NotificationLog {
  readonly #records = new Map<string, LogRecord>()
  readonly #onChange: (record: LogRecord) => void

  /** `onChange` receives every new record, for example to write it to disk. */
  constructor(records: Iterable<LogRecord> = [], onChange: (record: LogRecord) => void = () => {}) {
    for (const record of records) this.#records.set(record.groupId, record)
    this.#onChange = onChange
  }

  get(groupId: string): LogRecord | undefined {
    return this.#records.get(groupId)
  }

  set(record: LogRecord): void {
    this.#records.set(record.groupId, record)
    this.#onChange(record)
  }

  /**
   * Removes expired records of groups that no longer exist, and records without firing alerts, which have the same
   * effect as no record.
   */
  sweep(nowMs: number, hasGroup: (groupId: string) => boolean): void {
    for (const [id, { expiresAtMs, firing }] of this.#records) {
      if (firing.length === 0 || (expiresAtMs <= nowMs && !hasGroup(id))) this.#records.delete(id)
    }
  }

  records(): readonly LogRecord[] {
    return [...this.#records.values()]
  }
}

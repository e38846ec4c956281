import type { LogRecord } from './types.ts'

/** The latest notification of each group at each integration. */
export class NotificationLog {
  readonly #records = new Map<string, LogRecord>()
  readonly #onChange: (record: LogRecord) => void

  /** `onChange` receives every new record, to write it to disk. */
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

  /** Forgets expired records without a group, and those without firing alerts, which decide as no record does. */
  sweep(nowMs: number, hasGroup: (groupId: string) => boolean): void {
    for (const [id, { expiresAtMs, firing }] of this.#records) {
      if (firing.length === 0 || (expiresAtMs <= nowMs && !hasGroup(id))) this.#records.delete(id)
    }
  }

  records(): readonly LogRecord[] {
    return [...this.#records.values()]
  }
}

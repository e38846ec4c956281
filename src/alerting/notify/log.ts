import type { NotificationRecord } from './types.ts'

/** Log of the latest notification of each group. */
export class NotificationLog {
  readonly #records = new Map<string, NotificationRecord>()
  readonly #onChange: (record: NotificationRecord) => void

  /** `onChange` receives every new record, for example to write it to disk. */
  constructor(records: Iterable<NotificationRecord> = [], onChange: (record: NotificationRecord) => void = () => {}) {
    for (const record of records) this.#records.set(record.groupId, record)
    this.#onChange = onChange
  }

  get(groupId: string): NotificationRecord | undefined {
    return this.#records.get(groupId)
  }

  set(record: NotificationRecord): void {
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

  records(): readonly NotificationRecord[] {
    return [...this.#records.values()]
  }
}

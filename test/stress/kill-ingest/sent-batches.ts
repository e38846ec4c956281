import type { Tenant } from '../../../src/server/index.ts'
import { search } from '../../harness/server-process.ts'
import { jsonLines, type Protocol } from './protocols.ts'

const QUESTION = 'batch:* | stats by (batch) count() n, count_uniq(row) different'

/** A batch of rows that was sent. */
interface Sent {
  readonly rows: number
  isAcknowledged: boolean
  /** `begun` if its deletion was requested, `done` if the deletion was acknowledged. */
  deletion?: 'begun' | 'done'
}

/** True if an answer reports that every row of the body is stored. */
function isAllStored(status: number, text: string): boolean {
  return status >= 200 && status < 300 && !/"rejected":[1-9]|"errors":true|"rejectedLogRecords"/.test(text)
}

/**
 * Records the batches of numbered rows that were sent, so that a later server over the same folder can be checked for
 * them.
 */
export class SentBatches {
  readonly #sent = new Map<string, Sent>()
  readonly #wrongCounts: string[] = []

  get batches(): number {
    return this.#sent.size
  }

  get acknowledgedBatches(): number {
    return [...this.#sent.values()].filter(({ isAcknowledged }) => isAcknowledged).length
  }

  get acknowledgedRows(): number {
    return [...this.#sent.values()].reduce((sum, { rows, isAcknowledged }) => sum + (isAcknowledged ? rows : 0), 0)
  }

  /**
   * Sends a batch with a unique name. Resolves with the status of the answer; `undefined` without a complete answer.
   */
  async send(
    address: string,
    key: string,
    batch: string,
    rows: number,
    { path, type, body }: Protocol = jsonLines,
  ): Promise<number | undefined> {
    const entry: Sent = { rows, isAcknowledged: false }
    this.#sent.set(batch, entry)
    try {
      const response = await fetch(`${address}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': type },
        body: body(batch, rows),
      })
      entry.isAcknowledged = isAllStored(response.status, await response.text())
      return response.status
    } catch {
      return undefined
    }
  }

  /** Sends a row that is already expired. Checks ignore it. */
  async sendOld(address: string, key: string): Promise<void> {
    try {
      const response = await fetch(`${address}/api/ingest/logs`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/x-ndjson' },
        body: '{"_time":"2001-01-01T00:00:00Z","content":"old"}',
      })
      await response.arrayBuffer()
    } catch {
      // The server was killed before it answered.
    }
  }

  /**
   * Deletes a random acknowledged batch. Resolves with the status of the answer; `undefined` without one, or if there
   * is no such batch. `draw(below)` returns a random index less than `below`.
   */
  async delete(address: string, key: string, draw: (below: number) => number): Promise<number | undefined> {
    const whole = [...this.#sent].filter(([, sent]) => sent.isAcknowledged && sent.deletion === undefined)
    const chosen = whole[draw(Math.max(1, whole.length))]
    if (chosen === undefined) return undefined
    const [batch, entry] = chosen
    entry.deletion = 'begun'
    try {
      const response = await fetch(`${address}/api/rows/delete`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ where: `batch:="${batch}"`, start: '2000-01-01', end: '2200-01-01', write: true }),
      })
      const text = await response.text()
      if (response.status !== 200) return response.status
      const { rows } = JSON.parse(text) as { readonly rows: number }
      if (rows !== entry.rows) this.#wrongCounts.push(`${rows} rows deleted of the ${entry.rows} of batch ${batch}`)
      entry.deletion = 'done'
      return response.status
    } catch {
      // The server was killed before it answered.
      return undefined
    }
  }

  get deletedBatches(): number {
    return [...this.#sent.values()].filter(({ deletion }) => deletion === 'done').length
  }

  /**
   * Checks the rows on a server. Returns the faults, one line each. Every acknowledged batch must be present completely
   * and once. An unacknowledged one may be absent, but never partial. A deleted batch must be absent; during its
   * deletion it may be partial.
   */
  async check(address: string, key?: string): Promise<string[]> {
    return this.#faultsIn(await search(address, QUESTION, undefined, key), this.#sent)
  }

  /**
   * Checks the rows that `take` reads from a folder, as `check` does. Changes made meanwhile may or may not be among
   * them.
   */
  async checkRead(take: () => Promise<Tenant>): Promise<string[]> {
    const before = new Map(Array.from(this.#sent, ([batch, sent]) => [batch, { ...sent }]))
    const { engine } = await take()
    for (const [batch, sent] of this.#sent) {
      const known = before.get(batch)
      if (known === undefined) before.set(batch, { ...sent, isAcknowledged: false })
      else if (known.deletion !== sent.deletion) known.deletion = 'begun'
    }
    const rows = await engine.query(QUESTION).toArray()
    return this.#faultsIn(rows, before)
  }

  #faultsIn(rows: readonly Readonly<Record<string, unknown>>[], sentBatches: ReadonlyMap<string, Sent>): string[] {
    const faults = this.#wrongCounts.splice(0)
    const found = new Map<string, { readonly n: number; readonly different: number }>()
    for (const row of rows)
      found.set(String(row['batch']), { n: Number(row['n']), different: Number(row['different']) })
    for (const [batch, { rows: count, isAcknowledged, deletion }] of sentBatches) {
      const there = found.get(batch)
      if (deletion === 'done') {
        if (there !== undefined) faults.push(`back: ${there.n} rows of the deleted batch ${batch}`)
      } else if (deletion === 'begun') {
        if (there !== undefined && (there.n > count || there.different !== there.n))
          faults.push(`doubled: ${there.n} rows of batch ${batch}, which is being deleted`)
      } else if (there === undefined) {
        if (isAcknowledged) faults.push(`lost: the acknowledged batch ${batch} of ${count} rows`)
      } else if (there.n !== count || there.different !== count) {
        const what = there.n > count ? 'doubled' : 'torn'
        faults.push(`${what}: ${there.n} rows, ${there.different} different, of the ${count} of batch ${batch}`)
      }
    }
    for (const batch of found.keys()) if (!sentBatches.has(batch)) faults.push(`foreign: batch ${batch} was never sent`)
    return faults
  }
}

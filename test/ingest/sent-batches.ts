import { search } from './server-process.ts'

/** A batch that was sent, and whether its answer came. */
interface Sent {
  readonly rows: number
  isAcknowledged: boolean
}

function linesOf(batch: string, rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) =>
    JSON.stringify({ content: `row ${row} of ${batch}`, batch, row, level: 'info' }),
  )
  return lines.join('\n')
}

/** Remembers batches of numbered rows, so that a later server over the same folder can be asked what became of them. */
export class SentBatches {
  readonly #sent = new Map<string, Sent>()

  get batches(): number {
    return this.#sent.size
  }

  get acknowledgedBatches(): number {
    return [...this.#sent.values()].filter(({ isAcknowledged }) => isAcknowledged).length
  }

  get acknowledgedRows(): number {
    return [...this.#sent.values()].reduce((sum, { rows, isAcknowledged }) => sum + (isAcknowledged ? rows : 0), 0)
  }

  /** Sends a batch of a name of its own and gives the answer's status; `undefined` when no whole answer came. */
  async send(address: string, key: string, batch: string, rows: number): Promise<number | undefined> {
    const entry: Sent = { rows, isAcknowledged: false }
    this.#sent.set(batch, entry)
    try {
      const response = await fetch(`${address}/api/ingest/logs`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/x-ndjson' },
        body: linesOf(batch, rows),
      })
      const text = await response.text()
      if (response.status === 200) entry.isAcknowledged = (JSON.parse(text) as { accepted: number }).accepted === rows
      return response.status
    } catch {
      return undefined
    }
  }

  /** What is wrong, one line each: every batch is there wholly and once, or, when it was not acknowledged, perhaps not at all. */
  async check(address: string, key?: string): Promise<string[]> {
    const faults: string[] = []
    const found = new Map<string, { readonly n: number; readonly different: number }>()
    const query = 'batch:* | stats by (batch) count() n, count_uniq(row) different'
    for (const row of await search(address, query, undefined, key))
      found.set(String(row['batch']), { n: Number(row['n']), different: Number(row['different']) })
    for (const [batch, { rows, isAcknowledged }] of this.#sent) {
      const there = found.get(batch)
      if (there === undefined) {
        if (isAcknowledged) faults.push(`lost: the acknowledged batch ${batch} of ${rows} rows`)
      } else if (there.n !== rows || there.different !== rows) {
        const what = there.n > rows ? 'doubled' : 'torn'
        faults.push(`${what}: ${there.n} rows, ${there.different} different, of the ${rows} of batch ${batch}`)
      }
    }
    for (const batch of found.keys()) if (!this.#sent.has(batch)) faults.push(`foreign: batch ${batch} was never sent`)
    return faults
  }
}

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SampleStore } from '../../../src/store/samples/index.ts'
import { authorized } from '../../harness/server-process.ts'

const SECOND_MS = 1000
const DAY_MS = 86_400_000
/** Time of expired samples in seconds since 1970, far beyond the retention period. */
const OLD_S = 978_307_200
/** Length of a label of expired series, so long that one batch exceeds the size of the log. */
const OLD_CHARS = 8000

/** A batch of samples that was sent: one sample per second for `count` seconds, starting at second `first`. */
interface Sent {
  readonly first: number
  readonly count: number
  isAcknowledged: boolean
  /** `begun` if its deletion was requested, `done` if the deletion was acknowledged. */
  deletion?: 'begun' | 'done'
}

const changeAt = (second: number): number => 1 + (second % 7)
const numberAt = (second: number): number => Math.sin(second)

/** A series in an answer of the server. */
interface Found {
  readonly metric: { readonly writer: string; readonly __name__: string }
  readonly values: readonly (readonly [seconds: number, value: string])[]
}

interface Matrix {
  readonly data: { readonly result: readonly Found[] }
}

/**
 * Records the samples that writers sent. For each second a writer sends a number, and a delta that the server adds to a
 * running sum. A duplicated delta makes the sum too high, a lost one too low.
 */
export class SentSamples {
  readonly #startMs = Math.floor((Date.now() - DAY_MS) / SECOND_MS) * SECOND_MS
  readonly #sent = new Map<string, Sent[]>()
  readonly #files = new Set<string>()
  readonly #wrongCounts: string[] = []
  #old = 0
  #oldThere = 0

  get acknowledgedSamples(): number {
    const all = [...this.#sent.values()].flat()
    return all.reduce((sum, { count, isAcknowledged }) => sum + (isAcknowledged ? count : 0), 0)
  }

  /** Number of sample files seen so far. Replaced files stay on disk until the next start, so they are counted too. */
  get files(): number {
    return this.#files.size
  }

  /** Number of acknowledged expired series that the last check did not find. */
  get oldGone(): number {
    return this.#old - this.#oldThere
  }

  /**
   * Sends the next batch of a writer. Resolves with the status of the answer; `undefined` without a complete answer.
   */
  async send(address: string, writer: string, count: number): Promise<number | undefined> {
    const batches = this.#sent.get(writer) ?? []
    this.#sent.set(writer, batches)
    const last = batches.at(-1)
    const entry: Sent = { first: last === undefined ? 0 : last.first + last.count, count, isAcknowledged: false }
    batches.push(entry)
    const ns = (second: number): string => `${BigInt(this.#startMs + second * SECOND_MS) * 1_000_000n}`
    const attributes = [{ key: 'writer', value: { stringValue: writer } }]
    const seconds = Array.from({ length: count }, (_, i) => entry.first + i)
    const times = (second: number): object => ({
      attributes,
      timeUnixNano: ns(second),
      startTimeUnixNano: ns(second - 1),
    })
    const changes = seconds.map((second) => ({ ...times(second), asInt: `${changeAt(second)}` }))
    const numbers = seconds.map((second) => ({ ...times(second), asDouble: numberAt(second) }))
    const metrics = [
      { name: 'changes', sum: { aggregationTemporality: 1, isMonotonic: true, dataPoints: changes } },
      { name: 'numbers', gauge: { dataPoints: numbers } },
    ]
    const body = JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })
    try {
      const headers = authorized({ 'Content-Type': 'application/json' })
      const response = await fetch(`${address}/v1/metrics`, { method: 'POST', headers, body })
      entry.isAcknowledged = (await response.text()) === '{}' && response.status === 200
      return response.status
    } catch {
      return undefined
    }
  }

  /**
   * Sends a sample that is already expired. If nothing else is sent meanwhile, it gets a separate file. `draw(below)`
   * returns a random number less than `below`.
   */
  async sendOld(address: string, draw: (below: number) => number): Promise<void> {
    const noise = Array.from({ length: OLD_CHARS }, () => draw(36).toString(36)).join('')
    const body = `old{number="${this.#old}",noise="${noise}"} 1 ${OLD_S * SECOND_MS}\n`
    try {
      const headers = authorized({ 'Content-Type': 'text/plain' })
      const response = await fetch(`${address}/api/v1/import/prometheus`, { method: 'POST', headers, body })
      if (/"accepted":1\b/.test(await response.text())) this.#old++
    } catch {
      // The server was killed before it answered.
    }
  }

  get deletedBatches(): number {
    return [...this.#sent.values()].flat().filter(({ deletion }) => deletion === 'done').length
  }

  /**
   * Deletes a random acknowledged batch that is not the last one of its writer. `draw(below)` returns a random index
   * less than `below`.
   */
  async delete(address: string, draw: (below: number) => number): Promise<void> {
    const all = [...this.#sent].flatMap(([writer, batches]) => {
      const last = batches.findLastIndex((batch) => batch.isAcknowledged)
      const own = batches.slice(0, Math.max(0, last))
      return own
        .filter((each) => each.isAcknowledged && each.deletion === undefined)
        .map((batch) => ({ writer, batch }))
    })
    const chosen = all[draw(Math.max(1, all.length))]
    if (chosen === undefined) return
    const { writer, batch } = chosen
    const time = (second: number): string => new Date(this.#startMs + second * SECOND_MS).toISOString()
    const range = { start: time(batch.first), end: time(batch.first + batch.count) }
    batch.deletion = 'begun'
    try {
      const response = await fetch(`${address}/api/rows/delete`, {
        method: 'POST',
        headers: authorized({ 'Content-Type': 'application/json' }),
        body: JSON.stringify({ table: 'samples', where: `{writer="${writer}"}`, ...range, write: true }),
      })
      const text = await response.text()
      if (response.status !== 200) return
      const { rows } = JSON.parse(text) as { readonly rows: number }
      if (rows !== 2 * batch.count)
        this.#wrongCounts.push(`${rows} samples deleted of the ${2 * batch.count} of ${writer}`)
      batch.deletion = 'done'
    } catch {
      // The server was killed before it answered.
    }
  }

  /** Records which sample files the folder has at this moment. */
  lookAtFiles(folder: string): void {
    const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    for (const path of all) if (path.endsWith('.samples')) this.#files.add(join(folder, path))
  }

  async #ask(address: string, query: string, timeS: number): Promise<readonly Found[]> {
    const parameters = new URLSearchParams({ query, time: String(timeS) })
    const response = await fetch(`${address}/api/v1/query?${parameters.toString()}`, { headers: authorized() })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
    return (JSON.parse(text) as Matrix).data.result
  }

  /**
   * Checks the samples on a server. Returns the faults, one line each. Each acknowledged batch must be present once and
   * unchanged, any other one completely or not at all.
   */
  async check(address: string): Promise<string[]> {
    this.#oldThere = (await this.#ask(address, 'old[1m]', OLD_S)).length
    const found = await this.#ask(address, '{__name__=~"(changes|numbers).*"}[2d]', this.#startMs / SECOND_MS + 86_400)
    return this.#faultsIn(found, this.#sent)
  }

  /**
   * Checks the samples that `take` reads from a folder, as `check` does. Samples sent meanwhile may or may not be among
   * them.
   */
  async checkRead(take: () => Promise<SampleStore>): Promise<string[]> {
    const before = new Map([...this.#sent.values()].flat().map((batch) => [batch, { ...batch }]))
    const all = (await take()).reader.select({
      matchers: [],
      guard: undefined,
      startMs: this.#startMs - 1,
      endMs: Infinity,
    })
    const found = all.map(({ labels, timesMs, values }): Found => {
      const metric = { writer: labels.get('writer'), __name__: labels.get('__name__') }
      return { metric, values: Array.from(timesMs, (timeMs, i) => [timeMs / SECOND_MS, String(values[i])] as const) }
    })
    const sent = Array.from(this.#sent, ([writer, batches]): readonly [string, readonly Sent[]] => [
      writer,
      batches.map((batch): Sent => {
        const known = before.get(batch) ?? { ...batch, isAcknowledged: false }
        return known.deletion === batch.deletion ? known : { ...known, deletion: 'begun' }
      }),
    ])
    return this.#faultsIn(found, new Map(sent))
  }

  #faultsIn(found: readonly Found[], sent: ReadonlyMap<string, readonly Sent[]>): string[] {
    const faults = this.#wrongCounts.splice(0)
    const known = new Map<string, ReadonlyMap<number, string>>()
    for (const { metric, values } of found) {
      const kind = metric.__name__.startsWith('changes') ? 'changes' : 'numbers'
      const bySecond = new Map(values.map(([at, value]) => [Math.round(at - this.#startMs / SECOND_MS), value]))
      if (bySecond.size !== values.length) faults.push(`doubled: samples of ${metric.writer}`)
      known.set(`${kind} ${metric.writer}`, bySecond)
    }
    for (const [writer, batches] of sent)
      for (const kind of ['changes', 'numbers'] as const) {
        const values = known.get(`${kind} ${writer}`) ?? new Map<number, string>()
        faults.push(...faultsOf(kind, writer, batches, values))
      }
    return faults
  }
}

function faultsOf(
  kind: 'changes' | 'numbers',
  writer: string,
  batches: readonly Sent[],
  values: ReadonlyMap<number, string>,
): string[] {
  const faults: string[] = []
  let sum = 0
  let there = 0
  for (const { first, count, isAcknowledged, deletion } of batches) {
    const seconds = Array.from({ length: count }, (_, i) => first + i)
    const own = seconds.filter((second) => values.has(second))
    there += own.length
    const what = `${kind} of ${writer} from second ${first} on`
    if (deletion !== undefined && own.length === 0) {
      // The deltas of a deleted batch were already added, so later sums include them.
      for (const second of seconds) sum += changeAt(second)
      continue
    }
    if (deletion === 'done') faults.push(`back: ${own.length} of ${count} deleted ${what}`)
    else if (own.length < count && isAcknowledged) faults.push(`lost: ${count - own.length} of ${count} ${what}`)
    else if (own.length < count && own.length > 0) faults.push(`torn: ${own.length} of ${count} ${what}`)
    for (const second of own) {
      sum += changeAt(second)
      const wanted = kind === 'changes' ? sum : numberAt(second)
      if (Number(values.get(second)) === wanted) continue
      faults.push(`changed: ${values.get(second)} where ${wanted} is due, ${what}`)
      break
    }
  }
  if (there !== values.size) faults.push(`foreign: ${values.size - there} ${kind} of ${writer} were never sent`)
  return faults
}

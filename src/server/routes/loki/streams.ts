import { formatRfc3339 } from '../../../base/index.ts'
import { Instant, printStreamName, toText, type Row } from '../../../data/index.ts'
import type { LogDirection } from '../../../engine/logql/index.ts'
import { ENTRY_CATEGORIES, ENTRY_LINE, ENTRY_STREAM } from '../../../functions/logql/index.ts'

const labelColumns = [ENTRY_CATEGORIES.stream, ENTRY_CATEGORIES.metadata, ENTRY_CATEGORIES.parsed]

type LabelTexts = Readonly<Record<string, string>>

/**
 * A stream of an answer. Each value is a time in ns, a line and, if requested, the labels that do not belong to the
 * stream.
 */
export interface LokiStream {
  readonly stream: LabelTexts
  readonly values: (readonly [timeNs: string, line: string, labels?: EntryLabels])[]
}

export interface EntryLabels {
  readonly structuredMetadata?: LabelTexts
  readonly parsed?: LabelTexts
}

function isEmpty(labels: LabelTexts): boolean {
  return Object.keys(labels).length === 0
}

/** Merges labels of several categories, sorted by name. For equal names, the last category counts. */
function merged(sets: readonly LabelTexts[]): LabelTexts {
  const all = new Map(sets.flatMap((set) => Object.entries(set)))
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Groups entries into streams, in the order of their first entries. By default a stream has all labels of its entries.
 * With `isCategorized` a stream has only stream labels, and each entry has its other labels.
 */
export class LokiStreams {
  readonly #timeField: string
  readonly #isCategorized: boolean
  readonly #byText = new Map<string, LokiStream>()
  readonly #byLabels = new Map<string, LokiStream>()

  constructor(timeField: string, isCategorized: boolean) {
    this.#timeField = timeField
    this.#isCategorized = isCategorized
  }

  /**
   * Adds entries sorted by time, as rows of `entriesPlan`. Among entries with equal times, the entry that arrived last
   * is first if the direction is backward, and last if it is forward. Duplicates within a stored stream are dropped.
   */
  addAll(rows: readonly Row[], direction: LogDirection): void {
    const timeOf = (row: Row): string => {
      const at = row.get(this.#timeField)
      return at instanceof Instant ? String(at.ns) : '0'
    }
    for (let from = 0; from < rows.length;) {
      const time = timeOf(rows[from] as Row)
      let to = from + 1
      while (to < rows.length && timeOf(rows[to] as Row) === time) to++
      if (to - from === 1) {
        this.#add(rows[from++] as Row, time)
        continue
      }
      const together = rows.slice(from, to)
      const seen = new Set<string>()
      for (const row of direction === 'forward' ? together.toReversed() : together) {
        const key = JSON.stringify([ENTRY_STREAM, ENTRY_LINE, ...labelColumns].map((name) => row.get(name)))
        if (!seen.has(key)) this.#add(row, time)
        seen.add(key)
      }
      from = to
    }
  }

  #add(row: Row, time: string): void {
    const line = toText(row.get(ENTRY_LINE) ?? null)
    const [stream, metadata, parsed] = labelColumns.map((name) => toText(row.get(name) ?? null)) as [
      string,
      string,
      string,
    ]
    if (this.#isCategorized) {
      const read = (text: string): LabelTexts => JSON.parse(text) as LabelTexts
      const [structured, others] = [read(metadata), read(parsed)]
      const labels = {
        ...(isEmpty(structured) ? {} : { structuredMetadata: structured }),
        ...(isEmpty(others) ? {} : { parsed: others }),
      }
      this.#streamOf(stream, () => read(stream)).values.push([time, line, labels])
      return
    }
    const key = `${stream}${metadata}${parsed}`
    const labels = (): LabelTexts => merged([stream, metadata, parsed].map((text) => JSON.parse(text) as LabelTexts))
    this.#streamOf(key, labels).values.push([time, line])
  }

  list(): readonly LokiStream[] {
    return [...this.#byLabels.values()]
  }

  /** Returns the stream for a key, which encodes labels. Several keys may encode the same labels. */
  #streamOf(key: string, read: () => LabelTexts): LokiStream {
    const known = this.#byText.get(key)
    if (known !== undefined) return known
    const labels = read()
    const text = JSON.stringify(labels)
    const stream = this.#byLabels.get(text) ?? { stream: labels, values: [] }
    this.#byLabels.set(text, stream)
    this.#byText.set(key, stream)
    return stream
  }
}

/** Returns a stream in the older format: labels are one string, and times are RFC 3339. */
export function inOldForm({ stream, values }: LokiStream): {
  readonly labels: string
  readonly entries: readonly { readonly ts: string; readonly line: string }[]
} {
  return {
    labels: printStreamName(Object.entries(stream)),
    entries: values.map(([timeNs, line]) => ({ ts: formatRfc3339(BigInt(timeNs), true), line })),
  }
}

/**
 * Drops entries so that a stream has at most one entry for each interval, measured from the last entry that was kept.
 * An interval of 0 keeps all entries.
 */
export function thinned(stream: LokiStream, intervalNs: bigint): LokiStream {
  if (intervalNs === 0n) return stream
  const values: LokiStream['values'] = []
  let last: bigint | undefined
  for (const value of stream.values) {
    const at = BigInt(value[0])
    const distance = last === undefined ? intervalNs : at > last ? at - last : last - at
    if (distance < intervalNs) continue
    values.push(value)
    last = at
  }
  return { ...stream, values }
}

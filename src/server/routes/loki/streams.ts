import { formatRfc3339 } from '../../../base/index.ts'
import { Instant, printStreamName, toText, type Row } from '../../../data/index.ts'
import type { LogDirection } from '../../../engine/logql/index.ts'
import { ENTRY_CATEGORIES, ENTRY_LINE, ENTRY_STREAM } from '../../../functions/logql/index.ts'

const labelColumns = [ENTRY_CATEGORIES.stream, ENTRY_CATEGORIES.metadata, ENTRY_CATEGORIES.parsed]

type LabelTexts = Readonly<Record<string, string>>

/** A stream of an answer; each value is a time in ns, a line and, if asked for, what labels beside the stream it has. */
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

/** Labels of all categories in one object, sorted by name; of equal names the last category counts. */
function merged(parts: readonly LabelTexts[]): LabelTexts {
  const all = new Map(parts.flatMap((part) => Object.entries(part)))
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Groups entries into streams, in the order of their first entries. A stream has all labels of its entries; with
 * `isCategorized` it has the labels of the stream alone, and each entry its other ones.
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
   * Adds entries in the order of their times, rows of `entriesPlan`. Of equal times the one that arrived last comes
   * first there, and last in an answer from the oldest on. Of entries of one stored stream that look the
   * same, one is shown.
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

  /** The stream of a text that says which labels it has: several texts may say the same ones. */
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

/** A stream in the older form: its labels are one text, and times are RFC 3339. */
export function inOldForm({ stream, values }: LokiStream): {
  readonly labels: string
  readonly entries: readonly { readonly ts: string; readonly line: string }[]
} {
  return {
    labels: printStreamName(Object.entries(stream)),
    entries: values.map(([timeNs, line]) => ({ ts: formatRfc3339(BigInt(timeNs), true), line })),
  }
}

/** A stream with at most one entry in each interval, counted from the one before; 0 keeps all. */
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

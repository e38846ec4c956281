import type { Pair } from './judge.ts'
import { excerpt, ServerFault, type Refusal } from './server.ts'

export interface MetricValues {
  readonly type: string
  /** Values as strings by series and time: the digits of a float, or the JSON of a histogram. */
  readonly values: ReadonlyMap<string, string>
  /** Series in the order of the answer. */
  readonly order: readonly string[]
  /** Warnings and infos of the answer. */
  readonly notes: readonly string[]
}

export type MetricAnswer = Refusal | MetricValues

type Point = readonly [time: number, value: unknown]

interface Series {
  readonly metric?: Readonly<Record<string, string>>
  readonly value?: Point
  readonly values?: readonly Point[]
  readonly histogram?: Point
  readonly histograms?: readonly Point[]
}

interface Envelope {
  readonly status?: string
  readonly errorType?: string
  readonly error?: string
  readonly data?: { readonly resultType?: string; readonly result?: unknown }
  readonly warnings?: readonly string[]
  readonly infos?: readonly string[]
}

function labelText(metric: Readonly<Record<string, string>> = {}): string {
  return JSON.stringify(Object.entries(metric).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Parses the body of an answer. Throws ServerFault if it is not in the form of the API. */
export function readAnswer(body: string): MetricAnswer {
  let envelope: Envelope
  try {
    envelope = JSON.parse(body) as Envelope
  } catch {
    throw new ServerFault(`answers what is not JSON: ${excerpt(body)}`)
  }
  if (envelope?.status === 'error') return { refused: `${envelope.errorType ?? ''}: ${envelope.error ?? ''}` }
  const { resultType: type, result } = envelope?.data ?? {}
  if (envelope?.status !== 'success' || type === undefined || !Array.isArray(result))
    throw new ServerFault(`answers neither a result nor an error: ${excerpt(body)}`)
  const values = new Map<string, string>()
  const order: string[] = []
  const add = (series: string, [time, value]: Point): void => {
    values.set(`${series} @ ${time}`, typeof value === 'string' ? value : JSON.stringify(value))
  }
  if (type === 'scalar' || type === 'string') add('', result as unknown as Point)
  else {
    for (const { metric, value, values: floats = [], histogram, histograms = [] } of result as readonly Series[]) {
      const name = labelText(metric)
      order.push(name)
      for (const point of [value, ...floats, histogram, ...histograms]) if (point !== undefined) add(name, point)
    }
  }
  return { type, values, order, notes: [...(envelope.warnings ?? []), ...(envelope.infos ?? [])].toSorted() }
}

/** Describes how two answers differ; `undefined` if they do not. With `isOrdered` the order of series counts. */
export function metricDifference({ ours, theirs }: Pair<MetricAnswer>, isOrdered: boolean): string | undefined {
  if ('refused' in ours || 'refused' in theirs) {
    if ('refused' in ours && 'refused' in theirs) return undefined
    const [a, b] = [ours, theirs].map((answer) =>
      'refused' in answer ? `refused (${answer.refused.slice(0, 300)})` : `${answer.values.size} values`,
    )
    return `ours: ${a}; theirs: ${b}`
  }
  if (ours.type !== theirs.type) return `ours is a ${ours.type}; theirs a ${theirs.type}`
  for (const key of new Set([...ours.values.keys(), ...theirs.values.keys()])) {
    const [a, b] = [ours.values.get(key), theirs.values.get(key)]
    if (a !== b) return `${key}: ours ${a ?? 'nothing'}, theirs ${b ?? 'nothing'}`
  }
  const [only, missing] = [
    ours.notes.find((note) => !theirs.notes.includes(note)),
    theirs.notes.find((note) => !ours.notes.includes(note)),
  ]
  if (only !== undefined) return `a note that is only ours: ${only}`
  if (missing !== undefined) return `a note that is only theirs: ${missing}`
  if (isOrdered && ours.order.join() !== theirs.order.join()) return `series in another order: ${ours.order.join()}`
  return undefined
}

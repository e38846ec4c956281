import { textNs } from '../backends/sql/index.ts'
import { loggerShapes } from '../store/index.ts'
import type { NativeType } from './native-types.ts'
import type { TimeUnit } from './words.ts'

const everywhere = loggerShapes.filter(({ has }) => has === undefined)

/** Names of time columns, most likely first. */
const timeNames: readonly string[] = [
  '_time',
  ...everywhere.flatMap(({ time = [] }) => time),
  'TimeUnix',
  'time_ns',
  'time_ms',
  'created_at',
  'date',
]

/** Names of text columns. */
export const textNames: readonly string[] = [
  'content',
  ...everywhere.flatMap(({ text = [] }) => text),
  'text',
  'log',
  'line',
  'SpanName',
  'span_name',
]

/** Names of columns that identify the origin of a row. */
const streamNames: ReadonlySet<string> = new Set(
  [
    ...everywhere.flatMap(({ service = [], fields }) => [...service, ...Object.values(fields ?? {}).flat()]),
    'cluster',
    'namespace',
    'workload',
    'pod',
    'container',
    'host',
    'hostname',
    'ServiceName',
  ].map((name) => name.toLowerCase()),
)

export function isStreamName(name: string): boolean {
  return streamNames.has(name.toLowerCase())
}

/** Names that are usual for a purpose, most usual first; case decides between equal names. */
export function usualNames(names: readonly string[], usual: readonly string[]): readonly string[] {
  const folded = (wanted: string): string | undefined =>
    names.find((name) => name.toLowerCase() === wanted.toLowerCase())
  return [...new Set(usual.flatMap((wanted) => (names.includes(wanted) ? wanted : (folded(wanted) ?? []))))]
}

const digitsOf: Readonly<Record<number, TimeUnit>> = { 10: 's', 13: 'ms', 16: 'us', 19: 'ns' }

function unitOf(sample: string): TimeUnit | undefined {
  if (textNs(sample) !== undefined) return 'text'
  // Smaller numbers are counts, ports or ids.
  return digitsOf[/^([1-9]\d{9,18})(?:\.\d+)?$/.exec(sample)?.[1]?.length ?? 0]
}

/** Columns with usual names of times, most usual first. A name alone is not enough: `time` may be a duration. */
export function usualTimes<C extends { readonly name: string }>(columns: readonly C[]): readonly C[] {
  const names = usualNames(
    columns.map(({ name }) => name),
    timeNames,
  )
  return names.flatMap((name) => columns.find((column) => column.name === name) ?? [])
}

/** Unit of a time column, by its type or its first values. */
export async function unitOfColumn(
  { time }: NativeType,
  samples: () => Promise<readonly string[]>,
): Promise<TimeUnit | undefined> {
  return time === 'timestamp' ? 'timestamp' : unitOfSamples(await samples())
}

/** Unit that all samples agree on: strings that are times, or numbers by their digits. */
function unitOfSamples(samples: readonly string[]): TimeUnit | undefined {
  const units = new Set(samples.map(unitOf))
  const [unit] = units
  return units.size === 1 ? unit : undefined
}

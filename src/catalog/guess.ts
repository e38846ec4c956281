import { textNs } from '../backends/sql/index.ts'
import { loggerShapes } from '../store/index.ts'
import type { NativeType } from './native-types.ts'
import type { TimeUnit } from './words.ts'

const everywhere = loggerShapes.filter(({ has }) => has === undefined)

/** Usual names of time columns, most likely first. */
const timeNames: readonly string[] = [
  '_time',
  ...everywhere.flatMap(({ time = [] }) => time),
  'TimeUnix',
  'time_ns',
  'time_ms',
  'created_at',
  'date',
]

/** Usual names of columns with the text of a row, most likely first. */
export const textNames: readonly string[] = [
  'content',
  ...everywhere.flatMap(({ text = [] }) => text),
  'text',
  'log',
  'line',
  'SpanName',
  'span_name',
]

/** Usual names of columns that identify the source of a row, such as a service or host. */
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

/**
 * Returns those of `names` that occur in `usual`, in the order of `usual`, ignoring case. Among names that differ only
 * in case, the one in the same case comes first.
 */
export function usualNames(names: readonly string[], usual: readonly string[]): readonly string[] {
  const folded = (wanted: string): string | undefined =>
    names.find((name) => name.toLowerCase() === wanted.toLowerCase())
  return [...new Set(usual.flatMap((wanted) => (names.includes(wanted) ? wanted : (folded(wanted) ?? []))))]
}

const digitsOf: Readonly<Record<number, TimeUnit>> = { 10: 's', 13: 'ms', 16: 'us', 19: 'ns' }

function unitOf(sample: string): TimeUnit | undefined {
  if (textNs(sample) !== undefined) return 'text'
  // Numbers with fewer digits are more likely counts, ports or ids than times.
  return digitsOf[/^([1-9]\d{9,18})(?:\.\d+)?$/.exec(sample)?.[1]?.length ?? 0]
}

/**
 * Returns the columns with a usual name for times, most usual first. The caller must check their values: `time` may be
 * a duration.
 */
export function usualTimes<C extends { readonly name: string }>(columns: readonly C[]): readonly C[] {
  const names = usualNames(
    columns.map(({ name }) => name),
    timeNames,
  )
  return names.flatMap((name) => columns.find((column) => column.name === name) ?? [])
}

/** Returns the unit of a time column, from its type or else from its first values. */
export async function unitOfColumn(
  { time }: NativeType,
  samples: () => Promise<readonly string[]>,
): Promise<TimeUnit | undefined> {
  return time === 'timestamp' ? 'timestamp' : unitOfSamples(await samples())
}

/** Returns the one time unit that fits all samples: strings are times, or numbers have the digits of one unit. */
function unitOfSamples(samples: readonly string[]): TimeUnit | undefined {
  const units = new Set(samples.map(unitOf))
  const [unit] = units
  return units.size === 1 ? unit : undefined
}

import { DAY_NS, CommandError, parseDurationNs } from '../../base/index.ts'
import type { Retention } from '../../server/index.ts'
import { parseSize } from '../options/size-option.ts'

/** Tables by the names in `--retain`. */
const TABLES = new Map([
  ...['logs', 'events', 'spans', 'clusters', 'workloads'].map((table) => [table, table] as const),
  ['metrics', 'samples'],
])
const LONGEST_NS = 36_500n * DAY_NS

/** Parses `logs=30d,spans=7d` to ages by table, ns. */
function agesOf(text: string): ReadonlyMap<string, bigint> {
  const ages = new Map<string, bigint>()
  for (const part of text.split(',')) {
    const [name = '', age = ''] = part.split('=').map((word) => word.trim())
    const ns = parseDurationNs(age)
    const table = TABLES.get(name)
    if (table === undefined)
      throw new CommandError(
        `--retain knows ${[...TABLES.keys()].join(', ')}, not \`${name}\`: write logs=30d,spans=7d.`,
      )
    if (ns === undefined || ns <= 0n || ns > LONGEST_NS || ages.has(table))
      throw new CommandError(`--retain needs one time for each table, such as ${name}=30d, not \`${part.trim()}\`.`)
    ages.set(table, ns)
  }
  return ages
}

/** Parses `--retain` and `--retain-bytes`; `undefined` if neither is given. */
export function retentionOf(options: {
  readonly retain?: string
  readonly retainBytes?: string
}): Retention | undefined {
  const { retain, retainBytes } = options
  if (retain === undefined && retainBytes === undefined) return undefined
  return {
    ageNs: retain === undefined ? new Map() : agesOf(retain),
    bytes: retainBytes === undefined ? undefined : parseSize(retainBytes, '--retain-bytes', '1MiB'),
  }
}

import { CommandError, parseDurationNs } from '../../base/index.ts'
import type { Retention } from '../../server/index.ts'
import { parseSize } from '../size-option.ts'

const TABLES = ['logs', 'events', 'spans', 'clusters', 'workloads'] as const
const DAY_NS = 86_400_000_000_000n
const LONGEST_NS = 36_500n * DAY_NS

/** `logs=30d,spans=7d`, by table in nanoseconds. */
function agesOf(text: string): ReadonlyMap<string, bigint> {
  const ages = new Map<string, bigint>()
  for (const part of text.split(',')) {
    const [table = '', age = ''] = part.split('=').map((word) => word.trim())
    const ns = parseDurationNs(age)
    if (!TABLES.some((known) => known === table))
      throw new CommandError(`--retain knows ${TABLES.join(', ')}, not \`${table}\`: write logs=30d,spans=7d.`)
    if (ns === undefined || ns <= 0n || ns > LONGEST_NS || ages.has(table))
      throw new CommandError(`--retain needs one time for each table, such as ${table}=30d, not \`${part.trim()}\`.`)
    ages.set(table, ns)
  }
  return ages
}

/** What `--retain` and `--retain-bytes` say; `undefined` where everything is kept. */
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

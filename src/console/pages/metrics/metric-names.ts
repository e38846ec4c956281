/** Metadata of a metric family. */
export interface Metadata {
  readonly type?: string
  readonly help?: string
  readonly unit?: string
}

/** A metric in the list, with a suitable first expression. */
export interface Metric {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly expression: string
}

const SUFFIX = /_(?:total|bucket|count|sum|created|info)$/

/** Window of the suggested `rate`, and quantile of the suggested `histogram_quantile`. */
const RATE = '5m'
const QUANTILE = '0.95'

function expressionOf(name: string, members: ReadonlySet<string>, type: string): string {
  const bucket = `${name}_bucket`
  if (members.has(bucket)) return `histogram_quantile(${QUANTILE}, sum by (le) (rate(${bucket}[${RATE}])))`
  if (type === 'histogram') return `histogram_quantile(${QUANTILE}, sum(rate(${name}[${RATE}])))`
  const total = `${name}_total`
  if (members.has(total)) return `rate(${total}[${RATE}])`
  if (type === 'summary' && members.has(`${name}_sum`))
    return `rate(${name}_sum[${RATE}]) / rate(${name}_count[${RATE}])`
  return type === 'counter' || name.endsWith('_total') ? `rate(${name}[${RATE}])` : name
}

/** Groups metric names into families according to their metadata. */
export function metricsOf(
  names: readonly string[],
  metadata: Readonly<Record<string, readonly Metadata[]>>,
): readonly Metric[] {
  const families = new Map<string, Set<string>>()
  for (const name of names) {
    const short = name.replace(SUFFIX, '')
    const family = Object.hasOwn(metadata, name) || !Object.hasOwn(metadata, short) ? name : short
    const members = families.get(family) ?? new Set()
    families.set(family, members)
    members.add(name)
  }
  return [...families]
    .map(([name, members]): Metric => {
      const { type = '', help = '' } = (Object.hasOwn(metadata, name) ? metadata[name]?.[0] : undefined) ?? {}
      return { name, type, help, expression: expressionOf(name, members, type) }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A kind of rows: its table, its name in structured queries, and its names for the fields of the fuzz logs. */
export interface RowKind {
  readonly name: 'logs' | 'events' | 'spans' | 'clusters' | 'workloads'
  readonly table: string
  readonly domain: string
  /** Fuzz log fields that have another name in this kind. Data, queries and policies are renamed in the same way. */
  readonly names: ReadonlyMap<string, string>
}

function kind(name: RowKind['name'], domain: string, names: Readonly<Record<string, string>> = {}): RowKind {
  return { name, table: name, domain, names: new Map(Object.entries(names)) }
}

/**
 * All kinds of rows. Declared fields of any type get the values of the logs, whether they fit or not; other fields stay
 * undeclared.
 */
export const rowKinds: readonly RowKind[] = [
  kind('logs', 'logs'),
  kind('events', 'events', { level: 'type', status: 'count', content: 'message', a: 'reason' }),
  // Spans without ids, which belong to no trace.
  kind('spans', 'traces', {
    level: 'status',
    status: 'span_id',
    duration_ms: 'duration_seconds',
    content: 'span_name',
    a: 'trace_id',
  }),
  kind('clusters', 'clusters', {
    workload: 'name',
    level: 'env',
    namespace: 'cloudProvider',
    status: 'nodesCount',
    duration_ms: 'cpu.usage',
    content: 'kubernetesVersion',
  }),
  kind('workloads', 'workloads', {
    level: 'env',
    status: 'podsCount',
    duration_ms: 'cpuUsage',
    content: 'kind',
    a: 'ready',
  }),
]

/** Replaces whole words of a text that are field names of the fuzz logs. */
export function renamed(text: string, { names }: RowKind): string {
  if (names.size === 0) return text
  return text.replaceAll(/(?<![\w.@])[a-z_]+(?![\w(])/g, (word) => names.get(word) ?? word)
}

/** Returns the kind with this name. Throws Error when there is none. */
export function rowKindOf(name: string): RowKind {
  const found = rowKinds.find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no kind of rows called ${name}`)
  return found
}

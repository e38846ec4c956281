/** Resolves a table name in a query: an existing table, else the table of a kind of data, else the name itself. */
export function tableNamed(name: string, tables?: Pick<ReadonlySet<string>, 'has'>): string {
  return tables?.has(name) === true ? name : (tableOfDomain.get(name.toLowerCase()) ?? name)
}

/** Tables by the values of `domain` in pipelines and in the text option `domain`. Lower case; readers ignore case. */
export const tableOfDomain: ReadonlyMap<string, string> = new Map([
  ['logs', 'logs'],
  ['traces', 'spans'],
  ['apm', 'spans'],
  ['events', 'events'],
  ['issues', 'events'],
  ['entities', 'workloads'],
  ['workloads', 'workloads'],
  ['clusters', 'clusters'],
  ['metrics', 'samples'],
])

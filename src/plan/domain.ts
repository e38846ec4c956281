/**
 * Resolves a table name in a query: to an existing table, else to the table for a kind of data, else to the name
 * itself.
 */
export function tableNamed(name: string, tables?: Pick<ReadonlySet<string>, 'has'>): string {
  return tables?.has(name) === true ? name : (tableOfDomain.get(name.toLowerCase()) ?? name)
}

/**
 * Table names by the values of `domain` in pipelines and in the `domain` option. Keys are in lower case; look-ups
 * ignore case.
 */
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

/** The table that a query names: one there is, else what a word for a kind of data stands for, else just that name. */
export function tableNamed(name: string, tables?: Pick<ReadonlySet<string>, 'has'>): string {
  return tables?.has(name) === true ? name : (tableOfDomain.get(name.toLowerCase()) ?? name)
}

/**
 * The tables that the words of a pipeline's `domain` and of the text option `domain` name. Words in lower case; readers
 * ask without regard to case.
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

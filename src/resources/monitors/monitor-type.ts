import type { PlainJson } from '../../data/index.ts'
import type { DocumentBody } from '../document-store.ts'

function objectOf(value: PlainJson | undefined): DocumentBody | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as DocumentBody) : undefined
}

/**
 * Returns the kind of data that a monitor watches: `logs`, `metrics` and so on, from the first query that names a kind;
 * empty if no query does.
 */
export function monitorType(body: DocumentBody): string {
  const queries = objectOf(body['model'])?.['queries']
  if (!Array.isArray(queries)) return ''
  for (const item of queries as readonly PlainJson[]) {
    const query = objectOf(item)
    if (typeof query?.['dataType'] === 'string') return query['dataType'].trim().toLowerCase()
    const isMetric = query?.['pipeline'] !== undefined || query?.['datasourceType'] === 'prometheus'
    if (isMetric) return 'metrics'
  }
  return ''
}

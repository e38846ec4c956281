import { readFileSync } from 'node:fs'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { Engine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { createSearchService, type SearchService } from '../../../src/server/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

/** JSON records by table, one record per line. */
export type Records = Readonly<Record<string, string>>

/** Returns a search service that runs the real engine over a column store with these records. */
export function searchOver(records: Records): SearchService {
  const store = createMemoryStore(standardCatalog)
  for (const [table, lines] of Object.entries(records)) {
    store.table(table).writer.appendJsonLines(Buffer.from(lines), { nowNs: 1_767_225_600_000_000_000n })
  }
  const engine = new Engine({ backends: [columnarBackend(store, standardFunctions)] })
  return createSearchService(() => engine)
}

/** Returns a search service over the logs of the incident in the fixtures. */
export function incident(): SearchService {
  const file = new URL('../../../fixtures/logs/payments-pool-exhausted.ndjson', import.meta.url)
  return searchOver({ logs: readFileSync(file, 'utf8') })
}

import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { loadLines } from './load-lines.ts'
import { prepareOwn } from './own.ts'
import type { Peer } from './peer.ts'

/** Our column store, loaded from the JSON lines until the last segment is sealed. */
export function columnarPeer(file: string): Peer {
  const store = createMemoryStore(standardCatalog)
  const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })
  return {
    name: 'columnar',
    load: async () => {
      const start = performance.now()
      await loadLines(store.table('logs'), file)
      return (performance.now() - start) / 1000
    },
    prepare: async (bound) => prepareOwn(engine, bound),
    close: async () => {},
  }
}

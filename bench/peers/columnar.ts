import { createEngine } from '../../src/engine/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { loadLines } from './load-lines.ts'
import { prepareAnswer } from './own.ts'
import { askHere, type MakePeer } from './peer.ts'
import { residentBytes } from './process-memory.ts'

/** Our column store, loaded from JSON lines until the last segment is sealed. `threads` load it and run queries. */
export const columnarPeer: MakePeer = async ({ file, threads }) => {
  const store = createMemoryStore(standardCatalog)
  const engine = createEngine({ tables: [...store.tables.values()], threads, lint: 'off' })
  return {
    load: async () => {
      const start = performance.now()
      await loadLines(store.table('logs'), file)
      await engine.indexed()
      const seconds = (performance.now() - start) / 1000
      return seconds
    },
    ask: (bound) => askHere(async () => prepareAnswer(engine, bound)),
    bytes: async () => ({ residentBytes: residentBytes() }),
    close: () => engine.close(),
  }
}

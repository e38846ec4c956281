import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { HelperThreads, indexThread } from '../../src/helpers/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { loadLines } from './load-lines.ts'
import { prepareAnswer } from './own.ts'
import { askHere, type MakePeer } from './peer.ts'
import { residentBytes } from './process-memory.ts'

/** Our column store, loaded from the JSON lines until the last segment is sealed; `threads` work on a query; with several, one
 * makes the word indexes while another reads. What first questions run is compiled then, unless they are to find it cold. */
export const columnarPeer: MakePeer = async ({ file, threads }) => {
  const store = createMemoryStore(standardCatalog)
  const others = threads > 1 ? new HelperThreads({ threads: threads - 1 }) : undefined
  const backend = columnarBackend(store, standardFunctions, { helpers: others?.links() })
  const engine = createEngine({ backends: [backend], lint: 'off' })
  return {
    load: async () => {
      const start = performance.now()
      const indexing = threads > 1 ? indexThread(store.tables.values()) : undefined
      await loadLines(store.table('logs'), file)
      await indexing?.settled()
      await indexing?.close()
      const seconds = (performance.now() - start) / 1000
      return seconds
    },
    ask: (bound) => askHere(async () => prepareAnswer(engine, bound)),
    bytes: async () => ({ residentBytes: residentBytes() }),
    close: async () => others?.close(),
  }
}

import { createReadStream } from 'node:fs'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
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
      const table = store.table('logs')
      let rest: Buffer = Buffer.alloc(0)
      for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
        const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
        const end = bytes.lastIndexOf(10) + 1
        table.appendJsonLines(bytes.subarray(0, end), { nowNs: 0n })
        rest = bytes.subarray(end)
      }
      if (rest.length > 0) table.appendJsonLines(rest, { nowNs: 0n })
      table.seal()
      return (performance.now() - start) / 1000
    },
    prepare: async (asked) => prepareOwn(engine, asked),
    close: async () => {},
  }
}

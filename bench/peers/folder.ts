import { createReadStream, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { present } from '../../src/base/index.ts'
import { createEngine, type Engine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { openDataToRead, type DataToRead } from '../../src/server/index.ts'
import { authorized, startServer } from '../../test/harness/server-process.ts'
import { folderBytes } from './folder-bytes.ts'
import { prepareAnswer } from './own.ts'
import { askHere, type MakePeer } from './peer.ts'
import { residentBytes } from './process-memory.ts'

/** The size of the block cache in bytes. */
const CACHE_BYTES = 1024 ** 3
const BODY_BYTES = 4 * 1024 ** 2

/** Sends the rows of a file to a server with a data folder, one batch after the other, each acknowledged. */
async function fill(folder: string, file: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  // The log is short, since everyone who opens the folder reads it back.
  const server = await startServer(['--data', folder, '--workers', '1', '--log-size', '1MiB'])
  const send = async (body: Uint8Array<ArrayBuffer>): Promise<void> => {
    const headers = authorized({ 'Content-Type': 'application/x-ndjson' })
    const { status } = await fetch(`${server.address}/api/ingest/logs`, { method: 'POST', headers, body })
    if (status === 503) return send(body)
    if (status !== 200) throw new Error(`the server answered ${status}`)
  }
  let rest = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { highWaterMark: BODY_BYTES }) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(10) + 1
    rest = Buffer.from(bytes.subarray(end))
    await send(Buffer.from(bytes.subarray(0, end)))
  }
  await server.stop()
}

interface Opened {
  readonly data: DataToRead
  readonly engine: Engine
}

async function open(folder: string): Promise<Opened> {
  const data = await openDataToRead(folder, { hasSamples: false, cacheBytes: CACHE_BYTES })
  const engine = createEngine({ backends: [columnarBackend(data.target.store, standardFunctions)], lint: 'off' })
  return { data, engine }
}

/** Our own data folder, filled by a server and read in this process. */
export const folderPeer: MakePeer = async ({ file, path }) => {
  const folder = present(path, 'a folder')
  let opened = existsSync(join(folder, 'sluice.json')) ? await open(folder) : undefined
  return {
    load: async () => {
      if (opened !== undefined) return 0
      const startMs = performance.now()
      await fill(folder, file)
      const seconds = (performance.now() - startMs) / 1000
      opened = await open(folder)
      return seconds
    },
    ask: (bound) => askHere(async () => prepareAnswer(present(opened).engine, bound)),
    bytes: async () => ({ residentBytes: residentBytes(), diskBytes: folderBytes(folder) }),
    close: async () => {
      await opened?.data.close()
    },
  }
}

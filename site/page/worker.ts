import { serveCalls } from '../../src/console/ask/rpc.ts'
import type { Block } from '../run/block.ts'
import { Runner } from '../run/run-block.ts'

/** Worker thread that runs blocks. It fetches only files of this site that the blocks name. */
const root = new URL('..', globalThis.location.href)

async function read(path: string): Promise<Uint8Array> {
  const answer = await fetch(new URL(path, root))
  if (!answer.ok) throw new Error(`The file ${path} cannot be read (status ${answer.status}). Load the page again.`)
  return new Uint8Array(await answer.arrayBuffer())
}

const runner = new Runner(read)

serveCalls(
  globalThis,
  () =>
    (request, { signal }) =>
      runner.run(request as Block, signal),
)

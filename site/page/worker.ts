import { serveCalls } from '../../src/console/ask/rpc.ts'
import type { Block } from '../run/block.ts'
import { Runner } from '../run/run-block.ts'

/** The thread that answers blocks. It reads files of the site that pages name, and nothing else. */
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

import { writeSync } from 'node:fs'
import { openSqliteDocumentStore } from '../../src/resources/index.ts'
import { bodyOf, documentId, isDeletion } from './kill-plan.ts'
import { actor } from './stores.ts'

/** Writes without end and says on standard output what was acknowledged; meant to be killed. */
const [path, cycle, writers] = process.argv.slice(2)
const store = await openSqliteDocumentStore(path, () => BigInt(Date.now()) * 1_000_000n)

async function write(writer: number): Promise<never> {
  const id = documentId(Number(cycle), writer)
  for (let step = 0; ; step++) {
    await store.write(actor, (tx) => {
      if (isDeletion(step)) tx.remove('monitor', id)
      else tx.put('monitor', id, bodyOf(writer, step), id)
    })
    writeSync(1, `${writer} ${step}\n`)
  }
}

await Promise.all(Array.from({ length: Number(writers) }, (_, writer) => write(writer)))

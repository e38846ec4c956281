import { parentPort } from 'node:worker_threads'
import { present } from '../base/index.ts'
import { WordIndexBuilder, wordsOfTold } from '../store/index.ts'
import type { FromIndexing, ToIndex } from './index-thread.ts'

/** Makes the word indexes of the segments that it is told of, one after the other. */
export function serveIndexing(): void {
  const port = present(parentPort ?? undefined, 'the port of a worker')
  const builder = new WordIndexBuilder()
  port.on('message', ({ id, texts }: ToIndex) => {
    const answer: FromIndexing = { id, words: wordsOfTold(texts, builder) }
    port.postMessage(answer, [])
  })
}

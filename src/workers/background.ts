import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import { runToEnd } from '../base/index.ts'
import { WordIndexBuilder, decodeAlone, wordsOfEncoded, type LoneSegment, type WordArrays } from '../store/index.ts'
import { packSegment, type PackedSegment } from '../store/persistence/index.ts'
import type { TableNames } from '../store/segments/index.ts'

/** A background task of a store, such as indexing a segment. Any worker can run it. */
export type BackgroundTask =
  | { readonly kind: 'index'; readonly texts: LoneSegment }
  | { readonly kind: 'pack'; readonly names: TableNames; readonly segment: LoneSegment }

interface BackgroundResults {
  readonly index: WordArrays | undefined
  readonly pack: PackedSegment
}

/** Returns the result of a task, and the buffers of the result that are transferred instead of copied. */
function resultOf(task: BackgroundTask): readonly [BackgroundResults[BackgroundTask['kind']], readonly ArrayBuffer[]] {
  const words = new WordIndexBuilder()
  if (task.kind === 'index') return [wordsOfEncoded(task.texts, words), []]
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const summary = runToEnd(packSegment(decodeAlone(task.segment), task.names, words, (chunk) => chunks.push(chunk)))
  return [{ chunks, summary }, chunks.map(({ buffer }) => buffer)]
}

/** Runs the task whose message is in the port and posts its result. Closes the port if the task fails. */
export function runBackground(port: MessagePort): void {
  try {
    const [result, buffers] = resultOf(receiveMessageOnPort(port)?.message as BackgroundTask)
    port.postMessage(result, buffers)
  } catch {
    port.close()
  }
}

/**
 * Runs a task on a worker; `send` passes the port to the pool. Resolves to the result, or to `undefined` if the task
 * failed.
 */
export function inBackground<T extends BackgroundTask>(
  task: T,
  send: (port: MessagePort) => void,
): Promise<BackgroundResults[T['kind']] | undefined> {
  const { port1, port2 } = new MessageChannel()
  const { promise, resolve } = Promise.withResolvers<BackgroundResults[T['kind']] | undefined>()
  port1.once('message', (result: BackgroundResults[T['kind']]) => {
    resolve(result)
    port1.close()
  })
  port1.once('close', () => resolve(undefined))
  port1.postMessage(task, [])
  send(port2)
  return promise
}

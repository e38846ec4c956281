import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { MOST_RUNS } from '../measure.ts'
import type { AnswerRow, MakePeer } from './peer.ts'

/** An answer of the script next to this file; see there. */
interface Told {
  readonly seconds: number
  readonly rows: readonly AnswerRow[]
  readonly firstMs: number
  readonly medianMs: number
  readonly residentBytes: number
  readonly unknown?: boolean
}

/** polars in memory, in a Python process that measures its own times. */
export const polarsPeer: MakePeer = async ({ file, python, peerThreads }) => {
  if (python === undefined) throw new Error('polars needs --python PATH, an interpreter that has it.')
  const child = spawn(python, [join(import.meta.dirname, 'polars-questions.py')], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, POLARS_MAX_THREADS: String(peerThreads) },
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-2000)
  })
  const ended = once(child, 'close').then(([code]) => {
    throw new Error(`${python} ended with ${String(code)}: ${errors.trimEnd().split('\n').at(-1) ?? ''}`)
  })
  // A caller that waits for an answer receives the error.
  ended.catch(() => {})
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const tell = async (message: Readonly<Record<string, unknown>>): Promise<Told> => {
    child.stdin.write(`${JSON.stringify(message)}\n`)
    const next = await Promise.race([lines.next(), ended])
    return next.done === true ? await ended : (JSON.parse(next.value) as Told)
  }
  return {
    load: async () => (await tell({ load: file })).seconds,
    ask: async ({ question, fromNs, toNs, page, trace }) => {
      const jsonLines = question.jsonLines !== undefined
      const ask = { ask: question.id, jsonLines, from: String(fromNs), to: String(toNs), page, trace }
      const { rows, firstMs, unknown } = await tell(ask)
      if (unknown === true) return undefined
      const time = async (budgetMs: number) => (await tell({ time: budgetMs, most: MOST_RUNS })).medianMs
      return { rows, firstMs, medianMs: time }
    },
    bytes: async () => ({ residentBytes: (await tell({ bytes: true })).residentBytes }),
    close: async () => {
      child.stdin.end()
      await ended.catch(() => {})
    },
  }
}

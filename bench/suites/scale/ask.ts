import { formatRfc3339 } from '../../../src/base/index.ts'
import type { ServerProcess } from '../../../test/harness/server-process.ts'
import { authorized } from '../../../test/harness/server-process.ts'
import { bind, type DataSet } from '../../run.ts'
import type { Question } from '../../questions.ts'
import { figuresOf } from './process-figures.ts'

/** The cost of one question. */
export interface Asked {
  readonly milliseconds: number
  readonly cpuMs: number
  /** The number of file reads; with the bytes read, and the bytes of them that came from the disk. */
  readonly reads: number
  readonly readBytes: number
  readonly diskBytes: number
  readonly residentBytes: number
  /** The answer, or the code of its refusal. */
  readonly answer: string
  readonly refused: string | undefined
}

/** Sends a question over HTTP and reads the whole answer. */
export async function ask({ address, child }: ServerProcess, question: Question, of: DataSet): Promise<Asked> {
  const { fromNs, toNs, page, trace } = bind(question, of)
  const { query } = question
  const body = JSON.stringify({
    start: formatRfc3339(fromNs, true),
    end: formatRfc3339(toNs, true),
    query: query.replaceAll('$page', String(page)).replaceAll('$trace', trace),
  })
  const pid = child.pid ?? 0
  const before = figuresOf(pid)
  const startMs = performance.now()
  const response = await fetch(`${address}/api/logs/v2/search`, {
    method: 'POST',
    headers: authorized({ 'Content-Type': 'application/json' }),
    body,
  })
  const answer = await response.text()
  const milliseconds = performance.now() - startMs
  const after = figuresOf(pid)
  return {
    milliseconds,
    cpuMs: (after.cpuSeconds - before.cpuSeconds) * 1000,
    reads: after.reads - before.reads,
    readBytes: after.readBytes - before.readBytes,
    diskBytes: after.diskBytes - before.diskBytes,
    residentBytes: after.residentBytes,
    answer,
    refused: response.status === 200 ? undefined : (/"code":"([^"]+)"/.exec(answer)?.[1] ?? String(response.status)),
  }
}

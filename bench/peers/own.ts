import { Instant, JsonText, RowWriter, valueAt, type RecordBatch, type Value } from '../../src/data/index.ts'
import type { Engine } from '../../src/engine/index.ts'
import { AnswerBuffer } from '../../src/server/http/answer-buffer.ts'
import { AnswerMemory } from '../../src/server/http/answer-memory.ts'
import { textOfAnswer } from '../../src/server/http/answer.ts'
import type { WholeBody } from '../../src/workers/index.ts'
import type { Answer, AnswerRow, BoundQuestion, KeptLines } from './peer.ts'

function plain(value: Value): unknown {
  if (value instanceof Instant) return value.ns
  return value instanceof JsonText ? value.json : value
}

/**
 * Returns the rows of a batch as plain objects, as the other engines do. It reads column by column, as users of batches
 * do.
 */
export function objectsOf({ schema: { fields }, columns, rowCount }: RecordBatch): AnswerRow[] {
  const rows = Array.from({ length: rowCount }, (): Record<string, unknown> => ({}))
  for (const [c, { name, presence }] of fields.entries()) {
    const column = columns[c]
    for (let index = 0; index < rowCount; index++) {
      const value = valueAt(column, index)
      if (value !== null || presence === 'named') rows[index][name] = plain(value)
    }
  }
  return rows
}

/** Returns all rows as objects. A prepared query can be run again. */
export async function answerOf(result: ReturnType<Engine['query']>): Promise<readonly AnswerRow[]> {
  const rows: AnswerRow[] = []
  for await (const batch of result.batches()) for (const row of objectsOf(batch)) rows.push(row)
  return rows
}

const LIMIT_BYTES = 2 ** 30
const answers = new AnswerMemory(LIMIT_BYTES)
let last: WholeBody | undefined

/** Returns all rows as JSON lines, written by the same code and into the same buffers as HTTP answers. */
async function linesOf(result: ReturnType<Engine['query']>): Promise<KeptLines> {
  last?.cancel()
  const writer = new RowWriter()
  const buffer = new AnswerBuffer(answers.of(''), LIMIT_BYTES)
  for await (const batch of result.batches()) for (const piece of writer.bytes(batch, '\n')) buffer.add(piece)
  const body = (last = buffer.whole())
  return { text: () => textOfAnswer({ status: 200, headers: {}, body }) }
}

function resultOf(engine: Engine, bound: BoundQuestion): ReturnType<Engine['query']> {
  const text = bound.question.query.replaceAll('$page', String(bound.page)).replaceAll('$trace', bound.trace)
  return engine.query(text, {
    range: { startNs: bound.fromNs, endNs: bound.toNs },
    limits: { memoryBytes: 4 * 1024 ** 3 },
  })
}

/** Prepares a question from its text; the returned function runs it to the last row. */
export function prepareOwn(engine: Engine, bound: BoundQuestion): () => Promise<readonly AnswerRow[]> {
  const result = resultOf(engine, bound)
  return () => answerOf(result)
}

/** Like `prepareOwn`, but writes JSON lines where they are wanted. */
export function prepareAnswer(engine: Engine, bound: BoundQuestion): () => Promise<Answer> {
  const result = resultOf(engine, bound)
  return bound.question.jsonLines === undefined ? () => answerOf(result) : () => linesOf(result)
}

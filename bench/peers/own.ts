import { Instant, JsonText, valueAt, type RecordBatch, type Value } from '../../src/data/index.ts'
import type { Engine } from '../../src/engine/index.ts'
import type { AnswerRow, BoundQuestion } from './peer.ts'

function plain(value: Value): unknown {
  if (value instanceof Instant) return value.ns
  return value instanceof JsonText ? value.json : value
}

/** The rows of a batch as the peers give theirs: plain objects. One column after the other, as whoever reads batches does. */
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

/** All rows, materialised; prepared queries may be read again and again. */
export async function answerOf(result: ReturnType<Engine['query']>): Promise<readonly AnswerRow[]> {
  const rows: AnswerRow[] = []
  for await (const batch of result.batches()) for (const row of objectsOf(batch)) rows.push(row)
  return rows
}

/** The question as text, prepared; running it reads to the last materialised row. */
export function prepareOwn(engine: Engine, bound: BoundQuestion): () => Promise<readonly AnswerRow[]> {
  const text = bound.question.query.replaceAll('$page', String(bound.page)).replaceAll('$trace', bound.trace)
  const result = engine.query(text, {
    range: { startNs: bound.fromNs, endNs: bound.toNs },
    limits: { memoryBytes: 4 * 1024 ** 3 },
  })
  return () => answerOf(result)
}

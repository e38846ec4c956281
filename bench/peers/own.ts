import type { RecordBatch, Row } from '../../src/data/index.ts'
import { Instant, JsonText, rowsOf, type Value } from '../../src/data/index.ts'
import type { Engine } from '../../src/engine/index.ts'
import type { AnswerRow, AskedQuestion } from './peer.ts'

function plain(value: Value): unknown {
  if (value instanceof Instant) return value.ns
  return value instanceof JsonText ? value.json : value
}

/** A row as the peers give theirs: a plain object. */
function objectOf(row: Row): AnswerRow {
  const object: Record<string, unknown> = {}
  for (const [name, value] of row) object[name] = plain(value)
  return object
}

export function objectsOf(batch: RecordBatch): AnswerRow[] {
  return Array.from(rowsOf(batch), objectOf)
}

/** The question as text, prepared; running it reads to the last materialised row. */
export function prepareOwn(engine: Engine, asked: AskedQuestion): () => Promise<readonly AnswerRow[]> {
  const text = asked.question.query.replaceAll('$page', String(asked.page)).replaceAll('$trace', asked.trace)
  const result = engine.query(text, {
    range: { startNs: asked.fromNs, endNs: asked.toNs },
    limits: { memoryBytes: 4 * 1024 ** 3 },
  })
  return async () => {
    const rows: AnswerRow[] = []
    for await (const batch of result.batches()) for (const row of objectsOf(batch)) rows.push(row)
    return rows
  }
}

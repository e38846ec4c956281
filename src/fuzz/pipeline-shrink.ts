import type { JsonValue } from '../base/index.ts'
import type { StoredRow } from '../data/index.ts'
import type { Body } from './pipeline.ts'

export interface FailingPipeline {
  readonly body: Body
  readonly rows: readonly StoredRow[]
}

/** The value without one member or item, at any depth; outer ones first. A nested pipeline may stand for the whole. */
function* smallerValues(value: JsonValue): Generator<JsonValue> {
  if (value === null || typeof value !== 'object') return
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[]
    for (let i = 0; i < items.length; i++) yield items.toSpliced(i, 1)
    for (let i = 0; i < items.length; i++) for (const item of smallerValues(items[i])) yield items.with(i, item)
    return
  }
  const object = value as Body
  for (const name of ['from', 'leftPipeline', 'rightPipeline', 'join', 'union']) {
    const inner = object[name]
    if (inner !== null && typeof inner === 'object') yield inner
  }
  for (const name of Object.keys(object)) {
    const { [name]: _, ...rest } = object
    yield rest
  }
  for (const [name, member] of Object.entries(object)) {
    for (const inner of smallerValues(member)) yield { ...object, [name]: inner }
  }
}

function* smaller({ body, rows }: FailingPipeline): Generator<FailingPipeline> {
  for (let size = Math.ceil(rows.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < rows.length; from += size) yield { body, rows: rows.toSpliced(from, size) }
  }
  for (const value of smallerValues(body)) yield { body: value as Body, rows }
  for (let i = 0; i < rows.length; i++) {
    for (const name of rows[i].row.keys()) {
      if (name === '_time') continue
      const row = new Map(rows[i].row)
      row.delete(name)
      yield { body, rows: rows.with(i, { ...rows[i], row }) }
    }
  }
}

/** Makes a failing pipeline and its rows smaller as long as it fails; bounded by the number of attempts. */
export async function shrinkPipeline(
  failing: FailingPipeline,
  stillFails: (candidate: FailingPipeline) => Promise<boolean>,
  maxAttempts = 1200,
): Promise<FailingPipeline> {
  let best = failing
  let attempts = 0
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false
    for (const candidate of smaller(best)) {
      if (attempts++ >= maxAttempts) return best
      if (await stillFails(candidate)) {
        best = candidate
        isSmaller = true
        break
      }
    }
  }
  return best
}

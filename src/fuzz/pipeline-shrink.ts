import type { JsonValue } from '../base/index.ts'
import type { StoredRow } from '../data/index.ts'
import type { Body } from './pipeline.ts'
import { fewerFields, fewerRows, shrinkBy } from './shrink-by.ts'

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
  for (const fewer of fewerRows(rows)) yield { body, rows: fewer }
  for (const value of smallerValues(body)) yield { body: value as Body, rows }
  for (const fewer of fewerFields(rows)) yield { body, rows: fewer }
}

/** Makes a failing pipeline and its rows smaller as long as it fails; bounded by the number of attempts. */
export function shrinkPipeline(
  failing: FailingPipeline,
  stillFails: (candidate: FailingPipeline) => Promise<boolean>,
  maxAttempts = 1200,
): Promise<FailingPipeline> {
  return shrinkBy(smaller, failing, stillFails, maxAttempts)
}

import { BYTES_PER_CHECKPOINT, MAX_CACHED, type StepwiseTask } from '../../base/index.ts'
import { isJsonObject } from '../../data/index.ts'
import { TOO_LONG, badItem, jsonObject, recordOf, storable, type BadItem, type Items } from './item.ts'
import { MAX_ACTION_BYTES, MAX_ITEM_BYTES } from '../tuning.ts'

/** An action line of a bulk request. The action applies to the document in the next line. */
interface BulkAction {
  readonly name: 'create' | 'index' | 'update' | 'delete'
  readonly index: string | undefined
  readonly id: string | undefined
}

/** The outcome of one action; `bad` is the reason when nothing was stored. */
export interface BulkOutcome extends BulkAction {
  readonly bad: BadItem | undefined
}

/** The error for a body that is not a bulk request. */
export class BadBulk extends Error {
  override readonly name = 'BadBulk'
}

const ACTIONS: ReadonlySet<string> = new Set(['create', 'index', 'update', 'delete'])

function textMember(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function actionOf(text: string, line: number): BulkAction {
  const value = jsonObject(text)
  if (typeof value === 'string') throw new BadBulk(`line ${line} should be an action: ${value}`)
  const [[name, about] = ['', null], ...rest] = Object.entries(value)
  if (rest.length > 0 || !ACTIONS.has(name) || !isJsonObject(about))
    throw new BadBulk(`line ${line} is not an action: one of create, index, update or delete with an object`)
  return { name: name as BulkAction['name'], index: textMember(about['_index']), id: textMember(about['_id']) }
}

interface Step {
  readonly action: BulkAction
  /** The byte range `[from, to)` of the action's document; empty for a `delete`. */
  readonly from: number
  readonly to: number
}

/** Yields the actions of a request, and `undefined` at checkpoints. Throws BadBulk when a line is not an action. */
function* stepsOf(bytes: Buffer): Generator<Step | undefined, void> {
  const known = new Map<string, BulkAction>()
  let line = 0
  let turn = BYTES_PER_CHECKPOINT
  const lineAt = (from: number): number => {
    line++
    const end = bytes.indexOf(10, from)
    return end === -1 ? bytes.length : end
  }
  for (let at = bytes[0] === 0xef ? 3 : 0; at < bytes.length;) {
    if (at >= turn) {
      turn = at + BYTES_PER_CHECKPOINT
      yield undefined
    }
    const end = lineAt(at)
    if (end - at > MAX_ACTION_BYTES) throw new BadBulk(`line ${line} is not an action: it is too long`)
    const text = bytes.toString('utf8', at, end).trim()
    at = end + 1
    if (text === '') continue
    const action = known.get(text) ?? actionOf(text, line)
    if (known.size < MAX_CACHED) known.set(text, action)
    if (action.name === 'delete') {
      yield { action, from: end, to: end }
      continue
    }
    if (at >= bytes.length) throw new BadBulk(`the document of the action in line ${line} is missing`)
    const to = lineAt(at)
    yield { action, from: at, to }
    at = to + 1
  }
}

/**
 * Checks all actions of a request before its first document is stored. Throws BadBulk when an action cannot be read.
 */
export function* checkBulk(payload: Uint8Array): StepwiseTask<void> {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  let actions = 0
  for (const step of stepsOf(bytes)) {
    if (step === undefined) yield
    else actions++
  }
  if (actions === 0) throw new BadBulk('it has no action')
}

/**
 * Yields the documents of a bulk request, with the action's `_index` and `_id` as fields. Documents can only be added;
 * each `update` and `delete` is refused. `tell` is called for every action in order.
 */
export function* bulkDocuments(payload: Uint8Array, tell: (outcome: BulkOutcome) => void): Items {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  const read = ({ action: { name, index, id }, from, to }: Step): ReturnType<typeof storable> => {
    if (name === 'update' || name === 'delete')
      return badItem('documents are only added here, by create or index', name)
    if (to - from > MAX_ITEM_BYTES) return badItem(TOO_LONG, '')
    const text = bytes.toString('utf8', from, to)
    const value = jsonObject(text)
    if (typeof value === 'string') return badItem(value, text)
    const record = recordOf(value)
    if (index !== undefined) record.set('_index', index)
    if (id !== undefined) record.set('_id', id)
    return storable(record, () => text)
  }
  for (const step of stepsOf(bytes)) {
    if (step === undefined) {
      yield undefined
      continue
    }
    const item = read(step)
    tell({ ...step.action, bad: item instanceof Map ? undefined : item })
    yield item
  }
}

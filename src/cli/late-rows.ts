import { closeSync, openSync, readSync } from 'node:fs'
import { valueAt } from '../data/index.ts'
import type { Engine, QueryOptions } from '../engine/index.ts'
import type { LogicalPlan } from '../plan/index.ts'
import type { MemoryTable } from '../store/index.ts'
import { PLACES_PER_FILE } from './load.ts'

/** The field that holds where a row's line begins, while nothing else of the line is known. */
export const PLACE = 'sluice.place'
const MAX_LATE_ROWS = 10_000
const READ_BYTES = 4096
const LINE_BREAK = 10

/**
 * Whether a plan picks few whole rows and does no more with them: then it gives the same rows when it is asked of these
 * rows alone, and their other fields need not be read of all rows.
 */
function picksFewRows(plan: LogicalPlan): boolean {
  let node = plan
  let isBounded = false
  for (;;) {
    switch (node.kind) {
      case 'limit':
      case 'sort':
        if (node.offset > 0 || (node.kind === 'sort' && node.rankName !== undefined)) return false
        if (node.kind === 'limit' || node.partitionBy.length === 0) {
          isBounded ||= node.limit !== undefined && node.limit <= MAX_LATE_ROWS
        }
        node = node.input
        break
      case 'filter':
        node = node.input
        break
      case 'scan':
        return isBounded && node.columns === undefined && node.guard === undefined
      default:
        return false
    }
  }
}

/** The plan that gives only the places of a query's rows, with its text; `undefined` when rows are not just picked. */
export function placesQuery(
  text: string,
  optimized: LogicalPlan,
  engine: Engine,
  asked: QueryOptions,
): { readonly text: string; readonly plan: LogicalPlan } | undefined {
  if (!picksFewRows(optimized)) return undefined
  // A line break, since the text may end in a comment.
  const placing = `${text}\n| fields \`${PLACE}\``
  const plan = engine.plan(placing, asked).optimized
  return plan.kind === 'project' ? { text: placing, plan } : undefined
}

export async function placesOf(engine: Engine, text: string, asked: QueryOptions): Promise<readonly number[]> {
  const places: number[] = []
  for await (const { columns, rowCount } of engine.query(text, asked).batches()) {
    for (let i = 0; i < rowCount; i++) {
      const place = valueAt(columns[0], i)
      if (typeof place === 'number') places.push(place)
    }
  }
  return places.sort((a, b) => a - b)
}

function lineAt(file: number, offset: number): Buffer {
  for (let length = READ_BYTES; ; length *= 4) {
    const bytes = Buffer.alloc(length)
    const read = readSync(file, bytes, 0, length, offset)
    const end = bytes.subarray(0, read).indexOf(LINE_BREAK)
    if (end !== -1 || read < length) return bytes.subarray(0, end === -1 ? read : end)
  }
}

/** Reads the lines at ascending places into a table. */
export function appendPlaces(
  paths: readonly string[],
  places: readonly number[],
  table: MemoryTable,
  nowNs: bigint,
): void {
  let at = 0
  for (const [i, path] of paths.entries()) {
    const end = (i + 1) * PLACES_PER_FILE
    if (at === places.length || places[at] >= end) continue
    const file = openSync(path, 'r')
    try {
      for (; at < places.length && places[at] < end; at++) {
        table.appendJsonLines(lineAt(file, places[at] - i * PLACES_PER_FILE), { nowNs })
      }
    } finally {
      closeSync(file)
    }
  }
}

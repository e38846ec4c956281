import { createWriteStream, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random, zipf } from '../../random.ts'

/** The files of the join suite. Half of the traces of `smallLogs` have no span. */
export interface JoinFiles {
  readonly spans: string
  readonly logs: string
  readonly smallLogs: string
}

export interface JoinSizes {
  readonly spans: number
  readonly logs: number
  readonly smallLogs: number
  readonly seed: number
}

const HOT_SHARE = 0.2
const MATCHING_SHARE = 0.1
const levels = ['info', 'debug', 'warn', 'error']

/** Returns an id of 16 hex digits, equal for equal kinds and numbers. */
function id(kind: number, index: number): string {
  const high = Math.imul(index + 1, 0x9e3779b1) ^ kind
  const low = Math.imul(index ^ (index >>> 15) ^ kind, 0x85ebca6b) ^ index
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0')
}

/** Returns a time. Times rise by at least a microsecond, so that no two rows of a file have the same. */
function time(row: number, random: Random): string {
  const micros = row * 2 + random.below(2)
  const seconds = Math.floor(micros / 1e6)
  return `2026-03-17T09:00:${String(seconds).padStart(2, '0')}.${String(micros % 1e6).padStart(6, '0')}Z`
}

/**
 * Returns the keys that both sides share. `peer` differs in each row, and a tenth of its values also occurs on the
 * other side. A fifth of `hot` (skewed in spans only) and of `hot_both` is one single key.
 */
function keys(row: number, side: 0 | 1, random: Random): string {
  const peer = row % (1 / MATCHING_SHARE) === 0 ? id(7, row) : id(8 + side, row)
  const isHot = random.unit() < HOT_SHARE
  const hot = side === 0 && isHot ? id(7, 0) : peer
  return `"peer":"${peer}","hot":"${hot}","hot_both":"${isHot ? 'hot' : peer}"`
}

function* spanLines({ spans, seed }: JoinSizes): Generator<string> {
  const random = new Random(seed)
  const workload = zipf(200, 1.05)
  const traces = Math.max(1, spans >> 2)
  for (let row = 0; row < spans; row++) {
    const seconds = Math.round(Math.exp(random.normal()) * 1e6) / 1e9
    yield (
      `{"_time":"${time(row, random)}","trace_id":"${id(1, random.below(traces))}","span_id":"${id(2, row)}",` +
        `"workload":"w${workload.draw(random)}","span_name":"GET /api/${random.below(500)}",` +
        `"duration_seconds":${seconds},${keys(row, 0, random)}}\n`
    )
  }
}

function* logLines({ spans, seed }: JoinSizes, rows: number, side: number): Generator<string> {
  const random = new Random(seed + side)
  const workload = zipf(200, 1.05)
  const traces = Math.max(1, spans >> 1)
  for (let row = 0; row < rows; row++) {
    const ms = Math.round(Math.exp(3.4 + random.normal()) * 1000) / 1000
    yield (
      `{"_time":"${time(row, random)}","trace_id":"${id(1, random.below(traces))}",` +
        `"level":"${levels[random.below(4)]}","workload":"w${workload.draw(random)}","duration_ms":${ms},` +
        `"content":"request ${random.below(100_000)} took ${ms} ms",${keys(row, 1, random)}}\n`
    )
  }
}

async function written(file: string, lines: () => Generator<string>): Promise<string> {
  if (existsSync(`${file}.done`)) return file
  const out = createWriteStream(file)
  let some: string[] = []
  const flush = async (): Promise<void> => {
    const text = some.join('')
    some = []
    if (!out.write(text)) await once(out, 'drain')
  }
  for (const line of lines()) if (some.push(line) === 5000) await flush()
  await flush()
  out.end()
  await once(out, 'finish')
  writeFileSync(`${file}.done`, '')
  return file
}

/** Writes the data as JSON lines, once for all runs with these sizes, and returns the files. */
export async function joinFiles(sizes: JoinSizes): Promise<JoinFiles> {
  const folder = join(tmpdir(), 'sluice-bench')
  mkdirSync(folder, { recursive: true })
  const file = (name: string, rows: number): string => join(folder, `join-${name}-${rows}-${sizes.seed}.ndjson`)
  return {
    spans: await written(file('spans', sizes.spans), () => spanLines(sizes)),
    logs: await written(file('logs', sizes.logs), () => logLines(sizes, sizes.logs, 1)),
    smallLogs: await written(file(`logs-for-${sizes.spans}`, sizes.smallLogs), () =>
      logLines(sizes, sizes.smallLogs, 2),
    ),
  }
}

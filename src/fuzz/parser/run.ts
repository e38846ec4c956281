import { seededRandom, type Random } from '../../base/index.ts'
import { shares, tell, type Reading, type Told } from './laws.ts'
import { drawText, textPool } from './texts.ts'

const CASES_PER_POOL = 20_000
/** A text that takes longer hangs, whatever its length. */
const LIMIT_MS = 250
/** The signal is looked at, and other work let in, after so many cases. */
const CASES_PER_TURN = 2_000

export interface ParserFuzzOptions {
  /** Cases are those of the seeds from here on; the same seeds give the same cases. */
  readonly seed: number
  readonly runs: number
  readonly maxFailures: number
  readonly signal?: AbortSignal
  readonly progress?: (cases: number) => void
}

export interface ParserFailure {
  readonly seed: number
  readonly reading: Reading
  readonly text: string
  readonly message: string
}

export interface ParserFuzzReport {
  cases: number
  /** Texts without an error. */
  sound: number
  slowestMs: number
  readonly failures: ParserFailure[]
  /** Cases by how their text came about, and by what was said of it. */
  readonly uses: Map<string, number>
}

function readingOf(random: Random): Reading {
  return {
    dialect: random.next() < 0.5 ? 'native' : 'logsql',
    asks: {
      check: random.next() < shares.check,
      format: random.next() < shares.format,
      fixes: random.next() < shares.fixes,
    },
  }
}

interface Timed extends Told {
  readonly tookMs: number
}

function timed(text: string, reading: Reading): Timed {
  const startMs = performance.now()
  const found = tell(text, reading)
  return { ...found, tookMs: performance.now() - startMs }
}

/** A busy machine makes anything slow once; what is slow by itself is so every time. */
function tellInTime(text: string, reading: Reading): Timed {
  let found = timed(text, reading)
  for (let i = 0; i < 3 && found.tookMs > LIMIT_MS; i++) found = timed(text, reading)
  return found.tookMs > LIMIT_MS && found.fault === undefined
    ? { ...found, fault: `takes ${found.tookMs.toFixed(0)} ms` }
    : found
}

/** Cuts pieces out as long as something is wrong with the rest. */
function shrunk(text: string, reading: Reading): string {
  let best = text
  let attempts = 0
  for (let size = Math.ceil(text.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.length;) {
      if (attempts++ > 500) return best
      const candidate = best.slice(0, at) + best.slice(at + size)
      if (tellInTime(candidate, reading).fault === undefined) at += size
      else best = candidate
    }
  }
  return best
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Reads the texts of the seeds `seed` to `seed + runs - 1`. */
export async function runParserFuzz(options: ParserFuzzOptions): Promise<ParserFuzzReport> {
  const report: ParserFuzzReport = { cases: 0, sound: 0, slowestMs: 0, failures: [], uses: new Map() }
  const end = options.seed + options.runs
  for (let seed = options.seed; seed < end;) {
    const block = Math.floor(seed / CASES_PER_POOL)
    const pool = textPool(block)
    for (; seed < end && Math.floor(seed / CASES_PER_POOL) === block; seed++) {
      const random = seededRandom(seed)
      const { text, how } = drawText(random, pool)
      const reading = readingOf(random)
      const { fault, isSound, codes, tookMs } = tellInTime(text, reading)
      report.cases++
      if (isSound) report.sound++
      if (tookMs > report.slowestMs) report.slowestMs = tookMs
      count(report.uses, how)
      for (const code of codes) count(report.uses, code)
      if (fault !== undefined) {
        const small = shrunk(text, reading)
        report.failures.push({ seed, reading, text: small, message: tellInTime(small, reading).fault ?? fault })
        if (report.failures.length >= options.maxFailures) return report
      }
      if (report.cases % CASES_PER_TURN === 0) {
        options.progress?.(report.cases)
        await new Promise(setImmediate)
        if (options.signal?.aborted === true) return report
      }
    }
  }
  return report
}

/**
 * How the time from a text to its optimized plan grows with the length of the text: forty ways to write a long query,
 * each in six lengths, without limits on text and terms but with the depth limit. A slope of 1 in logarithms means
 * linear time. `npm run bench -- slopes [--only <parts of names>] [--max-kb 1024] [--most 1.2]`
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { rowsBackend } from '../../src/backends/rows/index.ts'
import { SluiceError } from '../../src/base/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { slopeTexts, type SlopeText } from './slopes/texts.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    'max-kb': { type: 'string', default: '1024' },
    most: { type: 'string', default: '1.2' },
  },
})

const KB = 1024
const sizes = [1, 4, 16, 64, 256, 1024].filter((kb) => kb <= Number(values['max-kb']))
/** Milliseconds after which a text is measured only once, and longer texts of its kind are not measured. */
const TOO_LONG_MS = 20_000
const lifted = {
  textBytes: Infinity,
  terms: Infinity,
  pipes: Infinity,
  fields: Infinity,
  patternLength: Infinity,
  errors: Infinity,
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const engine = createEngine({ backends: [rowsBackend(new Map(), standardFunctions)] })

/** Returns the processor time of this process in milliseconds, which depends little on other work of the machine. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function planOnce(text: string): string | undefined {
  try {
    engine.plan(text, { textLimits: lifted, nowNs: 0n })
    return undefined
  } catch (error) {
    if (error instanceof SluiceError) return error.code
    throw error
  }
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** Returns the milliseconds of one text: the median of several runs, more for short ones. */
function timeMs(text: string): number {
  const times: number[] = []
  let spentMs = 0
  while (times.length < 3 || (spentMs < 150 && times.length < 31)) {
    const start = cpuMs()
    planOnce(text)
    const tookMs = Math.max(cpuMs() - start, 0.001)
    times.push(tookMs)
    spentMs += tookMs
    if (tookMs > TOO_LONG_MS / 4) break
  }
  return median(times)
}

/** Returns the slope of the line through the points, by least squares in logarithms. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const)
  const mean = (pick: 0 | 1): number => logs.reduce((sum, point) => sum + point[pick], 0) / logs.length
  const [mx, my] = [mean(0), mean(1)]
  const over = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0)
  return over / logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
}

interface Slope {
  readonly slope: number
  /** The slope between the last two lengths, where constant costs no longer show. */
  readonly last: number
}

function measure({ name, text, isRefused }: SlopeText): Slope {
  const points: (readonly [number, number])[] = []
  let note = ''
  for (const kb of sizes) {
    const made = text(kb * KB)
    const code = planOnce(made)
    if ((code !== undefined) !== (isRefused ?? false)) note = `  ${code ?? 'accepted'} at ${kb} KB`
    const tookMs = timeMs(made)
    points.push([Buffer.byteLength(made), tookMs])
    if (tookMs > TOO_LONG_MS) break
  }
  const found = { slope: slopeOf(points), last: slopeOf(points.slice(-2)) }
  const columns = sizes.map((_, i) => (points[i]?.[1].toFixed(points[i][1] < 10 ? 2 : 0) ?? '-').padStart(8))
  print(
    `${name.padEnd(30)}${columns.join('')}${found.slope.toFixed(2).padStart(8)}${found.last.toFixed(2).padStart(8)}${note}`,
  )
  if (note !== '') process.exitCode = 1
  return found
}

// The first run of code is slow, which is no property of the text.
for (const { text } of slopeTexts) for (let i = 0; i < 3; i++) planOnce(text(4 * KB))
print(`${'ms at'.padEnd(30)}${sizes.map((kb) => `${kb} KB`.padStart(8)).join('')}   slope    last`)
const most = Number(values.most)
const chosen = slopeTexts.filter(({ name }) => values.only.split(',').some((part) => name.includes(part)))
const steep = chosen.filter((text) => measure(text).slope > most)
print(`${chosen.length} texts, ${steep.length} steeper than ${most}`)
if (steep.length > 0) process.exitCode = 1

import { composite, EQUAL_BELOW_MS, timesPeer } from './measure.ts'
import { isPeerName, peers } from './peers/index.ts'
import { questionClasses, questions } from './questions.ts'
import type { BenchResult } from './run.ts'

/** A question counts as slower when it takes more than this many times the best peer's time. */
const MOST_TIMES_BEST = 1.2
/** The longest allowed first run: this many times the warm run, plus a number of milliseconds. */
const FIRST_TIMES = 3
const FIRST_MORE_MS = 20

export interface Standing {
  readonly peer: string
  /** The geometric mean of (peer + 0.1 ms) / (own + 0.1 ms). */
  readonly mean: number
  readonly questions: number
}

type Times = Readonly<Record<string, number>>

/** Returns the peers of a result, our own engine first. */
export function peersOf({ loadSeconds }: Pick<BenchResult, 'loadSeconds'>): readonly string[] {
  return Object.keys(loadSeconds)
}

export function titleOf(peer: string): string {
  return isPeerName(peer) ? peers[peer].title : peer
}

/** Returns the fastest of the other engines. */
export function bestPeer(times: Times, own: string): readonly [name: string, ms: number] | undefined {
  const others = Object.entries(times).filter(([name]) => name !== own)
  return others.length === 0 ? undefined : others.reduce((best, each) => (each[1] < best[1] ? each : best))
}

function standing(peer: string, pairs: readonly (readonly [own: number, peer: number])[]): readonly Standing[] {
  if (pairs.length === 0) return []
  const mean = composite(
    pairs.map(([own]) => own),
    pairs.map(([, other]) => other),
  )
  return [{ peer, mean, questions: pairs.length }]
}

/** Compares us with each peer, and with the best of them, over the questions that both answer. */
export function standings({ medians, loadSeconds }: BenchResult): readonly Standing[] {
  const [own, ...others] = peersOf({ loadSeconds })
  const all = Object.values(medians).filter((times) => times[own] !== undefined)
  const besides = others.flatMap((name) =>
    standing(
      name,
      all.flatMap((times) => (times[name] === undefined ? [] : [[times[own], times[name]] as const])),
    ),
  )
  const best = all.flatMap((times) => {
    const found = bestPeer(times, own)
    return found === undefined ? [] : [[times[own], found[1]] as const]
  })
  return others.length < 2 ? besides : [...besides, ...standing('best peer', best)]
}

/** Returns the questions in which a peer is faster by more than allowed, the worst first. */
export function slower({ medians, loadSeconds }: BenchResult): readonly string[] {
  const [own] = peersOf({ loadSeconds })
  return Object.entries(medians)
    .flatMap(([id, times]) => {
      const best = times[own] === undefined ? undefined : bestPeer(times, own)
      return best === undefined ? [] : [{ id, best, ownMs: times[own], factor: timesPeer(times[own], best[1]) }]
    })
    .filter(({ factor }) => factor > MOST_TIMES_BEST)
    .toSorted((a, b) => b.factor - a.factor)
    .map(
      ({ id, best: [name, ms], ownMs, factor }) =>
        `${id} ${factor.toFixed(2)} times ${titleOf(name)} (${milliseconds(ownMs)} and ${milliseconds(ms)} ms)`,
    )
}

/** Returns our questions whose first run takes longer than allowed. */
export function slowFirst({ medians, firstMs, loadSeconds }: BenchResult): readonly string[] {
  const [own] = peersOf({ loadSeconds })
  return Object.entries(medians).flatMap(([id, { [own]: warm }]) => {
    const first = firstMs[id]?.[own]
    if (warm === undefined || first === undefined || first <= FIRST_TIMES * warm + FIRST_MORE_MS) return []
    return [`${id} ${milliseconds(first)} ms, warm ${milliseconds(warm)}`]
  })
}

export function milliseconds(ms: number): string {
  return ms < 10 ? ms.toFixed(2) : ms.toFixed(0)
}

function table(result: BenchResult, values: BenchResult['medians']): readonly string[] {
  const names = peersOf(result)
  const [own] = names
  const widths = names.map((name) => Math.max(name.length, 9) + 2)
  const lines = [
    `${'id'.padEnd(5)}${names.map((name, i) => name.padStart(widths[i])).join('')}${'best/own'.padStart(10)}`,
  ]
  for (const { id, title } of questions) {
    const times = values[id]
    if (times === undefined) continue
    const cells = names.map((name, i) => (times[name]?.toFixed(3) ?? '').padStart(widths[i]))
    const best = times[own] === undefined ? undefined : bestPeer(times, own)
    const ratio = best === undefined ? '' : (1 / timesPeer(times[own], best[1])).toFixed(2)
    lines.push(`${id.padEnd(5)}${cells.join('')}${ratio.padStart(10)}  ${title}`)
  }
  return lines
}

/** Writes a result as lines for a terminal. */
export function report(result: BenchResult): readonly string[] {
  const { rows, threads, peerThreads, loadSeconds, bytes, medians, firstMs, differences } = result
  const megabytes = (count: number): string => `${Math.round(count / 1024 ** 2)} MB`
  const lines = [
    `${rows} rows; our threads ${threads}, others' ${peerThreads}. Warm medians in ms; best/own: ${EQUAL_BELOW_MS} ms and less count as equal`,
    ...table(result, medians),
    'First asking in ms, from the text to the last row',
    ...table(result, firstMs),
  ]
  for (const name of peersOf(result)) {
    const { residentBytes, emptyBytes, diskBytes } = bytes[name]
    const disk = diskBytes === undefined ? '' : `, ${megabytes(diskBytes)} on disk`
    const ofRow = (count: number): string => `${(count / rows).toFixed(0)} B a row`
    const empty =
      emptyBytes === undefined
        ? ''
        : ` (${megabytes(emptyBytes)} before loading; ${ofRow(residentBytes - emptyBytes)} since)`
    const resident = `${megabytes(residentBytes)} resident, ${ofRow(residentBytes)}${empty}`
    lines.push(`${name}: loaded in ${loadSeconds[name].toFixed(2)} s, ${resident}${disk}`)
  }
  for (const { peer, mean, questions: count } of standings(result)) {
    lines.push(`${peer} / own: ${mean.toFixed(2)} (geometric mean of (t + 0.1 ms) over ${count} questions)`)
  }
  const late = slower(result)
  lines.push(`slower than ${MOST_TIMES_BEST} times the best peer: ${late.length === 0 ? 'none' : late.join('; ')}`)
  const cold = slowFirst(result)
  const most = `${FIRST_TIMES} times the warm one + ${FIRST_MORE_MS} ms`
  lines.push(`first asking above ${most}: ${cold.length === 0 ? 'none' : cold.join('; ')}`)
  return [...lines, ...differences.map((difference) => `DIFFERENCE ${difference}`)]
}

export interface Slope {
  readonly title: string
  /**
   * For each peer: the geometric mean of the times over the larger data divided by those over the smaller, each plus
   * 0.1 ms.
   */
  readonly factors: Times
}

/** Computes by class of questions how times grow from one result to a result with more rows. */
export function slopesBetween(small: BenchResult, large: BenchResult): readonly Slope[] {
  const names = peersOf(large).filter((name) => peersOf(small).includes(name))
  const growth = (ids: readonly string[]): Times =>
    Object.fromEntries(
      names.flatMap((name) => {
        const pairs = ids.flatMap((id) => {
          const [before, after] = [small.medians[id]?.[name], large.medians[id]?.[name]]
          return before === undefined || after === undefined ? [] : [[before, after] as const]
        })
        return standing(name, pairs).map(({ mean }) => [name, mean] as const)
      }),
    )
  return [
    ...questionClasses.map(({ title, ids }) => ({ title, factors: growth(ids) })),
    { title: 'All questions', factors: growth(questions.map(({ id }) => id)) },
  ].filter(({ factors }) => Object.keys(factors).length > 0)
}

/** Writes how times grow from each result to the next larger one. */
export function slopes(results: readonly BenchResult[]): readonly string[] {
  return results.slice(1).flatMap((large, i) => {
    const small = results[i]
    const rows = (large.rows / small.rows).toFixed(1)
    const lines = slopesBetween(small, large).map(
      ({ title, factors }) =>
        `  ${title.padEnd(36)}${Object.entries(factors)
          .map(([name, factor]) => ` ${name} ${factor.toFixed(2)}`)
          .join(',')}`,
    )
    return [`From ${small.rows} to ${large.rows} rows, ${rows} times as many, times grow by`, ...lines]
  })
}

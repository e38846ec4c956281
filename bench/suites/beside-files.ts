/**
 * Compares our data folder with files of DuckDB and SQLite, each engine in a process of its own: load time and bytes,
 * then the 33 questions warm and with files that are not in the system's cache. Answers are compared first.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Child } from '../child-process.ts'
import { ratio } from '../measure.ts'
import { firstDifference, normalizeRows } from '../peers/normalize.ts'
import { questions } from '../questions.ts'
import { bind, dataFile } from '../run.ts'
import type { EngineOverFiles, FromEngine, ToEngine } from './beside-files/child.ts'
import { evict, filesIn } from './scale/process-figures.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    engines: { type: 'string', default: 'sluice,duckdb,sqlite' },
    only: { type: 'string', default: '' },
    folder: { type: 'string' },
    budget: { type: 'string', default: '300' },
    times: { type: 'string', default: '3' },
  },
})
const rows = Number(values.rows)
const seed = Number(values.seed)
const engines = values.engines.split(',') as EngineOverFiles[]
const asked = values.only === '' ? questions : questions.filter(({ id }) => values.only.split(',').includes(id))
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Questions that look up or count rows; in these, every other engine must be slower. */
const LOOK_UPS = 'Q01 Q02 Q03 Q04 Q05 Q06 Q07 Q12 Q13 Q14 Q15 Q16 Q18 Q19 Q20 Q21 Q25 Q29 Q31 Q32'.split(' ')
/** A row count so small that only the engines' own code is compiled. */
const FEW_ROWS = 20_000

type Said<K extends FromEngine['kind']> = Extract<FromEngine, { readonly kind: K }>

class EngineProcess {
  readonly name: EngineOverFiles
  readonly #child: Child<FromEngine>
  readonly #root: string

  constructor(name: EngineOverFiles, root: string) {
    this.name = name
    this.#root = root
    this.#child = new Child(join(import.meta.dirname, 'beside-files/child.ts'), { engine: name })
  }

  pathOf(count: number): string {
    return join(this.#root, `${this.name}-${count}`)
  }

  async #told<K extends FromEngine['kind']>(kind: K, message: ToEngine): Promise<Said<K>> {
    const said = await this.#child.ask(message)
    if (said.kind === kind) return said as Said<K>
    throw new Error(`${this.name}: ${said.kind === 'failed' ? said.message : JSON.stringify(said)}`)
  }

  async open(count: number): Promise<Said<'opened'>> {
    const file = await dataFile({ rows: count, seed })
    const none = { bodies: undefined, python: undefined, logs: undefined }
    const options = { ...none, file, path: this.pathOf(count), rows: count, seed, threads: 2, peerThreads: 2 }
    return this.#told('opened', { kind: 'open', options })
  }

  ask(question: (typeof questions)[number], count: number): Promise<Said<'answered'>> {
    return this.#told('answered', { kind: 'ask', bound: bind(question, { rows: count, seed }) })
  }

  time(): Promise<Said<'timed'>> {
    return this.#told('timed', { kind: 'time', budgetMs: Number(values.budget) })
  }

  async close(): Promise<void> {
    await this.#told('closed', { kind: 'close' })
  }

  stop(): Promise<void> {
    return this.#child.stop()
  }

  /** Opens the files again after they were removed from the system's cache. */
  async openCold(): Promise<Said<'opened'>> {
    await this.close()
    const path = this.pathOf(rows)
    if (!evict(statSync(path).isFile() ? [path] : filesIn(path))) throw new Error('files cannot be evicted here')
    return this.open(rows)
  }
}

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]
const root = values.folder ?? mkdtempSync(join(tmpdir(), 'sluice-beside-files-'))
mkdirSync(root, { recursive: true })
const running: EngineProcess[] = []
try {
  for (const name of engines) {
    const engine = new EngineProcess(name, root)
    running.push(engine)
    await engine.open(FEW_ROWS)
    // The compilation of the engine's own code must not count as a cost of its files.
    for (let round = 0; round < 3; round++) for (const question of asked) await engine.ask(question, FEW_ROWS)
    await engine.close()
    const wasThere = existsSync(engine.pathOf(rows))
    const { loadSeconds, diskBytes } = await engine.open(rows)
    print(
      `${name}: ${wasThere ? 'loaded before' : `loaded ${rows} rows in ${loadSeconds.toFixed(1)} s`}, ${(diskBytes / 1e6).toFixed(1)} MB on disk, ${(diskBytes / rows).toFixed(1)} B a row`,
    )
  }
  const others = engines.slice(1)
  const cells = (titles: readonly string[]): string => titles.map((title) => title.padStart(10)).join(' ')
  print(
    `${'question'.padEnd(34)} ${cells(engines.map((name) => `cold ${name}`.slice(0, 10)))} ${cells(engines.map((name) => `cpu ${name}`))} ${cells(engines.map((name) => `warm ${name}`.slice(0, 10)))}   ${others.map((name) => `${name}/${engines[0]} cold, warm`).join('   ')}`,
  )
  const opens = engines.map((): number[] => [])
  const slower: string[] = []
  for (const question of asked) {
    const colds: number[] = []
    const cpus: number[] = []
    const warms: number[] = []
    let expected: ReturnType<typeof normalizeRows> | undefined
    for (const [i, engine] of running.entries()) {
      const rounds: number[] = []
      const cpuRounds: number[] = []
      for (let round = 0; round < Number(values.times); round++) {
        opens[i].push((await engine.openCold()).openMs)
        const answered = await engine.ask(question, rows)
        rounds.push(answered.milliseconds)
        cpuRounds.push(answered.cpuMs)
        const found = normalizeRows(answered.rows)
        expected ??= found
        const difference = firstDifference(expected, found)
        if (difference !== undefined)
          print(`DIFFERENCE ${question.id}: ${engines[0]} and ${engine.name}: ${difference}`)
      }
      colds.push(median(rounds))
      cpus.push(median(cpuRounds))
      warms.push((await engine.time()).milliseconds)
    }
    const figures = (list: readonly number[]): string => cells(list.map((ms) => ms.toFixed(2)))
    const ratios = others.map((_name, i) => [ratio(colds[0], colds[i + 1]), ratio(warms[0], warms[i + 1])])
    if (LOOK_UPS.includes(question.id))
      for (const [i, [cold, warm]] of ratios.entries())
        for (const [how, times] of [['cold', cold] as const, ['warm', warm] as const])
          if (times < 1) slower.push(`${question.id} ${how}: ${(1 / times).toFixed(2)} times ${others[i]}`)
    print(
      `${`${question.id} ${question.title}`.padEnd(34)} ${figures(colds)} ${figures(cpus)} ${figures(warms)}   ${ratios.map(([cold, warm]) => `${cold.toFixed(1)}, ${warm.toFixed(1)}`.padStart(16)).join('   ')}`,
    )
  }
  for (const [i, name] of engines.entries()) print(`${name}: opened in ${median(opens[i]).toFixed(1)} ms (median)`)
  for (const line of slower) print(`SLOWER ${line}`)
} finally {
  for (const engine of running) await engine.stop()
  if (values.folder === undefined) rmSync(root, { recursive: true, force: true })
}

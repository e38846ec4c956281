import { MS_NS, formatDurationNs, nextTurn, runCooperatively } from '../../../base/index.ts'
import { Instant, rowsOf, toText, type Row } from '../../../data/index.ts'
import { columnarBackend } from '../../../backends/columnar/index.ts'
import { standardFunctions } from '../../../functions/index.ts'
import { createEngine, type Engine, type QueryOptions } from '../../../engine/index.ts'
import { canon, parse, printerOf, withoutPipes } from '../../../lang/log/index.ts'
import { createMemoryStore, standardCatalog, type MemoryStore } from '../../../store/index.ts'
import { AskError } from '../../ask/ask-error.ts'
import type { Source } from '../../ask/ask.ts'
import {
  isDialect,
  type Dialect,
  type Domain,
  type Facet,
  type FieldCount,
  type FoundRequest,
  type LoadState,
  type LogLanguage,
  type TimeRange,
} from '../../ask/requests.ts'
import { lintsOfServers } from '../../language/lints.ts'
import { KeptRows, ROWS_WITH_KNOWN_FIELDS, StateTeller } from '../kept-rows.ts'
import { BatchRows } from './batch-rows.ts'
import { askErrorOf, sentDiagnostic } from './diagnostics.ts'
import { readFile } from './read-files.ts'

const tables: Readonly<Record<Domain, string>> = { logs: 'logs', events: 'events', traces: 'spans' }

/** Maximum time between two opportunities for queries while a file is read, ms. */
const TURN_MS = 20

/** Interval between progress reports of a load, ms. */
const TELL_MS = 100

/** Returns the dialect of a language. Throws AskError for LogQL, which the page cannot run without a server. */
function dialectOf(language: LogLanguage): Dialect {
  if (isDialect(language)) return language
  const message = 'Files are searched in Sluice and LogsQL; a search in LogQL needs a server.'
  throw new AskError({ kind: 'other', message, diagnostics: [] })
}

function optionsOf({ domain, range, ...asked }: Omit<FoundRequest, 'query'>, signal: AbortSignal): QueryOptions {
  const dialect = dialectOf(asked.dialect)
  const ns = (ms: number): bigint => BigInt(Math.round(ms)) * MS_NS
  const table = tables[domain]
  const disabledLints = lintsOfServers
  return { table, range: { startNs: ns(range.startMs), endNs: ns(range.endMs) }, dialect, signal, disabledLints }
}

function engineOver(store: MemoryStore): Engine {
  return createEngine({ catalog: store.catalog, backends: [columnarBackend(store, standardFunctions)] })
}

/** Returns the filter of a query, without the query's own stages, followed by `stage`, in the native dialect. */
function behind(query: string, language: LogLanguage, stage: string): string {
  const dialect = dialectOf(language)
  return `${canon(withoutPipes(parse(query.trim() === '' ? '*' : query, { dialect }).ast))} | ${stage}`
}

function notOfFiles(): never {
  const message = 'This needs a server. The console over files has logs, fields and statistics.'
  throw new AskError({ kind: 'other', message, diagnostics: [] })
}

/** Answers requests from files that the user opened, with an engine in this thread. The data never leave the page. */
export class LocalSource implements Source {
  readonly #store: MemoryStore = createMemoryStore(standardCatalog)
  readonly #engine: Engine = engineOver(this.#store)
  readonly #kept = new KeptRows()
  /** Requests in progress. */
  readonly #open = new Set<Promise<unknown>>()

  /** Registers a request. While a request is in progress, reading of files is paused. */
  #question<T>(answer: Promise<T>): Promise<T> {
    const done = (): void => void this.#open.delete(answer)
    this.#open.add(answer)
    answer.then(done, done)
    return answer
  }

  async #answered(): Promise<void> {
    await nextTurn()
    while (this.#open.size > 0) await Promise.allSettled(this.#open)
  }

  readonly session: Source['session'] = () =>
    Promise.resolve({
      source: 'files',
      user: '',
      backends: [],
      roles: ['read'],
      isScoped: false,
      version: '',
      features: [],
    })
  readonly signIn: Source['signIn'] = () => this.session()
  readonly useBackend: Source['useBackend'] = () => Promise.resolve()
  readonly signOut: Source['signOut'] = () => Promise.resolve()

  readonly query: Source['query'] = (request, asking) => this.#question(this.#query(request, asking))

  readonly #query: Source['query'] = async ({ answer, query, maxRows, ...request }, { signal, onEvent }) => {
    const rows = new BatchRows()
    this.#kept.keep(answer, rows)
    const teller = new StateTeller(onEvent)
    let isCut = false
    try {
      const result = this.#engine.query(query, optionsOf(request, signal))
      for await (const batch of result.batches()) {
        const before = rows.count
        rows.append(batch)
        teller.meet(rows.names(before, Math.min(rows.count, ROWS_WITH_KNOWN_FIELDS)))
        isCut = rows.count > maxRows
        if (isCut) break
        teller.tell(rows.count, 0)
        await nextTurn()
      }
      if (isCut) rows.cut(maxRows)
      const advice = [...result.diagnostics, ...(await result.advice())].map(({ message }) => message)
      return teller.state(rows.count, 0, { isDone: true, isCut, advice })
    } catch (error) {
      throw askErrorOf(error)
    }
  }

  readonly rows: Source['rows'] = (request) => Promise.resolve(this.#kept.rows(request))
  readonly value: Source['value'] = (request) => Promise.resolve(this.#kept.value(request))
  readonly drop: Source['drop'] = (request) => Promise.resolve(this.#kept.drop(request))
  readonly export: Source['export'] = (request) => Promise.resolve(this.#kept.export(request))
  readonly trace: Source['trace'] = (request) => Promise.resolve(this.#kept.trace(request))
  readonly spans: Source['spans'] = (request) => Promise.resolve(this.#kept.spans(request))

  /** Runs a native query over the rows that `request` selects, and returns all rows. */
  #rowsOf(text: string, request: Omit<FoundRequest, 'query'>, signal: AbortSignal): Promise<readonly Row[]> {
    return this.#question(this.#readRows(text, request, signal))
  }

  async #readRows(text: string, request: Omit<FoundRequest, 'query'>, signal: AbortSignal): Promise<readonly Row[]> {
    try {
      const found: Row[] = []
      for await (const batch of this.#engine
        .query(text, optionsOf({ ...request, dialect: 'native' }, signal))
        .batches())
        found.push(...rowsOf(batch))
      return found
    } catch (error) {
      throw askErrorOf(error)
    }
  }

  readonly hits: Source['hits'] = async ({ query, stepMs, field, ...request }, { signal }) => {
    const by = field === undefined ? '' : `, ${printerOf('native').text(field)}`
    const step = formatDurationNs(BigInt(stepMs) * MS_NS)
    const stage = `stats by (_time:${step}${by}) count() as hits`
    const { startMs, endMs } = request.range
    const firstMs = Math.floor(startMs / stepMs) * stepMs
    const timesMs: number[] = []
    for (let ms = firstMs; ms < endMs; ms += stepMs) timesMs.push(ms)
    const groups = new Map<string, { name: string; total: number; hits: number[] }>()
    let total = 0
    for (const row of await this.#rowsOf(behind(query, request.dialect, stage), request, signal)) {
      const time = row.get('_time')
      if (!(time instanceof Instant)) continue
      const name = field === undefined ? '' : toText(row.get(field) ?? null)
      const group = groups.get(name) ?? { name, total: 0, hits: timesMs.map(() => 0) }
      groups.set(name, group)
      const hits = Number(row.get('hits'))
      const at = Math.floor((Number(time.ns / MS_NS) - firstMs) / stepMs)
      group.hits[at] = (group.hits[at] ?? 0) + hits
      group.total += hits
      total += hits
    }
    return { stepMs, timesMs, total, groups: [...groups.values()].toSorted((a, b) => b.total - a.total) }
  }

  readonly names: Source['names'] = async ({ query, ...request }, { signal }): Promise<readonly FieldCount[]> => {
    const rows = await this.#rowsOf(behind(query, request.dialect, 'field_names'), request, signal)
    return rows.map((row) => ({ name: toText(row.get('name') ?? null), hits: Number(row.get('hits')) }))
  }

  readonly values: Source['values'] = async (
    { query, field, contains, limit, ...request },
    { signal },
  ): Promise<readonly FieldCount[]> => {
    const name = printerOf('native').text(field)
    const stage = `stats by (${name}) count() as hits | sort by (hits desc) | limit ${limit}`
    const rows = await this.#rowsOf(behind(query, request.dialect, stage), request, signal)
    return rows
      .map((row) => ({ name: toText(row.get(field) ?? null), hits: Number(row.get('hits')) }))
      .filter((value) => contains === undefined || value.name.includes(contains))
  }

  readonly facets: Source['facets'] = async ({ query, limit, ...request }, { signal }): Promise<readonly Facet[]> => {
    const facets = new Map<string, { value: string; hits: number }[]>()
    for (const row of await this.#rowsOf(behind(query, request.dialect, `facets ${limit}`), request, signal)) {
      const name = toText(row.get('field_name') ?? null)
      const values = facets.get(name) ?? []
      facets.set(name, values)
      values.push({ value: toText(row.get('field_value') ?? null), hits: Number(row.get('hits')) })
    }
    return [...facets].map(([name, values]) => ({ name, values }))
  }

  readonly explain: Source['explain'] = async ({ query, analyze, ...request }, { signal }) => {
    try {
      const result = this.#engine.query(query, optionsOf(request, signal))
      if (analyze) for await (const _ of result.batches()) signal.throwIfAborted()
      return { tree: result.explain(), warnings: result.diagnostics.map(sentDiagnostic) }
    } catch (error) {
      throw askErrorOf(error)
    }
  }

  readonly tail: Source['tail'] = notOfFiles
  readonly json: Source['json'] = notOfFiles

  readonly load: Source['load'] = async ({ files }, { signal, onEvent }) => {
    const table = this.#store.table('logs')
    const totalBytes = files.reduce((sum, { size }) => sum + size, 0)
    const notices: string[] = []
    let [doneBytes, rows, badLines] = [0, 0, 0]
    let turnMs = performance.now()
    let reportedMs = -Infinity
    const nowNs = BigInt(Date.now()) * MS_NS
    const state = (bytes: number, more: { records: number; badLines: number }, isDone: boolean): LoadState => ({
      bytes,
      totalBytes,
      rows: rows + more.records,
      badLines: badLines + more.badLines,
      notices,
      isDone,
      range: this.#extent(),
    })
    for (const file of files) {
      try {
        const report = await readFile(file, table, nowNs, async (sofar) => {
          signal.throwIfAborted()
          const nowMs = performance.now()
          if (nowMs - turnMs < TURN_MS) return
          if (nowMs - reportedMs > TELL_MS) {
            reportedMs = nowMs
            onEvent(state(doneBytes + sofar.bytes, sofar, false))
          }
          await this.#answered()
          turnMs = performance.now()
        })
        rows += report.records
        badLines += report.badLines
        if (report.badLines > 0) {
          const [first] = report.examples
          const example = first === undefined ? '' : ` Line ${first.lineNumber}: ${first.reason}.`
          notices.push(`${file.name}: ${report.badLines} lines could not be read.${example}`)
        }
        if (report.records === 0) notices.push(`${file.name} has no records.`)
      } catch (error) {
        signal.throwIfAborted()
        notices.push(`${file.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
      doneBytes += file.size
    }
    table.tails.closeAll()
    await runCooperatively(table.sealer.sealFull())
    table.seal()
    return state(totalBytes, { records: 0, badLines: 0 }, true)
  }

  /** Returns the time range of all rows; `undefined` without rows. */
  #extent(): TimeRange | undefined {
    const { minTimeNs, maxTimeNs } = this.#store.table('logs').view.usage()
    if (minTimeNs === undefined || maxTimeNs === undefined) return undefined
    return { startMs: Number(minTimeNs / MS_NS), endMs: Number(maxTimeNs / MS_NS) + 1 }
  }
}

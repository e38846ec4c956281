import {
  SourceError,
  readRuleFiles,
  type GroupStatus,
  type RuleFile,
  type RuleQueries,
  type SampleSink,
} from '../../alerting/rules/index.ts'
import type { RuleFigures, RuleService, RuleServiceOptions } from '../../alerting/service/index.ts'
import { lineColumnAt, present, spanOf } from '../../base/index.ts'
import { decodeSamples, sampleLine, type RuleQueryAnswer } from '../metrics/rule-queries.ts'
import type { ServerContext } from '../routes/definition/context.ts'
import { ruleQueries } from '../routes/rule-queries.ts'
import type { Logger } from '../settings/environment.ts'
import type { InternalQueries } from './internal-queries.ts'

/** Rule files, or a function that reads them. The function may throw. */
export type RuleSource = readonly RuleFile[] | (() => readonly RuleFile[])

/** Maximum number of concurrent rule queries, so that user queries find free workers. */
const MAX_QUERIES = 2

/** Interval between reads of the rule files, ms. */
const REREAD_MS = 10_000

/** Permissions of rules: rules read all data, because the operator of the server chooses them. */
const EVERYTHING = { roles: undefined, scope: undefined }

/** Runs the queries of all groups in the order of arrival. A slow group delays the others by one query at a time. */
function queriesOf(internal: InternalQueries): RuleQueries {
  const waiting: (() => void)[] = []
  let inFlight = 0
  const ask = async (language: 'promql' | 'logsql', text: string, atMs: number, windowMs: number | null) => {
    if (inFlight === MAX_QUERIES) await new Promise<void>((resolve) => waiting.push(resolve))
    else inFlight++
    try {
      const answer: RuleQueryAnswer = await internal.run(ruleQueries, { language, text, atMs, windowMs }, EVERYTHING)
      if ('error' in answer) throw new Error(answer.error)
      return answer
    } finally {
      // The next query takes over the slot of the query that has ended.
      const next = waiting.shift()
      if (next === undefined) inFlight--
      else next()
    }
  }
  return {
    instant: async (text, atMs) => {
      const answer = await ask('promql', text, atMs, null)
      return 'samples' in answer ? decodeSamples(answer.samples) : []
    },
    logRows: async (text, atMs, windowMs) => {
      const answer = await ask('logsql', text, atMs, windowMs ?? null)
      return 'rows' in answer ? answer.rows.map((row) => new Map(Object.entries(row))) : []
    },
  }
}

/** Stores the samples of rules through ingest, so that they are durable and visible to the next query. */
function sinkOf({ ingest, backends: [backend] }: ServerContext): SampleSink {
  return {
    write: async (samples) => {
      if (samples.length === 0) return
      const text = samples.map(({ labels, sample }) => sampleLine(labels, sample)).join('')
      const chunks = [new TextEncoder().encode(text)]
      const body = { chunks, encoding: 'identity' }
      const { errors } = await present(ingest).ingest({ backend, table: 'samples', format: 'ndjson', body })
      const [first] = errors
      if (first !== undefined) throw new Error(`a sample could not be stored: ${first.reason}`)
    },
  }
}

function faultText(error: unknown): string {
  if (!(error instanceof SourceError)) return error instanceof Error ? error.message : String(error)
  const { source, text, diagnostics } = error
  const [first] = diagnostics
  const { line, column } = lineColumnAt(text, (first && spanOf(first.origin)?.start) ?? 0)
  return `${source}:${line}:${column}: ${first?.message ?? error.message}`
}

type StartOptions = Omit<RuleServiceOptions, 'queries' | 'sink' | 'onFault'> & { readonly context: ServerContext }

interface Opened extends Pick<RuleServiceOptions, 'backend' | 'clock'> {
  readonly service: RuleService
  readonly log: Logger
}

/** Prometheus rules of a server, evaluated over its first backend. */
export class ServerRules {
  readonly #source: RuleSource
  /** Rule files read at start-up, already checked. */
  readonly #files: readonly RuleFile[]
  #opened: Opened | undefined
  #cancelTimer: () => void = () => {}
  /** Latest error of reading the files, which is logged once; empty after a success. */
  #fault = ''

  /** Throws the error of the source, SourceError for an invalid file, or SluiceError `rules/duplicate-file`. */
  constructor(source: RuleSource) {
    this.#source = source
    this.#files = this.#read()
    readRuleFiles(this.#files)
  }

  /** Id of the backend over which rules are evaluated, for `AlertingAccess`; `undefined` before `open`. */
  get backend(): string | undefined {
    return this.#opened?.backend
  }

  /** Restores the states of all rules. */
  open(Service: typeof RuleService, internal: InternalQueries, { context, ...options }: StartOptions): void {
    const { backend, clock } = options
    const { log } = context
    const onFault = (fault: string): void => log.error({ backend, fault }, 'rules')
    const outside = { queries: queriesOf(internal), sink: sinkOf(context), onFault }
    this.#opened = { service: new Service({ ...options, ...outside }, this.#files), backend, clock, log }
  }

  /** Starts evaluating. Must be called after `open`. */
  start(): void {
    this.#opened?.service.start()
    if (this.#opened !== undefined && typeof this.#source === 'function') this.#rereadLater(this.#opened)
  }

  status(): readonly GroupStatus[] {
    return this.#opened?.service.status() ?? []
  }

  get figures(): RuleFigures | undefined {
    return this.#opened?.service.figures
  }

  async idle(): Promise<void> {
    await this.#opened?.service.idle()
  }

  async close(): Promise<void> {
    this.#cancelTimer()
    await this.#opened?.service.close()
  }

  #read(): readonly RuleFile[] {
    return typeof this.#source === 'function' ? this.#source() : this.#source
  }

  #rereadLater(opened: Opened): void {
    this.#cancelTimer = opened.clock.schedule(REREAD_MS, () => {
      this.#reload(opened)
      this.#rereadLater(opened)
    })
  }

  #reload({ service, log }: Opened): void {
    try {
      service.reload(this.#read())
      this.#fault = ''
    } catch (error) {
      const fault = faultText(error)
      if (fault !== this.#fault) log.error({ fault }, 'the rule files cannot be read; the earlier rules stay')
      this.#fault = fault
    }
  }
}

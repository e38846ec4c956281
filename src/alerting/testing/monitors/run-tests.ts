import { SluiceError, at, nowhere, spanOf } from '../../../base/index.ts'
import { Labels, printJsonExact, type PlainJson } from '../../../data/index.ts'
import type { Engine } from '../../../engine/index.ts'
import { printDurationMs } from '../../../lang/promql/index.ts'
import {
  createMemoryDocumentStore,
  checkCompiles,
  createMonitorService,
  readMonitor,
  type Actor,
  type DocumentStore,
  type MonitorBody,
  type MonitorService,
} from '../../../resources/index.ts'
import type { SampleSource } from '../../../store/index.ts'
import { Evaluator, type EvaluatorStep } from '../../evaluator.ts'
import { checkMonitor, runQueries, runTemplateQuery, type QueryOutcome, type QueryTools } from '../../monitors/index.ts'
import { Dispatcher, SilenceSet, readNotifyConfig } from '../../notify/index.ts'
import type { TemplateQuery } from '../../templates/index.ts'
import type { TestReport } from '../report.ts'
import { SourceError, withSource } from '../../source-error.ts'
import { deliveredLabels, deliveryLine, detailsOf, difference, instanceLine, instanceOf, linesOf } from './compare.ts'
import { testDiagnostic } from './diagnostics.ts'
import { readMonitorTests, type Happening, type MonitorTest, type TestObject } from './read-tests.ts'
import { testData, type TestData } from './test-data.ts'

/** Dependencies of a test run. */
export interface MonitorTestTools {
  /** Reads a file that the test file names, as text. */
  readonly readFile: (path: string) => string
  readonly queryTools: (engine: Engine, samples: SampleSource) => QueryTools
  /** Called before each evaluation; if it rejects, the run ends. */
  readonly pause?: () => Promise<void>
}

const ACTOR: Actor = { backend: 'test', by: 'test', email: undefined }

/**
 * Maximum number of evaluations in a test: 70 days at one a minute. Within this limit a test takes at most some
 * minutes.
 */
const MAX_EVALUATIONS = 100_000

/** Default route of tests: notifies at each evaluation, and groups by alert name. */
const ROUTE = {
  receiver: 'test',
  group_by: ['alertname'],
  group_wait: '0s',
  group_interval: '1s',
  repeat_interval: '4h',
}

const LETTERS = { Normal: '.', Pending: 'P', Alerting: 'A', NoData: 'N', Error: 'E' } as const

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(printJsonExact(value as PlainJson))

function tooManyEvaluations(): SluiceError {
  return new SluiceError([testDiagnostic('too-many-evaluations', { limit: MAX_EVALUATIONS }, nowhere)])
}

/** Runs one test. Time advances from evaluation to evaluation. */
class TestRun {
  readonly #test: MonitorTest
  readonly #data: TestData
  readonly #tools: QueryTools
  readonly #pause: MonitorTestTools['pause']
  readonly #store: DocumentStore
  readonly #monitors: MonitorService
  readonly #evaluator: Evaluator
  readonly #silences = new SilenceSet()
  readonly #dispatcher: Dispatcher
  readonly #ids = new Map<string, string>()
  readonly #states = new Map<string, string>()
  readonly #deliveries: string[] = []
  readonly #failures: string[] = []
  #ticks = 0
  #nowMs: number

  constructor(test: MonitorTest, tools: MonitorTestTools) {
    this.#test = test
    this.#nowMs = test.startMs
    this.#data = testData(test)
    this.#pause = tools.pause
    this.#tools = tools.queryTools(this.#data.engine, this.#data.samples.reader)
    this.#store = createMemoryDocumentStore(() => BigInt(this.#nowMs) * 1_000_000n)
    let ids = 0
    this.#monitors = createMonitorService(this.#store, { makeId: () => `monitor-${(ids += 1)}` })
    const { startMs } = test
    this.#evaluator = new Evaluator({
      environment: { externalLabels: Labels.empty, externalUrl: '' },
      offsetOf: (_, intervalMs) => startMs % intervalMs,
      // Cannot happen: `#check` has parsed the monitor before.
      onUnusable: ({ id }, reason) => {
        throw new Error(`the monitor ${id} cannot be evaluated: ${reason}`)
      },
    })
    const receivers = [{ name: 'test', webhook_configs: [{ url: 'http://127.0.0.1/' }] }]
    const config = { route: { ...ROUTE, ...test.route }, receivers }
    this.#dispatcher = new Dispatcher(
      readNotifyConfig(printJsonExact(config), () => ''),
      this.#silences,
    )
  }

  /** Returns all differences as one string; `undefined` if there are none. */
  async run(definitions: readonly Definition[]): Promise<string | undefined> {
    const { startMs, untilMs, intervalMs, happenings, states, notified } = this.#test
    for (const { name, body } of definitions) {
      const override = intervalMs === undefined ? {} : { interval: `${intervalMs}ms` }
      const times = { ...(body['evaluationInterval'] as TestObject | undefined), ...override }
      const { monitor, body: checked } = this.#check(name, { ...body, evaluationInterval: times })
      if ((monitor.model?.queries ?? []).length === 0)
        throw new SourceError(name, '', new SluiceError([testDiagnostic('no-queries', {}, nowhere)]))
      const id = await this.#monitors.create(ACTOR, checked)
      this.#ids.set(monitor.title ?? id, id)
    }
    this.#update()
    const intervals = [...this.#evaluator.statuses()].map(({ definition }) => definition.intervalMs)
    if ((untilMs - startMs) / Math.min(...intervals) > MAX_EVALUATIONS) throw tooManyEvaluations()
    let next = 0
    for (this.#nowMs = startMs; this.#nowMs <= untilMs; this.#nowMs = this.#nextMs()) {
      for (; (happenings[next]?.atMs ?? Infinity) <= this.#nowMs; next++) await this.#happen(happenings[next]!)
      await this.#pause?.()
      await this.#round()
      this.#compareInstances()
      // Checked again, because an edit may have shortened an interval.
      if (this.#ticks > MAX_EVALUATIONS) throw tooManyEvaluations()
    }
    if (states !== undefined) this.#report('states', linesOf(states), linesOf(this.#states))
    const wanted = notified?.map((each) => deliveryLine(each, startMs))
    if (wanted !== undefined) this.#report('notifications', wanted, this.#deliveries)
    return this.#failures.length === 0 ? undefined : this.#failures.join('\n')
  }

  #report(what: string, expected: readonly string[], got: readonly string[]): void {
    const found = difference(what, expected, got)
    if (found !== undefined) this.#failures.push(found)
  }

  /** Parses and checks a definition. Throws SourceError. */
  #check(name: string, given: TestObject): MonitorBody {
    let [member, text] = ['', '']
    const readsText: QueryTools['readsText'] = (...read) => {
      ;[member, text] = read
    }
    try {
      const read = readMonitor(encode(given), true)
      checkCompiles(read.monitor, () => checkMonitor(read.monitor, { ...this.#tools, readsText }))
      return read
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      // The span of an error refers to the text that was parsed last.
      const isInText = error.diagnostics.some(({ origin }) => spanOf(origin) !== undefined)
      throw isInText ? new SourceError(`${name}, ${member}`, text, error) : new SourceError(name, '', error)
    }
  }

  #update(): void {
    const documents = this.#store.read(ACTOR.backend, (view) => view.list('monitor'))
    this.#notify(this.#evaluator.update(documents, this.#nowMs))
  }

  #nextMs(): number {
    const { intervalMs } = this.#test
    return intervalMs === undefined ? Math.max(this.#evaluator.nextMs, this.#nowMs + 1) : this.#nowMs + intervalMs
  }

  #during(kind: 'fail' | 'down'): (Happening & { readonly kind: 'fail' | 'down' }) | undefined {
    return this.#test.happenings.find(
      (each): each is Happening & { readonly kind: 'fail' | 'down' } =>
        each.kind === kind && each.atMs <= this.#nowMs && this.#nowMs < each.endMs,
    )
  }

  async #happen(happening: Happening): Promise<void> {
    if (happening.kind === 'silence') {
      const { atMs, endMs, matchers } = happening
      const id = `silence-${this.#silences.list().length + 1}`
      this.#silences.set({ id, startsAtMs: atMs, endsAtMs: endMs, matchers })
    } else if (happening.kind === 'edit') {
      const at = printDurationMs(happening.atMs - this.#test.startMs)
      const { body } = this.#check(`the edit at ${at}`, happening.body)
      await this.#monitors.update(ACTOR, this.#idOf(happening.monitor), body)
      this.#update()
    } else if (happening.kind === 'delete') {
      await this.#monitors.remove(ACTOR, this.#idOf(happening.monitor))
      this.#update()
    }
  }

  #idOf(title: string | undefined): string {
    const titles = [...this.#ids.keys()]
    const name = title ?? titles[0] ?? ''
    const id = this.#ids.get(name)
    if (id === undefined) throw new SluiceError([testDiagnostic('unknown-monitor', { title: name, titles }, nowhere)])
    return id
  }

  /** Runs all evaluations of one time, and then checks for notifications. */
  async #round(): Promise<void> {
    const isDown = this.#during('down') !== undefined
    const due = this.#evaluator.due(this.#nowMs)
    for (const tick of isDown ? [] : due) {
      const fail = this.#during('fail')
      const outcome: QueryOutcome =
        fail?.kind === 'fail' ? { error: fail.reason } : await runQueries(tick.definition, tick.atMs, this.#tools)
      const query: TemplateQuery = (text, atMs) => runTemplateQuery(text, atMs, this.#tools)
      const step = await this.#evaluator.evaluate(tick, outcome, query)
      if (step !== undefined) this.#notify([step])
    }
    if (!isDown) this.#deliver()
    this.#recordStates(isDown)
    this.#ticks++
  }

  #notify(steps: readonly EvaluatorStep[]): void {
    this.#dispatcher.receive(
      steps.flatMap(({ alerts }) => alerts),
      this.#nowMs,
    )
  }

  #deliver(): void {
    for (const delivery of this.#dispatcher.advance(this.#nowMs)) {
      this.#deliveries.push(deliveryLine(deliveredLabels(delivery, this.#nowMs), this.#test.startMs))
      this.#dispatcher.answered(delivery, { kind: 'success' }, this.#nowMs)
    }
  }

  #recordStates(isDown: boolean): void {
    const now = new Map<string, string>()
    for (const { record } of this.#evaluator.statuses())
      for (const { labels, state } of record.state.instances.values()) now.set(labels.toString(), LETTERS[state])
    for (const [labels, letter] of now)
      if (letter !== '.' && !this.#states.has(labels)) this.#states.set(labels, this.#quiet.slice())
    this.#quiet += isDown ? '-' : '.'
    for (const [labels, text] of this.#states)
      this.#states.set(labels, text + (isDown ? '-' : (now.get(labels) ?? '.')))
  }

  /** State letters of a label set that has always been Normal. */
  #quiet = ''

  #compareInstances(): void {
    for (const { atMs, instances } of this.#test.expected) {
      if (atMs !== this.#nowMs) continue
      const found = [...this.#evaluator.statuses()].flatMap((status) =>
        [...status.record.state.instances.values()]
          .filter(({ state }) => state !== 'Normal')
          .map((instance) => ({ instance, details: detailsOf(status, instance) })),
      )
      const byLabels = new Map(instances.map((each) => [each.labels.key, each]))
      const got = found.map(({ instance, details }) =>
        instanceLine(instanceOf(instance, details, byLabels.get(instance.labels.key)), this.#test.startMs),
      )
      const wanted = instances.map((each) => instanceLine(each, this.#test.startMs))
      this.#report(`instances at ${printDurationMs(atMs - this.#test.startMs)}`, wanted, got)
    }
  }
}

interface Definition {
  /** Path of the definition, or its position in the test file. */
  readonly name: string
  readonly body: TestObject
}

/** Reads a definition that a test file names, in the form of `POST /api/monitors`. */
async function definitionOf(given: string | TestObject, index: number, tools: MonitorTestTools): Promise<Definition> {
  if (typeof given !== 'string') return { name: `monitors[${index}]`, body: given }
  const text = tools.readFile(given)
  const { body } = await withSource(given, text, () => readMonitor(new TextEncoder().encode(text), false))
  return { name: given, body }
}

/** Runs one test. An error without a position is reported at the test. */
async function runTest(test: MonitorTest, definitions: readonly Definition[], tools: MonitorTestTools) {
  try {
    return await new TestRun(test, tools).run(definitions)
  } catch (error) {
    if (!(error instanceof SluiceError) || error instanceof SourceError) throw error
    throw new SluiceError(error.diagnostics.map((each) => ({ ...each, origin: at(test.span) })))
  }
}

/**
 * Runs a file of monitor tests over in-memory rows and samples. `file` is the name in the report. Throws SluiceError
 * for errors in the file itself, and SourceError for errors in definitions.
 */
export async function runMonitorTests(file: string, text: string, tools: MonitorTestTools): Promise<TestReport> {
  const { monitors, tests } = readMonitorTests(text)
  if (monitors.length === 0) throw new SluiceError([testDiagnostic('no-monitor', {}, nowhere)])
  const definitions = await Promise.all(monitors.map((given, i) => definitionOf(given, i, tools)))
  const results = []
  for (const test of tests) {
    const failure = await runTest(test, definitions, tools)
    results.push(failure === undefined ? { name: test.name } : { name: test.name, failure })
  }
  return { file, tests: results }
}

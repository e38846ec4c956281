import { Template, TemplateError, type TemplateQuery } from '../../src/alerting/templates/index.ts'
import { Labels } from '../../src/data/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { createPromql } from '../../src/engine/metrics/index.ts'
import { SampleStore } from '../../src/store/samples/index.ts'
import { readCases } from './alerts-cases.ts'
import { checkAll, unreadable, type Outcome, type Vector, type Verdict } from './outcome.ts'

interface TemplateCase extends Vector {
  readonly template: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: string
  /** Evaluation time as a duration since the first sample, such as `5m`. */
  readonly at: string
  readonly externalLabels?: Readonly<Record<string, string>>
  readonly externalURL?: string
  readonly expanded?: string
  readonly fails?: 'when read' | 'at run time'
  readonly message?: string
}

const MINUTE_MS = 60_000

function valueOf(text: string): number {
  return text.endsWith('Inf') ? (text.startsWith('-') ? -Infinity : Infinity) : Number(text)
}

/** Returns a function that evaluates PromQL over series with one sample per minute. */
function queryOver(series: readonly (readonly [Labels, number])[]): TemplateQuery {
  const store = new SampleStore()
  for (let minute = 0; minute <= 10; minute++) {
    for (const [labels, value] of series) store.writer.append(labels, { timeMs: minute * MINUTE_MS, value })
  }
  const promql = createPromql(createEngine(), store)
  return async (text, nowMs) => {
    const { answer } = await promql.query(text, { timeMs: nowMs }).answer()
    if (answer.type === 'scalar') return [{ labels: Labels.empty, value: answer.value }]
    if (answer.type !== 'vector') throw new Error(`an answer of type ${answer.type} has no samples`)
    return answer.samples.map(({ labels, value }) => ({ labels, value }))
  }
}

/** Template functions that the recorded release of Prometheus lacks and that Sluice's specification requires. */
const NEWER = ['now', 'toDuration', 'urlQueryEscape']

function exceptionOf({ message = '' }: TemplateCase): string | undefined {
  if (NEWER.some((name) => message.endsWith(`function "${name}" not defined`))) {
    return 'functions of newer releases are defined'
  }
  return message.includes('nil pointer dereference') ? 'a crash of the reference, not its semantics' : undefined
}

async function check(vector: TemplateCase): Promise<Verdict> {
  const skip = exceptionOf(vector)
  if (skip !== undefined) return { skip }
  const labels = Labels.of({ __name__: 'm', ...vector.labels })
  const value = valueOf(vector.value)
  const query = queryOver([
    [labels, value],
    [Labels.of({ __name__: 'x', h: 'a' }), 1],
    [Labels.of({ __name__: 'x', h: 'b' }), 2],
    [Labels.of({ __name__: 'ALERTS', alertname: 'T', alertstate: 'firing' }), 1],
  ])
  const data = {
    labels,
    value,
    values: new Map(),
    externalLabels: Labels.of(vector.externalLabels ?? {}),
    externalUrl: vector.externalURL ?? '',
    nowMs: Number.parseInt(vector.at) * MINUTE_MS,
  }
  let template: Template
  try {
    template = Template.parse(vector.template)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return vector.fails === 'when read' ? undefined : { failure: `refused at ${error.offset}: ${error.message}` }
  }
  const expanded = await template.expand(data, query)
  if (vector.fails === 'when read') return { failure: `not refused; got ${expanded}` }
  const wanted = vector.fails === undefined ? vector.expanded : '<error expanding template: '
  const isRight = vector.fails === undefined ? expanded === wanted : expanded.startsWith(wanted ?? '')
  return isRight ? undefined : { failure: `wanted ${wanted}, got ${expanded}` }
}

/** Checks the expansion of templates against recorded results. */
export async function checkAlertTemplates(directory: string): Promise<readonly Outcome[]> {
  const file = 'templates.json'
  try {
    const content = readCases<TemplateCase>(directory, file)
    return content === undefined ? [] : [await checkAll(file, content.cases, check)]
  } catch (error) {
    return [unreadable(file, error)]
  }
}

import {
  SluiceError,
  atPath,
  defineDiagnostics,
  nearestNames,
  type Diagnostic,
  type JsonPath,
} from '../../base/index.ts'
import type { Monitor, MonitorModel } from '../../wire/index.ts'
import { parseMath, type MathExpr } from '../conditions/index.ts'
import { Template, TemplateError } from '../templates/index.ts'
import { checkQuery, type QueryTools } from './read-query.ts'
import { durationMs, relativeMs } from './window.ts'

export const monitorDiagnostic = defineDiagnostics('monitor', {
  template: (d: { reason: string; character: number }) => ({
    message: `The template cannot be read at character ${d.character}: ${d.reason}`,
    why: 'Templates are those of Go, with the functions of Prometheus.',
  }),
  'relative-time': (d: { text: string }) => ({
    message: `\`${d.text}\` is not a time relative to the evaluation.`,
    why: 'Write `now`, `-5m`, `now-1h` or `0m`.',
  }),
  'range-order': (_: Record<never, never>) => ({ message: '`from` must be before `to`.' }),
  duration: (d: { text: string }) => ({
    message: `\`${d.text}\` is not a duration.`,
    why: 'Write a duration such as `30s`, `5m` or `1h30m`.',
  }),
  'math-name': (d: { name: string; near: readonly string[] }) => ({
    message: `No query or earlier reducer is named \`${d.name}\`.`,
    why: d.near.length === 0 ? [] : [`Did you mean ${d.near.map((near) => `\`${near}\``).join(', ')}?`],
  }),
})

/** Yields the names that an expression reads, with their positions in the expression. */
function* namesOf(expr: MathExpr): Generator<MathExpr & { readonly kind: 'name' }> {
  if (expr.kind === 'name') yield expr
  else if (expr.kind === 'call') yield* namesOf(expr.argument)
  else if (expr.kind === 'unary') yield* namesOf(expr.operand)
  else if (expr.kind === 'binary') {
    yield* namesOf(expr.left)
    yield* namesOf(expr.right)
  }
}

/** Throws SluiceError for the first expression that cannot be parsed or that names an unknown input. */
function checkMath({ queries = [], reducers = [] }: MonitorModel, tools: QueryTools): void {
  const known = new Set(queries.flatMap(({ name }) => name ?? []))
  for (const [i, { name, type, expression }] of reducers.entries()) {
    if (type === 'math' && expression !== undefined) {
      tools.readsText?.(`model.reducers[${i}].expression`, expression)
      const { expr, diagnostics } = parseMath(expression)
      if (expr === undefined) throw new SluiceError(diagnostics)
      const unknown = [...namesOf(expr)].filter((each) => !known.has(each.name))
      if (unknown.length > 0) {
        throw new SluiceError(
          unknown.map((each) => {
            return monitorDiagnostic('math-name', { name: each.name, near: nearestNames(each.name, known) }, each.span)
          }),
        )
      }
    }
    known.add(name)
  }
}

/** An object with a time range as `from` and `to`. */
interface RangeHolder {
  readonly relativeTimerange?: { readonly from?: string | undefined; readonly to?: string | undefined } | undefined
}

function* rangeFaults({ relativeTimerange: range }: RangeHolder, path: JsonPath): Generator<Diagnostic> {
  const at = (member: string): JsonPath => [...path, 'relativeTimerange', member]
  const read = [range?.from, range?.to].map((text) => (text === undefined ? undefined : relativeMs(text)))
  for (const [i, member] of (['from', 'to'] as const).entries()) {
    const text = range?.[member]
    if (text !== undefined && read[i] === undefined)
      yield monitorDiagnostic('relative-time', { text }, atPath(at(member)))
  }
  const [fromMs, toMs = 0] = read
  if (fromMs !== undefined && fromMs >= toMs) yield monitorDiagnostic('range-order', {}, atPath(at('from')))
}

function* modelFaults(model: MonitorModel): Generator<Diagnostic> {
  for (const member of ['queries', 'reducers', 'thresholds'] as const)
    for (const [i, each] of (model[member] ?? []).entries()) yield* rangeFaults(each, ['model', member, i])
  for (const [i, { instantRollup, rollup }] of (model.queries ?? []).entries()) {
    const path = ['model', 'queries', i] as const
    if (instantRollup !== undefined && durationMs(instantRollup) === undefined)
      yield monitorDiagnostic('duration', { text: instantRollup }, atPath([...path, 'instantRollup']))
    if (typeof rollup?.time === 'string' && durationMs(rollup.time) === undefined)
      yield monitorDiagnostic('duration', { text: rollup.time }, atPath([...path, 'rollup', 'time']))
  }
}

function* templateFaults({ labels, annotations, display }: Monitor): Generator<Diagnostic> {
  const language = display?.templateLanguage?.trim().toLowerCase() === 'jinja2' ? 'jinja2' : 'go'
  const texts: (readonly [JsonPath, string | undefined])[] = [
    [['display', 'header'], display?.header],
    [['display', 'description'], display?.description],
  ]
  for (const [member, map] of Object.entries({ labels, annotations }))
    for (const [name, text] of map ?? []) texts.push([[member, name], text])
  for (const [path, text] of texts) {
    if (text === undefined) continue
    try {
      Template.parse(text, language)
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      yield monitorDiagnostic('template', { reason: error.message, character: error.offset + 1 }, atPath(path))
    }
  }
}

/**
 * Checks that a monitor can be evaluated: its queries compile, and its expressions, ranges and templates parse. Throws
 * SluiceError with positions in the monitor's body.
 */
export function checkMonitor(monitor: Monitor, tools: QueryTools): void {
  const { model } = monitor
  const faults = [...(model === undefined ? [] : modelFaults(model)), ...templateFaults(monitor)]
  if (faults.length > 0) throw new SluiceError(faults)
  if (model === undefined) return
  model.queries?.forEach((query, i) => {
    checkQuery(query, { path: ['model', 'queries', i], member: `model.queries[${i}]` }, tools)
  })
  checkMath(model, tools)
}

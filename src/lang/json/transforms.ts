import { nearestNames, type JsonPath } from '../../base/index.ts'
import { call, column, fieldPattern, literal, type LogicalPlan } from '../../plan/index.ts'
import type { Transform } from '../../wire/index.ts'
import { origin, type JsonLowering } from './context.ts'
import { jsonDiagnostic } from './diagnostics.ts'
import { argValue } from './processor.ts'

type LowerTransform = (input: LogicalPlan, transform: Transform, path: JsonPath) => LogicalPlan

/** Transform that copies members of a column's JSON text into columns `<alias>.<member>`. */
const jsonUnpack: LowerTransform = (input, transform, path) => ({
  kind: 'apply',
  input,
  fn: 'unpack_json',
  params: {
    from: transform.sourceColumn ?? '',
    fieldPatterns: null,
    preserveKeys: [],
    prefix: `${transform.alias ?? ''}.`,
    keepsOriginal: false,
    skipsEmpty: false,
  },
  condition: undefined,
  use: {
    reads: [fieldPattern(transform.sourceColumn ?? '')],
    writes: [fieldPattern(`${transform.alias ?? ''}.`, '')],
    replaces: [],
  },
  outputs: [],
  isOneToOne: true,
  origin: origin(path),
})

/** Transform that extracts the part of a time named by its first argument: `year`, `month`, `hour` … */
const datetimeExtract: LowerTransform = (input, transform, path) => {
  const at = origin(path)
  const part = String(argValue(transform.args?.[0]) ?? 'hour')
  const expr = call('datetime-extract', [column(transform.sourceColumn ?? '', at), literal(part, at)], at)
  return { kind: 'extend', input, assignments: [{ name: transform.alias ?? '', expr, type: 'integer' }], origin: at }
}

const transforms: ReadonlyMap<string, LowerTransform> = new Map([
  ['json_unpack', jsonUnpack],
  ['datetime_extract', datetimeExtract],
])

export function lowerTransform(
  input: LogicalPlan,
  transform: Transform,
  path: JsonPath,
  context: JsonLowering,
): LogicalPlan {
  const name = (transform.type ?? '').toLowerCase()
  const lower = transforms.get(name)
  if (lower === undefined) {
    const known = [...transforms.keys()]
    const near = nearestNames(name, known)
    context.diagnostics.push(
      jsonDiagnostic(
        'unknown-word',
        { what: 'transform', name: transform.type ?? '', near, known },
        origin([...path, 'type']),
      ),
    )
    return input
  }
  for (const member of ['alias', 'sourceColumn'] as const) {
    if (transform[member] === undefined) {
      context.diagnostics.push(jsonDiagnostic('missing-member', { what: 'A transform', member }, origin(path)))
    }
  }
  return lower(input, transform, path)
}

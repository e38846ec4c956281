import { OTLP_FIELDS, RESOURCE_OF_FIELDS } from '../../ingest/otlp/stored/index.ts'
import type { FieldExpr, FieldRef, IntrinsicName, SpanExpr, Stage } from '../../lang/traceql/index.ts'

/**
 * Columns that are read for every span, because they tell which attributes belong to the span, its resource and its
 * lists.
 */
const ALWAYS = ['_time', 'resource_attributes', ...OTLP_FIELDS]

/**
 * Columns that are read for every span of a complete trace: the span's position in the tree, and what answers show of a
 * trace.
 */
const OF_TRACE = ['trace_id', 'span_id', 'parent_span_id', 'span_name', 'status', 'duration_seconds']

const SERVICE: FieldRef = { kind: 'attribute', scope: 'resource', name: 'service.name', span: { start: 0, end: 0 } }

/** Columns from which an intrinsic is computed for one span. The missing intrinsics need the whole trace. */
export const intrinsicColumns: Readonly<Partial<Record<IntrinsicName, readonly string[]>>> = {
  name: ['span_name'],
  status: ['status'],
  statusMessage: ['status_message'],
  kind: ['kind'],
  duration: ['duration_seconds'],
  'trace:id': ['trace_id'],
  'span:id': ['span_id'],
  'span:parentID': ['parent_span_id'],
  nestedSetParent: ['parent_span_id'],
  'event:name': ['events'],
  'event:timeSinceStart': ['events'],
  'link:traceID': ['links'],
  'link:spanID': ['links'],
  'instrumentation:name': ['scope.name'],
  'instrumentation:version': ['scope.version'],
}

function ofStage(stage: Stage): readonly FieldRef[] {
  switch (stage.kind) {
    case 'filter-stage':
      return fieldsIn(stage.spans)
    case 'aggregate':
      return stage.argument === undefined ? [] : fieldRefs(stage.argument)
    case 'by':
      return fieldRefs(stage.key)
    case 'select':
      return stage.fields
    case 'coalesce':
      return []
  }
}

export function fieldRefs(expr: FieldExpr): readonly FieldRef[] {
  switch (expr.kind) {
    case 'attribute':
    case 'intrinsic':
      return [expr]
    case 'literal':
      return []
    case 'unary':
      return fieldRefs(expr.arg)
    case 'binary':
      return [...fieldRefs(expr.lhs), ...fieldRefs(expr.rhs)]
  }
}

/** Returns the fields that an expression over spans reads. */
export function fieldsIn(expr: SpanExpr): readonly FieldRef[] {
  switch (expr.kind) {
    case 'filter':
      return expr.condition === undefined ? [] : fieldRefs(expr.condition)
    case 'operation':
      return [...fieldsIn(expr.lhs), ...fieldsIn(expr.rhs)]
    case 'pipeline':
      return [...fieldsIn(expr.input), ...expr.stages.flatMap(ofStage)]
  }
}

function columnsOfField(field: FieldRef): readonly string[] {
  if (field.kind === 'intrinsic') return intrinsicColumns[field.name] ?? []
  if (field.scope === 'event') return ['events']
  if (field.scope === 'link') return ['links']
  const columns = [...RESOURCE_OF_FIELDS].filter(([, attribute]) => attribute === field.name).map(([column]) => column)
  return [field.name, ...columns]
}

/** Returns the columns of the span table that are needed to compute some fields. */
export function columnsOfFields(fields: readonly FieldRef[]): readonly string[] {
  return [...new Set([...ALWAYS, ...fields.flatMap(columnsOfField)])]
}

/** Returns the columns of the span table that are read for complete traces. */
export function columnsOfTraces(fields: readonly FieldRef[]): readonly string[] {
  return [...new Set([...OF_TRACE, ...columnsOfFields([...fields, SERVICE])])]
}

import { RESOURCE_OF_FIELDS } from '../../ingest/otlp/stored/index.ts'
import type { FieldExpr, FieldRef, SpanExpr, Stage } from '../../lang/traceql/index.ts'

/** Columns of a span that are no attributes; events and links are read where they are needed. */
const SPAN_COLUMNS = [
  '_time',
  'trace_id',
  'span_id',
  'parent_span_id',
  'span_name',
  'kind',
  'status',
  'status_message',
  'duration_seconds',
  'scope.name',
  'scope.version',
  'resource_attributes',
  'otlp',
]

/** Attributes that every answer reads. */
const ALWAYS = ['service.name']

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

function listsOf(field: FieldRef): readonly string[] {
  const isOf = (scope: string): boolean =>
    field.kind === 'attribute' ? field.scope === scope : field.name.startsWith(`${scope}:`)
  return isOf('event') ? ['events'] : isOf('link') ? ['links'] : []
}

/** Returns the columns of the table of spans that are read for some fields. */
export function columnsOfFields(fields: readonly FieldRef[]): readonly string[] {
  const names = [...ALWAYS, ...fields.filter(({ kind }) => kind === 'attribute').map(({ name }) => name)]
  const places = [...RESOURCE_OF_FIELDS].filter(([, attribute]) => names.includes(attribute)).map(([place]) => place)
  return [...new Set([...SPAN_COLUMNS, ...names, ...places, ...fields.flatMap(listsOf)])]
}

/** Returns the columns of the table of spans that a query reads. */
export function columnsOf(spans: SpanExpr, others: readonly FieldRef[] = []): readonly string[] {
  return columnsOfFields([...fieldsIn(spans), ...others])
}
